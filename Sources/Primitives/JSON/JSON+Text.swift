extension JSON {
    /// Reads one JSON text, with white space around the value and nothing else.
    ///
    /// Strict where RFC 8259 leaves a choice: a name may appear once in an object, a text that is not UTF-8 or that
    /// escapes half a surrogate pair is refused, and so is a byte order mark.
    /// A text of more than 1 MiB, or nested deeper than 64, is refused too.
    public init(parsing text: Span<UInt8>) throws(JSONError) {
        try self.init(parsing: text, limits: .standard)
    }

    /// Reads one JSON text of a size that the caller names.
    package init(parsing text: Span<UInt8>, limits: JSONLimits) throws(JSONError) {
        self = try text.withUnsafeBufferPointer { text throws(JSONError) in
            var reader = JSONReader(text, limits: limits)
            return try reader.document()
        }
    }

    /// Reads one JSON text, by the same rules.
    public init(parsing text: String) throws(JSONError) { try self.init(parsing: text, limits: .standard) }

    /// Reads one JSON text of a size that the caller names.
    package init(parsing text: String, limits: JSONLimits) throws(JSONError) {
        self = try text.withUTF8Span { bytes throws(JSONError) in try JSON(parsing: bytes, limits: limits) }
    }

    /// The bytes of the JSON text, as for the body of a request: without white space, or indented by two spaces with a line
    /// break at the end.
    public func serialised(pretty: Bool = false) -> [UInt8] {
        if pretty { return JSONPrettyPrinter.print(self) }
        var writer = JSONWriter()
        writer.value(self)
        return writer.takeBytes()
    }

    /// The JSON text as a string.
    public func text(pretty: Bool = false) -> String {
        String(decoding: serialised(pretty: pretty), as: UTF8.self)
    }
}

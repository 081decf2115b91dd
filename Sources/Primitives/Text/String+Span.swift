extension String {
    /// `nil`: the bytes are not UTF-8.
    package init?(utf8 bytes: Span<UInt8>) {
        #if canImport(Darwin)
        // `UTF8Span` is of macOS 26 and iOS 26.
        guard let text = bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else { return nil }
        self = text
        #else
        // In place of `String(validating:as:)`, which looks for the type of its parser anew each time.
        guard let bytes = try? UTF8Span(validating: bytes) else { return nil }
        self = String(copying: bytes)
        #endif
    }

    /// A text of bytes that are ASCII, and known to be, such as Base64: they are not looked at again.
    ///
    ///     let text = String(knownASCII: token.span)
    ///
    /// - Precondition: no byte is above 0x7F. In release nobody looks.
    package init(knownASCII bytes: Span<UInt8>) {
        assert(bytes.withUnsafeBufferPointer { $0.allSatisfy { $0 < 0x80 } }, "these bytes are not ASCII")
        #if canImport(Darwin)
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        #else
        self = String(copying: UTF8Span(unchecked: bytes, isKnownASCII: true))
        #endif
    }

    /// Lends the bytes of the text for the length of `body`.
    @inlinable
    @inline(__always)
    package func withUTF8Span<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Darwin)
        // `utf8.span` is of macOS 26 and iOS 26.
        var text = self
        let outcome = text.withUTF8 { bytes in
            Swift.Result { () throws(Failure) in try body(bytes.span) }
        }
        return try outcome.get()
        #else
        try body(utf8.span)
        #endif
    }
}

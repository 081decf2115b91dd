import Primitives

/// What parses is written and reads back the same, and no part of it passes for the whole.
enum JSONProperties {
    /// So tight that small inputs reach every limit.
    private static let tight = JSONLimits(bytes: 256, depth: 4, stringBytes: 12, numberDigits: 6, members: 5)
    /// Escapes make a text six times as long, indentation more than that.
    private static let wide = JSONLimits(bytes: 1 << 26, stringBytes: 1 << 24)

    static func check(_ input: Span<UInt8>) {
        guard let value = parse(input) else { return }
        let written = value.serialised()
        require(parse(written.span, wide) == value, "what is written reads back the same")
        require(parse(written.span, wide)?.serialised() == written, "writing twice gives the same bytes")
        require(parse(value.serialised(pretty: true).span, wide) == value, "indented text reads back the same")
        require(parse(written.span, wide)?.hashValue == value.hashValue, "equal values have equal hashes")
        checkTruncation(of: value, written)
        if let restricted = parse(input, tight) { require(restricted == value, "limits change no value") }
    }

    private static func checkTruncation(of value: JSON, _ written: [UInt8]) {
        switch value {
        case .object, .array, .string:
            for end in [1, written.count / 3, written.count / 2, written.count - 1] where end < written.count {
                require(parse(written.span.extracting(0..<end), wide) == nil, "no beginning of a text is a text")
            }
        case .null, .bool, .number: break
        }
    }

    private static func parse(_ text: Span<UInt8>, _ limits: JSONLimits = .standard) -> JSON? {
        do throws(JSONError) {
            return try JSON(parsing: text, limits: limits)
        } catch {
            require((0...text.count).contains(error.offset), "a fault lies within the text")
            require(error.line >= 1 && error.column >= 1, "lines and columns count from one")
            require(error.column <= error.offset + 1, "a column is not beyond the fault")
            return nil
        }
    }
}

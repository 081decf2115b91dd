import HTTPMessages

/// The fields after the last chunk (RFC 9112 section 7.1.2).
struct TrailerSection: Sendable {
    private(set) var fields = HTTPFields()
    private var lines = FieldSection()

    /// - Returns: whether the section is complete.
    mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int, limits: HTTPLimits
    ) throws(WireError) -> Bool {
        while true {
            switch try lines.next(bytes, &consumed, within: limits.trailerSection) {
            case .needsMore: return false
            case .end: return true
            case .line(let line): try add(line)
            }
        }
    }

    /// RFC 9110 section 6.5.1: fields that frame or route a message, or steer its connection, are refused: a reader
    /// that merged them into the header would see another message. Those that a recipient must know before the
    /// content, or that decide who is asking, are dropped.
    private mutating func add(_ line: FieldSection.Line) throws(WireError) {
        let name = HTTPField.Name(validated: line.name)
        if Self.isFraming(name) { throw .forbiddenTrailer }
        if Self.isForbidden(name) { return }
        fields.append(name: name, value: String(fieldValue: line.value))
    }

    /// Whether the field says where a message ends, whither it goes or what becomes of the connection.
    private static func isFraming(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName {
        case "content-length", "transfer-encoding", "host", "connection", "keep-alive", "proxy-connection", "te",
            "trailer", "upgrade", "expect", "max-forwards":
            true
        default: false
        }
    }

    /// Whether the field has no meaning in a trailer section.
    static func isForbidden(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName {
        case "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "cookie", "set-cookie",
            "content-type", "content-encoding", "content-range", "cache-control", "pragma", "range", "age", "date",
            "expires", "location", "retry-after", "vary", "warning", "if-match", "if-none-match", "if-modified-since",
            "if-unmodified-since", "if-range":
            true
        default: isFraming(name)
        }
    }
}

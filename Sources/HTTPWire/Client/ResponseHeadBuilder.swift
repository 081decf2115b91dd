import HTTPMessages

/// Puts the head of a response together from its lines, and judges each as it comes.
struct ResponseHeadBuilder: Sendable {
    private var status = HTTPResponse.Status.ok
    private var version = HTTPVersion.http11
    private var fields = HTTPFields()
    private var framing = FramingFields()

    init() {}

    mutating func begin(_ bytes: UnsafeBufferPointer<UInt8>, _ line: StatusLineScanner.Line) {
        self = Self()
        status = HTTPResponse.Status(code: line.code, reasonPhrase: String(fieldValue: bytes[part: line.reason]))
        version = line.version
    }

    mutating func add(_ line: FieldSection.Line) throws(WireError) {
        let name = HTTPField.Name(validated: line.name)
        let value = line.value
        switch name.wellKnown {
        case .contentLength: try framing.readContentLength(value)
        case .transferEncoding: try framing.readTransferEncoding(value, version: version)
        case .connection: framing.readConnection(value)
        default: break
        }
        fields.append(name: name, value: String(fieldValue: value))
    }

    /// RFC 9112 section 6.3: no content after a response to HEAD, 1xx, 204 and 304, whatever the fields say; else
    /// chunks, else the length, else everything until the connection ends.
    mutating func finish(answering method: HTTPRequest.Method, limits: HTTPLimits) throws(WireError) -> ResponseHead {
        // Section 6.1: a response in chunks with other codings, or without chunks, is not asked for by us.
        let isChunked = try framing.isChunked()
        let code = status.code
        let bodyFraming: BodyFraming
        if method == .head || code < 200 || code == 204 || code == 304 {
            // It would hand the connection to a protocol that nobody asked for (RFC 9110 section 15.2.2).
            guard code != 101 else { throw .unexpectedUpgrade }
            bodyFraming = .none
        } else if isChunked {
            bodyFraming = .chunked
        } else if let length = framing.contentLength {
            guard length <= limits.bodyBytes else { throw .bodyTooLarge }
            bodyFraming = length > 0 ? .length(length) : .none
        } else {
            bodyFraming = .untilClose
        }
        return ResponseHead(
            response: HTTPResponse(status: status, headerFields: fields),
            version: version,
            keepAlive: framing.persists(version) && bodyFraming != .untilClose,
            bodyFraming: bodyFraming
        )
    }
}

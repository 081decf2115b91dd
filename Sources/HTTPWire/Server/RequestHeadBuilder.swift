import HTTPMessages

/// Puts the head of a request together from its lines, and judges each as it comes.
struct RequestHeadBuilder: Sendable {
    private var method = HTTPRequest.Method.get
    private var scheme: String?
    private var authority: String?
    private var path = ""
    private var version = HTTPVersion.http11
    private var fields = HTTPFields()
    private var framing = FramingFields()
    private var host: String?
    private var expectsContinue = false
    private var hasContentType = false
    private var hasAuthorization = false

    init() {}

    mutating func begin(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: RequestLineScanner.Line
    ) throws(WireError) {
        let method = HTTPRequest.Method(validated: bytes[part: line.start..<line.methodEnd])
        let target = try RequestTarget(bytes[part: line.methodEnd + 1..<line.targetEnd], method: method)
        self = Self()
        self.method = method
        scheme = target.scheme
        authority = target.authority
        path = target.path
        version = line.version
        fields.reserveCapacity(8)
    }

    mutating func add(_ line: FieldSection.Line) throws(WireError) {
        let name = HTTPField.Name(validated: line.name)
        let value = line.value
        if let known = name.wellKnown {
            if case .host = known { return try readHost(value) }
            try inspect(known, value)
        }
        fields.append(name: name, value: String(fieldValue: value))
    }

    /// RFC 9112 section 3.2: exactly one `Host`, and a valid one; the form of the target makes no difference to that.
    private mutating func readHost(_ value: UnsafeBufferPointer<UInt8>) throws(WireError) {
        guard host == nil else { throw .repeatedHost }
        guard AuthoritySyntax.isValid(value) else { throw .badHost }
        host = String(ascii: value)
    }

    private mutating func inspect(
        _ name: WellKnownName, _ value: UnsafeBufferPointer<UInt8>
    ) throws(WireError) {
        switch name {
        case .contentLength: try framing.readContentLength(value)
        case .transferEncoding: try framing.readTransferEncoding(value, version: version)
        case .connection: framing.readConnection(value)
        case .expect:
            // RFC 9110 section 10.1.1: one that is not met is answered with 417.
            guard value.equalsIgnoringCase("100-continue") else { throw .unknownExpectation }
            expectsContinue = true
        case .contentType:
            // RFC 9110 section 5.3: neither is a list, so a second one leaves open which of them counts.
            guard !hasContentType else { throw .repeatedSingleton }
            hasContentType = true
        case .authorization:
            guard !hasAuthorization else { throw .repeatedSingleton }
            hasAuthorization = true
        default: break
        }
    }

    mutating func finish(limits: HTTPLimits) throws(WireError) -> RequestHead {
        if host == nil, version == .http11 { throw .missingHost }
        let bodyFraming: BodyFraming =
            if try framing.isChunked() {
                .chunked
            } else if let length = framing.contentLength, length > 0 {
                .length(length)
            } else {
                .none
            }
        if case .length(let length) = bodyFraming, length > limits.bodyBytes { throw .bodyTooLarge }
        let request = HTTPRequest(
            method: method, scheme: scheme, authority: authority ?? host, path: path, headerFields: fields
        )
        fields = HTTPFields()
        return RequestHead(
            request: request,
            version: version,
            keepAlive: framing.persists(version),
            // Section 10.1.1: an expectation in HTTP/1.0 is ignored.
            expectsContinue: expectsContinue && version == .http11 && bodyFraming != .none,
            bodyFraming: bodyFraming
        )
    }
}

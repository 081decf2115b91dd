import HTTPMessages

/// The state behind a `RequestParser`, apart from the bytes that it reads.
struct RequestMachine: Sendable {
    private enum Phase: UInt8 {
        case requestLine, fields, body, stopped
    }

    private let limits: HTTPLimits
    private var phase = Phase.requestLine
    private var requestLine = RequestLineScanner()
    private var fields = FieldSection()
    private var head = RequestHeadBuilder()
    private var body: BodyDecoder
    private var keepAlive = true
    var inputEnded = false

    init(limits: HTTPLimits) {
        self.limits = limits
        body = BodyDecoder(limits: limits)
    }

    var isStopped: Bool { phase == .stopped }
    /// Whether the last request is complete and the next has not begun. An empty line is no beginning.
    var isBetweenMessages: Bool { phase == .requestLine && !requestLine.hasBegun }
    /// Between messages, how many of the unread bytes are known to be no beginning.
    var ignoredByteCount: Int { requestLine.scanned }

    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int) -> RequestParser.Event? {
        guard phase != .stopped else { return nil }
        do throws(WireError) {
            if let event = try read(bytes, &consumed) { return event }
            guard !inputEnded || isBetweenMessages else { throw .truncated }
            return nil
        } catch {
            phase = .stopped
            return .failure(error)
        }
    }

    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int
    ) throws(WireError) -> RequestParser.Event? {
        if phase == .requestLine {
            guard try readRequestLine(bytes, &consumed) else { return nil }
            phase = .fields
        }
        if phase == .fields {
            guard try readFields(bytes, &consumed) else { return nil }
            let complete = try head.finish(limits: limits)
            keepAlive = complete.keepAlive
            body.begin(complete.bodyFraming)
            phase = .body
            return .head(complete)
        }
        switch try body.next(bytes, &consumed) {
        case .needsMore: return nil
        case .piece(let piece): return .body(piece)
        case .end(let trailers):
            // RFC 9112 section 9.6: requests after the one that ends the connection are not to be processed.
            phase = keepAlive ? .requestLine : .stopped
            return .end(trailers: trailers)
        }
    }

    private mutating func readRequestLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int
    ) throws(WireError) -> Bool {
        let rest = bytes[part: consumed..<consumed + min(bytes.count - consumed, limits.requestLineBytes)]
        guard let line = try requestLine.scan(rest) else {
            guard rest.count < limits.requestLineBytes else { throw .requestLineTooLong }
            return false
        }
        try head.begin(rest, line)
        fields = FieldSection()
        consumed += line.byteCount
        return true
    }

    /// - Returns: whether the section is complete.
    private mutating func readFields(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int
    ) throws(WireError) -> Bool {
        while true {
            switch try fields.next(bytes, &consumed, within: limits.headerSection) {
            case .needsMore: return false
            case .end: return true
            case .line(let line): try head.add(line)
            }
        }
    }
}

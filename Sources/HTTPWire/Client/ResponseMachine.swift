import HTTPMessages

/// The state behind a `ResponseParser`, apart from the bytes that it reads.
struct ResponseMachine: Sendable {
    private enum Phase: UInt8 {
        case statusLine, fields, body, stopped
    }

    private let limits: HTTPLimits
    private var phase = Phase.statusLine
    private var statusLine = StatusLineScanner()
    private var fields = FieldSection()
    private var head = ResponseHeadBuilder()
    private var body: BodyDecoder
    private var keepAlive = true
    private var interimCount = 0
    var inputEnded = false
    /// The methods of the requests whose responses are to come.
    var awaited: [HTTPRequest.Method] = []

    init(limits: HTTPLimits) {
        self.limits = limits
        body = BodyDecoder(limits: limits)
    }

    var isStopped: Bool { phase == .stopped }
    var isBetweenMessages: Bool { phase == .statusLine }

    mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int) -> ResponseParser.Event? {
        guard phase != .stopped else { return nil }
        do throws(WireError) {
            if let event = try read(bytes, &consumed) { return event }
            return inputEnded ? try atEnd(unread: bytes.count - consumed) : nil
        } catch {
            phase = .stopped
            return .failure(error)
        }
    }

    /// RFC 9112 section 8: a response that has no length of its own is complete when the connection ends; any other is
    /// cut off.
    private mutating func atEnd(unread: Int) throws(WireError) -> ResponseParser.Event? {
        switch phase {
        case .body where body.endsWithConnection:
            phase = .stopped
            return .end(trailers: [:])
        case .statusLine where unread == 0 && awaited.isEmpty: return nil
        default: throw .truncated
        }
    }

    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int
    ) throws(WireError) -> ResponseParser.Event? {
        if phase == .statusLine {
            guard try readStatusLine(bytes, &consumed) else { return nil }
            phase = .fields
        }
        if phase == .fields {
            guard try readFields(bytes, &consumed) else { return nil }
            return try headIsComplete()
        }
        switch try body.next(bytes, &consumed) {
        case .needsMore: return nil
        case .piece(let piece): return .body(piece)
        case .end(let trailers):
            phase = keepAlive ? .statusLine : .stopped
            return .end(trailers: trailers)
        }
    }

    private mutating func headIsComplete() throws(WireError) -> ResponseParser.Event {
        let complete = try head.finish(answering: awaited[0], limits: limits)
        if (100..<200).contains(complete.response.status.code) {
            interimCount += 1
            guard interimCount <= limits.interimCount else { throw .tooManyInterimResponses }
            phase = .statusLine
            return .interim(complete)
        }
        interimCount = 0
        awaited.removeFirst()
        keepAlive = complete.keepAlive
        body.begin(complete.bodyFraming)
        phase = .body
        return .head(complete)
    }

    private mutating func readStatusLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ consumed: inout Int
    ) throws(WireError) -> Bool {
        guard consumed < bytes.count else { return false }
        guard !awaited.isEmpty else { throw .unexpectedBytes }
        let rest = bytes[part: consumed..<consumed + min(bytes.count - consumed, limits.requestLineBytes)]
        guard let line = try statusLine.scan(rest) else {
            guard rest.count < limits.requestLineBytes else { throw .badStatusLine }
            return false
        }
        head.begin(rest, line)
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

import HTTPMessages
import HTTPWire

/// Drives one parser over the bytes of a connection.
protocol WireFeed {
    mutating func append(_ bytes: UnsafeRawBufferPointer)
    mutating func finish()
    mutating func next() -> WireEvent?
    var isStopped: Bool { get }
}

extension WireFeed {
    /// Hands over the bytes in pieces of these lengths and asks for events after each.
    func events(of bytes: [UInt8], in lengths: [Int], _ endsInput: Bool) -> [WireEvent] {
        var feed = self
        var events: [WireEvent] = []
        bytes.withUnsafeBytes { bytes in
            var offset = 0
            for length in lengths {
                feed.append(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
                offset += length
                feed.drain(into: &events)
            }
        }
        if endsInput {
            feed.finish()
            feed.drain(into: &events)
        }
        if case .failure = events.last {
            require(feed.isStopped, "a parser stops at a failure")
            require(feed.next() == nil, "nothing comes after a failure")
        }
        return events
    }

    private mutating func drain(into events: inout [WireEvent]) {
        while let event = next() {
            if case .failure = events.last { require(false, "nothing comes after a failure") }
            events.join(event)
        }
    }
}

/// The server's side.
struct RequestFeed: WireFeed {
    private var parser: RequestParser

    init(_ limits: HTTPLimits) {
        parser = RequestParser(limits: limits)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { parser.append(bytes) }
    mutating func finish() { parser.finish() }
    var isStopped: Bool { parser.isStopped }

    mutating func next() -> WireEvent? {
        switch parser.next() {
        case .head(let head): .request(head)
        case .body(let bytes): .body(bytes)
        case .end(let trailers): .end(trailers)
        case .failure(let error): .failure(error)
        case nil: nil
        }
    }
}

/// The client's side, with three requests under way.
struct ResponseFeed: WireFeed {
    private var parser: ResponseParser

    init(_ limits: HTTPLimits, awaiting method: HTTPRequest.Method) {
        parser = ResponseParser(limits: limits)
        parser.expectResponse(to: method)
        parser.expectResponse(to: .get)
        parser.expectResponse(to: .head)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { parser.append(bytes) }
    mutating func finish() { parser.finish() }
    var isStopped: Bool { parser.isStopped }

    mutating func next() -> WireEvent? {
        switch parser.next() {
        case .interim(let head): .interim(head)
        case .head(let head): .response(head)
        case .body(let bytes): .body(bytes)
        case .end(let trailers): .end(trailers)
        case .failure(let error): .failure(error)
        case nil: nil
        }
    }
}

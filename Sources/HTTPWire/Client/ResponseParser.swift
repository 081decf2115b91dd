import HTTPMessages

/// Reads the responses that a server sends over one connection (RFC 9112): bytes in, events out, however the bytes are
/// cut into pieces. As strict as the reader of requests.
///
/// Say which request each response answers, in order, with `expectResponse(to:)`: without that nobody knows where a
/// response to HEAD ends. Bytes that come while no response is expected are a failure.
package struct ResponseParser: Sendable {
    /// What was found: for each response a head, pieces of content, and an end; in place of any of them a failure.
    package enum Event: Sendable {
        /// A 1xx response; the one that is waited for follows.
        case interim(ResponseHead)
        case head(ResponseHead)
        /// A piece of the content; never empty.
        case body([UInt8])
        case end(trailers: HTTPFields)
        case failure(WireError)
    }

    private var buffer = ReceiveBuffer()
    private var machine: ResponseMachine

    package init(limits: HTTPLimits = .standard) {
        machine = ResponseMachine(limits: limits)
    }

    /// Takes note that a request was sent whose response has not begun.
    package mutating func expectResponse(to method: HTTPRequest.Method) {
        machine.awaited.append(method)
    }

    /// Takes bytes from the connection. They are looked at by `next`.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !machine.isStopped else { return }
        buffer.append(bytes)
    }

    /// Takes note that the server sends no more. That ends a response without a length, and cuts off any other.
    package mutating func finish() {
        machine.inputEnded = true
    }

    /// - Returns: `nil` when the next event needs more bytes.
    package mutating func next() -> Event? {
        let event = Self.read(&buffer, &machine)
        if machine.isStopped { buffer.discard() }
        return event
    }

    /// Apart, so that the machine can be changed while it looks at the buffer.
    @inline(__always)
    private static func read(_ buffer: inout ReceiveBuffer, _ machine: inout ResponseMachine) -> Event? {
        buffer.read { machine.next($0, &$1) }
    }

    /// Whether every expected response is complete and nothing else has come: the connection may be used again.
    package var isIdle: Bool {
        machine.isBetweenMessages && machine.awaited.isEmpty && buffer.unreadCount == 0 && !machine.inputEnded
    }

    /// Whether nothing more will come out of this parser: after a failure, or a response that ends the connection.
    package var isStopped: Bool { machine.isStopped }
}

import HTTPMessages

/// Reads the requests that a client sends over one connection (RFC 9112): bytes in, events out. How the bytes are cut
/// into pieces makes no difference to what comes out, except that the content may come in other pieces.
///
///     parser.append(received)
///     while let event = parser.next() { … }
///
/// Whoever wants to answer one request before it looks at the next stops calling `next` after `.end`: what the client
/// sent ahead stays where it is. Nothing comes after a request that ends the connection, and nothing after a failure.
package struct RequestParser: Sendable {
    /// What was found: for each request a head, pieces of content, and an end; in place of any of them a failure.
    package enum Event: Sendable {
        case head(RequestHead)
        /// A piece of the content; never empty.
        case body([UInt8])
        case end(trailers: HTTPFields)
        case failure(WireError)
    }

    private var buffer = ReceiveBuffer()
    private var machine: RequestMachine

    package init(limits: HTTPLimits = .standard) {
        machine = RequestMachine(limits: limits)
    }

    /// Takes bytes from the connection. They are looked at by `next`.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !machine.isStopped else { return }
        buffer.append(bytes)
    }

    /// Takes note that the client sends no more. A request that is not complete is then a failure.
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
    private static func read(_ buffer: inout ReceiveBuffer, _ machine: inout RequestMachine) -> Event? {
        buffer.read { machine.next($0, &$1) }
    }

    /// Whether the last request is complete and nothing has come since but perhaps an empty line: the connection is idle.
    package var isIdle: Bool { machine.isBetweenMessages && buffer.unreadCount == machine.ignoredByteCount }

    /// Whether nothing more will come out of this parser: after a failure, or a request that ends the connection.
    package var isStopped: Bool { machine.isStopped }
}

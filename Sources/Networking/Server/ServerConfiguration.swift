import HTTPMessages
import HTTPWire

/// What a server listens on and how much it puts up with.
package struct ServerConfiguration: Sendable {
    package var listeners: [Listener]
    package var limits: HTTPLimits
    package var connectionLimits: ConnectionLimits
    package var deadlines: Deadlines
    /// Renders what is answered where no handler is asked.
    package var refusalRenderer: RefusalRenderer
    /// Called for every request that was answered or refused; nothing is measured for it when it is `nil`.
    package var accessLog: (@Sendable (AccessRecord) -> Void)?

    package init(
        listeners: [Listener], limits: HTTPLimits = .forms, connectionLimits: ConnectionLimits = .standard,
        deadlines: Deadlines = .standard, refusalRenderer: @escaping RefusalRenderer = Refusal.plainText,
        accessLog: (@Sendable (AccessRecord) -> Void)? = nil
    ) {
        self.listeners = listeners
        self.limits = limits
        self.connectionLimits = connectionLimits
        self.deadlines = deadlines
        self.refusalRenderer = refusalRenderer
        self.accessLog = accessLog
    }

    /// Makes a response, with content in one piece if any, of a status and a reason. The reason is one of our own
    /// texts: visible ASCII and spaces, no quotation mark.
    package typealias RefusalRenderer = @Sendable (HTTPResponse.Status, String) -> ServerResponse

    /// One address, in the clear or through TLS.
    package struct Listener: Sendable {
        package var address: ListenAddress
        package var tls: TLSServerContext?

        package init(_ address: ListenAddress, tls: TLSServerContext? = nil) {
            self.address = address
            self.tls = tls
        }
    }

    /// How many of what a server puts up with.
    package struct ConnectionLimits: Hashable, Sendable {
        /// Connections that are open at once. The next ones are answered 503.
        package var connections = 10_000
        /// Requests that wait on a connection while one before them is being answered. With one more, those are
        /// answered, then comes a 503 and the end.
        package var pipelinedRequests = 64
        /// Bytes of content of waiting requests; no more is read from the connection until they are fewer.
        package var pipelinedBodyBytes = 256 << 10
        /// Bytes of content of requests that are not complete or wait, over all connections of the server. Whose
        /// content goes beyond is answered 503; content that comes whole to a connection that is free is never
        /// counted. There is always room for one request of the largest size.
        package var bufferedBodyBytes = 64 << 20

        package init() {}

        package static let standard = ConnectionLimits()
    }

    /// How long a server waits.
    package struct Deadlines: Hashable, Sendable {
        /// For the head of a request, from its first byte; for a TLS handshake, from the connection's begin.
        package var head = Duration.seconds(10)
        /// For the content of a request, from the end of its head.
        package var body = Duration.seconds(30)
        /// For the first byte of the next request. Then the connection is closed without a word.
        package var idle = Duration.seconds(75)
        /// For a client to take what is sent to it: `writeProgressBytes` of it, or all there is.
        package var write = Duration.seconds(30)
        /// For a refused client to stop sending, so that it gets to read why it was refused.
        package var lingering = Duration.seconds(2)
        /// For a connection that has carried no request yet when the server drains.
        package var drainGrace = Duration.milliseconds(500)

        package init() {}

        package static let standard = Deadlines()
    }
}

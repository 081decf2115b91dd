import HTTPWire

/// What a client expects of servers and how long it waits for them.
package struct ClientConfiguration: Sendable {
    /// Whom to trust when a request's scheme is `https`; without it, such requests fail.
    package var tls: TLSClientContext?
    package var limits: HTTPLimits
    /// Addresses, as numbers, of hosts that are not to be looked up.
    package var hosts: [String: [String]] = [:]
    /// For a connection to one address to stand, TLS included. Then the host's next address is tried.
    package var connectTimeout = Duration.seconds(10)
    /// For a response to be complete, from the moment the request is handed in; of a stream, for its next piece to come.
    package var responseTimeout = Duration.seconds(60)
    /// How long an unused connection is kept.
    package var idleTimeout = Duration.seconds(30)
    /// Unused connections that are kept, by loop and server.
    package var idleConnections = 256

    package init(tls: TLSClientContext? = nil, limits: HTTPLimits = .standard) {
        self.tls = tls
        self.limits = limits
    }
}

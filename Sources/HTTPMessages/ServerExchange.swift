/// A whole request as a server hands it to its handler: the head, the body (read up to the server's limit), and
/// where it came from.
///
/// It is as it came, and shared: it goes through many hands, each of which would otherwise have a copy of all its parts.
package final class ServerRequest: Sendable {
    package let head: HTTPRequest
    package let body: [UInt8]
    package let trailerFields: HTTPFields
    package let peer: Peer
    /// Names this request in logs and in the `X-Request-Id` of its response.
    package let id: String
    /// Whether the client is still there; `nil`: nobody can tell.
    package let presence: (any ClientPresence)?

    package init(
        head: HTTPRequest, body: [UInt8] = [], trailerFields: HTTPFields = [:], peer: Peer, id: String,
        presence: (any ClientPresence)? = nil
    ) {
        self.head = head
        self.body = body
        self.trailerFields = trailerFields
        self.peer = peer
        self.id = id
        self.presence = presence
    }

    /// The other end of the connection.
    package struct Peer: Hashable, Sendable {
        /// An IP address without its port, or `unix`.
        package var address: String
        package var isLoopback: Bool
        /// Whether the bytes came through TLS.
        package var isEncrypted: Bool
        /// What it has shown where it was asked for one (RFC 8705).
        package var clientCertificate: ClientCertificate?
        /// Whether it came where clients are asked for one, whether or not it has shown any.
        package var wasAskedForCertificate: Bool

        package init(
            address: String, isLoopback: Bool, isEncrypted: Bool, clientCertificate: ClientCertificate? = nil,
            wasAskedForCertificate: Bool = false
        ) {
            self.address = address
            self.isLoopback = isLoopback
            self.isEncrypted = isEncrypted
            self.clientCertificate = clientCertificate
            self.wasAskedForCertificate = wasAskedForCertificate
        }
    }
}

/// Tells whoever has a client wait for long that the client has gone.
package protocol ClientPresence: Sendable {
    /// Has `body` called once the client has closed its side of the connection, or the connection has ended; soon, when it
    /// has already, and never, when the response is complete before. One alone is called: the last.
    func whenGone(_ body: @escaping @Sendable () -> Void)
}

/// What a handler answers.
package struct ServerResponse: Sendable {
    package var head: HTTPResponse
    package var body: Body
    /// How it leaves; `nil`: whole.
    package var delivery: ResponseDelivery?
    /// What whoever answers has to say of it to whoever records it. It is not sent.
    package var remark: (any ResponseRemark)?

    package init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], body: Body = .none) {
        self.head = HTTPResponse(status: status, headerFields: headerFields)
        self.body = body
    }

    /// The content of a response. Framing (`Content-Length`, chunks) is the server's business, not the handler's.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Written piece by piece, in chunks; the response ends when the closure returns, and is cut off visibly
        /// (the last chunk is missing) when it throws.
        case stream(@Sendable (any ServerBodyWriter) async throws -> Void)
    }
}

/// What is known of a response beside what is sent. An object, so that it is told what it is at the cost of a look.
package protocol ResponseRemark: AnyObject, Sendable {}

/// Takes the pieces of a streamed response. `write` returns when the piece has been accepted for sending, and
/// throws when the other end has gone.
package protocol ServerBodyWriter: Sendable {
    func write(_ bytes: [UInt8]) async throws
}

/// Answers requests. What a server is given, and what the provider is.
package protocol RequestHandler: Sendable {
    func respond(to request: ServerRequest) async -> ServerResponse
}

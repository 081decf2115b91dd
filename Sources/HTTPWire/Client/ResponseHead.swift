import HTTPMessages

/// The head of a response with what the version of the protocol and the connection's fields say about it.
package struct ResponseHead: Hashable, Sendable {
    package var response: HTTPResponse
    package var version: HTTPVersion
    /// Whether another request may be sent on the connection (RFC 9112 section 9.3).
    package var keepAlive: Bool
    package var bodyFraming: BodyFraming

    package init(response: HTTPResponse, version: HTTPVersion, keepAlive: Bool, bodyFraming: BodyFraming) {
        self.response = response
        self.version = version
        self.keepAlive = keepAlive
        self.bodyFraming = bodyFraming
    }
}

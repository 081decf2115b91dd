import HTTPMessages

/// The head of a request with what the version of the protocol and the connection's fields say about it.
package struct RequestHead: Hashable, Sendable {
    /// `Host` is not among its fields: it is the authority. Everything else is there as it was sent.
    package var request: HTTPRequest
    package var version: HTTPVersion
    /// Whether another request may follow on the connection (RFC 9112 section 9.3).
    package var keepAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends its content (RFC 9110 section 10.1.1). Never set
    /// when there is no content to wait for.
    package var expectsContinue: Bool
    package var bodyFraming: BodyFraming

    package init(
        request: HTTPRequest, version: HTTPVersion, keepAlive: Bool, expectsContinue: Bool, bodyFraming: BodyFraming
    ) {
        self.request = request
        self.version = version
        self.keepAlive = keepAlive
        self.expectsContinue = expectsContinue
        self.bodyFraming = bodyFraming
    }
}

import HTTPMessages

/// The way to the server behind the proxy.
package protocol Upstream: Sendable {
    /// Sends a request and waits for the head of what is answered.
    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> UpstreamAnswer
}

/// What the upstream answers: the head, and the content as it comes.
package struct UpstreamAnswer: Sendable {
    package let head: HTTPResponse
    package let body: any UpstreamBody

    package init(head: HTTPResponse, body: any UpstreamBody) {
        self.head = head
        self.body = body
    }
}

/// The content of an answer. Whoever lets go of it gives it up.
package protocol UpstreamBody: Sendable {
    /// The next piece; `nil` at the end.
    func next() async throws(OutboundFailure) -> [UInt8]?

    /// Nobody reads any more.
    func close()
}

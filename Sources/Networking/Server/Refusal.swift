import HTTPMessages
import HTTPWire

/// Why a request was not given to the handler, and so what is answered instead. The connection ends with it.
package struct Refusal: Sendable {
    package let status: HTTPResponse.Status
    /// One of our own texts: nothing that the client sent is in it.
    package let reason: String

    /// For a request that the parser refused.
    package init(_ error: WireError) {
        self.init(error.status, error.reason)
    }

    private init(_ status: HTTPResponse.Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    package static let lateHead = Refusal(.requestTimeout, "the request's head took too long")
    package static let lateBody = Refusal(.requestTimeout, "the request's content took too long")
    package static let tooManyWaiting = Refusal(.serviceUnavailable, "too many requests wait on this connection")
    package static let tooManyConnections = Refusal(.serviceUnavailable, "too many connections")
    package static let tooMuchContent = Refusal(.serviceUnavailable, "too much content is being received")
    package static let unwritable = Refusal(.internalServerError, "the response could not be written")

    /// As a line of text, for a server that has no other way of saying it.
    package static func plainText(_ status: HTTPResponse.Status, _ reason: String) -> ServerResponse {
        ServerResponse(
            status: status, headerFields: [.contentType: "text/plain", .cacheControl: "no-store"],
            body: .bytes(Array("\(reason)\n".utf8)))
    }

    /// - Parameter render: how the server says such things.
    func response(_ render: ServerConfiguration.RefusalRenderer) -> ServerResponse {
        var response = render(status, reason)
        // RFC 9110 section 10.2.3: with a 503, how long the client ought to wait.
        if status == .serviceUnavailable, response.head.headerFields[.retryAfter] == nil {
            response.head.headerFields[.retryAfter] = "1"
        }
        return response
    }
}

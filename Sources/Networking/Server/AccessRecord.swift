import HTTPMessages

/// One request that was answered or refused, for the access log.
package struct AccessRecord: Sendable {
    /// `nil` when the request was refused before its method was known.
    package let method: HTTPRequest.Method?
    /// Without the query, which may hold what must not be logged.
    package let path: String?
    package let status: HTTPResponse.Status
    /// From the complete request to the complete response, which may still be on its way.
    package let duration: Duration
    /// Bytes of the response, head included; those of a streamed response until it ended.
    package let responseBytes: Int
    package let peer: ServerRequest.Peer
    package let requestID: String
}

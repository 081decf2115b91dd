/// How the content of a message is delimited (RFC 9112 section 6).
package enum BodyFraming: Hashable, Sendable {
    case none
    /// As many bytes as `Content-Length` says.
    case length(Int)
    case chunked
    /// Until the connection ends: responses only.
    case untilClose
}

/// How much a server lets its own requests to others cost it.
package struct OutboundLimits: Hashable, Sendable {
    /// For a whole answer, the look-up of the name and the connection included.
    package var deadline = Duration.seconds(5)
    /// Bytes of an answer's content.
    package var responseBytes = 64 << 10
    /// Bytes of an answer's header fields.
    package var headerBytes = 16 << 10
    /// Requests that are on their way at once; one more is refused.
    package var requestsAtOnce = 64

    package init() {}

    package static let standard = OutboundLimits()
}

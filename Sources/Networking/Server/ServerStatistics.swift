/// What a server has done since it was started, summed over its loops.
package struct ServerStatistics: Hashable, Sendable {
    /// Connections that are open now.
    package var openConnections = 0
    /// Connections that were taken in.
    package var acceptedConnections = 0
    /// Connections that were turned away: too many, or no descriptor left.
    package var refusedConnections = 0
    /// TLS handshakes that failed.
    package var failedHandshakes = 0
    /// Requests that were answered or refused.
    package var requests = 0
    /// Responses by the first digit of their status, less one: 1xx to 5xx.
    package var responsesByClass = [0, 0, 0, 0, 0]
    /// Bytes of requests and responses, TLS taken off.
    package var bytesReceived = 0
    package var bytesSent = 0
}

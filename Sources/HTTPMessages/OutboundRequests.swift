/// Sends requests of our own to other servers: for the keys of a client, for a request object, to announce a logout.
///
/// A request has a scheme (`http` or `https`), an authority and a path. What answers may be hostile: there is a limit
/// to its size and to the time it takes, and it sends nobody elsewhere, for redirects are not followed.
public protocol OutboundRequests: Sendable {
    func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8])
}

/// Sends nothing: for a provider that is not to talk to anybody.
public struct NoOutboundRequests: OutboundRequests {
    public init() {}

    public func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        throw .notAllowed
    }
}

extension OutboundRequests where Self == NoOutboundRequests {
    /// Refuses every request.
    public static var none: NoOutboundRequests { NoOutboundRequests() }
}

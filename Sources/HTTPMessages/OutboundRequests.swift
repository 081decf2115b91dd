/// Sends requests of our own to other servers: those of a session to the one that gave it; those of a provider for the
/// keys of a client, for a request object, to announce a logout.
///
/// A request has a scheme (`http` or `https`), an authority and a path. What answers may be hostile: there is a limit
/// to its size and to the time it takes, and it sends nobody elsewhere, for redirects are not followed.
///
///     struct CountingRequests: OutboundRequests {
///         let inner: any OutboundRequests
///         let counter: Counter
///         func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
///             counter.increment()
///             return try await inner.send(request, body: body)
///         }
///     }
public protocol OutboundRequests: Sendable {
    /// The head and the whole body of the answer, whatever its status: 404 and 503 are answers, and not failures.
    func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8])
}

/// Sends nothing: for whoever is not to talk to anybody.
///
///     let requests: any OutboundRequests = .none
public struct NoOutboundRequests: OutboundRequests {
    package init() {}

    /// Throws ``OutboundFailure/notAllowed``, whatever is asked.
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

import HTTPMessages
import OAuth
import Primitives

/// Asks a server what it is: its metadata, from where OpenID Connect Discovery section 4.1 puts it, else from where RFC 8414
/// section 3.1 does, and from both where the first does not say how to give a token back. Nothing is kept: whoever asks keeps the
/// answer as long as he likes.
package struct Discovery: Sendable {
    private let outbound: any OutboundRequests
    private let clock: any WallClock

    package init(outbound: any OutboundRequests, clock: any WallClock) {
        self.outbound = outbound
        self.clock = clock
    }

    package func describe(_ issuer: Issuer) async throws(DiscoveryError) -> ServerDescription {
        let names = Issuer.metadataNames
        // OpenID Connect puts its name behind the path of the issuer, RFC 8414 puts its own before it.
        let paths = [issuer.basePath + names[0], names[1] + issuer.basePath]
        var firstError: DiscoveryError?
        var urls: [String] = []
        for path in paths {
            let endpoint: ServerEndpoint
            do { endpoint = try ServerEndpoint(issuer.origin + path) } catch { throw .unusableIssuer(error) }
            urls.append(endpoint.url)
            do throws(DiscoveryError) {
                let found = try await fetch(endpoint, of: issuer)
                return urls.count < paths.count ? await completed(found, from: paths[1]) : found
            } catch {
                guard error.permitsAnotherPlace else { throw error }
                if firstError == nil { firstError = error }
            }
        }
        if case .notFound(_, let status)? = firstError { throw .notFound(urls: urls, status: status) }
        throw firstError ?? .notFound(urls: urls, status: HTTPResponse.Status.notFound.code)
    }

    /// OpenID Connect Discovery knows no revocation, so a server may name that in the document of RFC 8414 alone; a sign-out that
    /// did not find it would leave the tokens alive. What is wrong there is as if it were not there.
    private func completed(_ found: ServerDescription, from path: String) async -> ServerDescription {
        guard found.revocationEndpoint == nil, let endpoint = try? ServerEndpoint(found.issuer.origin + path),
            let other = try? await fetch(endpoint, of: found.issuer)
        else { return found }
        var found = found
        found.revocationEndpoint = other.revocationEndpoint
        found.deviceAuthorizationEndpoint = found.deviceAuthorizationEndpoint ?? other.deviceAuthorizationEndpoint
        return found
    }

    private func fetch(
        _ endpoint: ServerEndpoint, of issuer: Issuer
    ) async throws(DiscoveryError) -> ServerDescription {
        let request = endpoint.request(.get, headerFields: [.accept: "application/json"])
        let response: HTTPResponse
        let body: [UInt8]
        do { (response, body) = try await outbound.send(request, body: []) } catch { throw .unreachable(error) }
        if let unavailability = Unavailability(response, at: clock.now()) { throw .unavailable(unavailability) }
        // RFC 8414 section 3.2: a successful response MUST use 200. A redirect is not followed: whoever answers for the issuer
        // answers at its own host.
        guard response.status == .ok else { throw .notFound(urls: [endpoint.url], status: response.status.code) }
        guard body.count <= ServerDescription.maximumByteCount else {
            throw .noDocument(.tooLong(byteCount: ServerDescription.maximumByteCount))
        }
        return try ServerDescription(parsing: body.span, of: issuer)
    }
}

extension DiscoveryError {
    /// Whether the document may stand in the other place: there is none here, or something that is none, such as the start
    /// page that some servers send for every path. A document that is wrong is not replaced by another.
    fileprivate var permitsAnotherPlace: Bool {
        switch self {
        case .notFound, .noDocument: true
        case .notAnIssuer, .unusableIssuer, .unreachable, .unavailable, .otherIssuer, .malformed: false
        }
    }
}

import OAuth
import Primitives

/// The parameters of a request that its client pushed ahead (RFC 9126 section 4).
///
/// A reference is spent when the authorization endpoint takes it. The user is then sent on to a page with an address of its
/// own, so that to load a page again, or to go back to it, takes nothing twice.
struct PushedRequestSource: AuthorizationParameterSource {
    let context: ProviderContext

    let kind = AuthorizationParameterKind.pushed

    /// RFC 9126 section 2.2 leaves the form to the provider, and suggests this one.
    static let prefix = "urn:ietf:params:oauth:request_uri:"

    func parameters(
        of form: FormParameters, for client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> FormParameters? {
        guard let reference = form["request_uri"], reference.utf8.starts(with: Self.prefix.utf8) else {
            // RFC 9126 section 5, require_pushed_authorization_requests.
            guard !context.configuration.requiresPushedRequests else {
                throw OAuthError(.invalidRequest, "this provider takes pushed authorization requests only")
            }
            return nil
        }
        // RFC 9101 section 5: MUST NOT be used together.
        guard form["request"] == nil else {
            throw OAuthError(.invalidRequest, "request and request_uri exclude each other")
        }
        // RFC 9126 section 2.2: bound to the client that pushed it. What another presents stays as it was.
        let found = try await context.storing { store throws(StoreError) in
            try await store.takePushedRequest(named: TokenDigest(of: reference), at: now) {
                sameText($0.clientID, client.id) && $0.clientStay.map { $0 == client.stay } ?? true
            }
        }
        guard let found else {
            throw OAuthError(
                .invalidRequestURI, "the request_uri is not good (any more), or was given to another client")
        }
        return found.parameters
    }

    func advertise(in metadata: inout ServerMetadata) {
        if context.configuration.requiresPushedRequests { metadata[.requirePushedAuthorizationRequests] = true }
    }
}

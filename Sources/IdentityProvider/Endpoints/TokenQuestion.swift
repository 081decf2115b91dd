import HTTPMessages
import OAuth
import Primitives

/// A token that a client sends, to be told about it (RFC 7662 section 2.1) or to end it (RFC 7009 section 2.1).
struct TokenQuestion: Sendable {
    let token: String
    /// Who asks.
    let client: Client

    /// Section 2.1 of either: first the client.
    ///
    /// - Parameter path: of the endpoint that is asked.
    init(
        _ request: ServerRequest, to path: String, as issuer: PreparedIssuer, at now: Timestamp,
        by authenticator: ClientAuthenticator
    ) async throws(OAuthError) {
        let form = try ClientForm.parameters(of: request)
        client = try await authenticator.authenticate(
            ClientRequest(request, form: form, to: path, as: issuer, at: now, in: authenticator.context))
        guard let token = form["token"] else { throw OAuthError(.invalidRequest, "token is missing") }
        // `token_type_hint` would save a look (section 2.1); here the token itself tells what it is.
        self.token = token
    }
}

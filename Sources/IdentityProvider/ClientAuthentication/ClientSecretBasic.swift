import OAuth

/// `client_secret_basic`: identifier and secret in the `Authorization` field (RFC 6749 section 2.3.1).
struct ClientSecretBasic: ClientAuthenticationMethod {
    let name = "client_secret_basic"

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        request.authorization.map(BasicCredentials.isScheme) ?? false
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) throws(OAuthError) -> Client {
        let credentials: BasicCredentials
        do {
            credentials = try BasicCredentials(authorization: request.authorization ?? "")
        } catch {
            throw OAuthError(.invalidClient, error.description)
        }
        let client = try context.client(credentials.clientID, provenBy: credentials.secret, in: request)
        guard let client else {
            throw OAuthError(
                .invalidClient,
                "unknown client, or wrong secret (in Basic both are form-encoded: a + is a space, a % begins two digits)",
                cause: context.clients[credentials.clientID] == nil ? "unknown client" : "wrong secret")
        }
        return client
    }
}

import OAuth
import Primitives

/// `client_secret_post`: identifier and secret as parameters in the body (RFC 6749 section 2.3.1).
struct ClientSecretPost: ClientAuthenticationMethod {
    let name = "client_secret_post"

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        request.form["client_secret"] != nil
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) throws(OAuthError) -> Client {
        guard let id = request.form["client_id"], let secret = request.form["client_secret"] else {
            throw OAuthError(.invalidClient, "client_secret comes with the client_id that it belongs to")
        }
        guard id.utf8.allSatisfy(OAuthCharacters.isVisible), secret.utf8.allSatisfy(OAuthCharacters.isVisible) else {
            throw OAuthError(.invalidClient, "client identifier and secret are made of printable ASCII")
        }
        let client = try context.client(id, provenBy: Secret(utf8: secret), in: request)
        guard let client else {
            throw OAuthError(
                .invalidClient, "unknown client, or wrong secret",
                cause: context.clients[id] == nil ? "unknown client" : "wrong secret")
        }
        return client
    }
}

import JOSE
import OAuth

/// `client_secret_jwt`: an assertion with a code that the client makes with its secret (OpenID Connect Core section 9).
///
/// The only key is the secret that client and provider share. A key that the client publishes never is one.
struct ClientSecretJWT: ClientAuthenticationMethod {
    let name = "client_secret_jwt"
    let signingAlgorithms = SignatureAlgorithm.symmetric

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        ClientAssertion.isSymmetric(request) == true
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) async throws(OAuthError) -> Client {
        let assertion = try ClientAssertion(of: request, in: context)
        if assertion.client.origin == .assumed { return assertion.client }
        let key: VerificationKey
        do {
            // RFC 7518 section 3.2: a key of the same size as the hash output or larger MUST be used.
            key = try VerificationKey(assertion.client.secretKey(), algorithm: assertion.algorithm)
        } catch {
            throw OAuthError(.invalidClient, ClientAssertion.refusal, cause: error.description)
        }
        try await assertion.accept(by: VerificationKeySet([key]), for: request, in: context)
        return assertion.client
    }
}

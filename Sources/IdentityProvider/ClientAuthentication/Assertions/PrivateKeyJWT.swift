import JOSE
import OAuth

/// `private_key_jwt`: an assertion that is signed with a key of the client's (OpenID Connect Core section 9, RFC 7523
/// section 2.2).
struct PrivateKeyJWT: ClientAuthenticationMethod {
    let name = "private_key_jwt"
    let signingAlgorithms = SignatureAlgorithm.asymmetric

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        ClientAssertion.isSymmetric(request) == false
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) async throws(OAuthError) -> Client {
        let assertion = try ClientAssertion(of: request)
        let client = try assertion.client(in: context)
        // A client that nobody registered has no key to compare with, and is believed as it is with any secret.
        if client.origin == .assumed { return client }
        let keys: VerificationKeySet
        do {
            keys = try await context.clientKeys.verificationKeys(
                of: client, for: assertion.header, algorithm: assertion.algorithm, at: request.now)
        } catch {
            throw OAuthError(.invalidClient, ClientAssertion.refusal, cause: error.description)
        }
        try await assertion.accept(by: keys, for: request, in: context)
        return client
    }
}

extension SignatureAlgorithm {
    /// Those whose signatures only the holder of a private key can make.
    static let asymmetric = allCases.filter { !$0.isSymmetric }
    /// Those that two sides share a secret for.
    static let symmetric = allCases.filter(\.isSymmetric)
}

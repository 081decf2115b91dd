import Crypto
import JOSE
import OAuth
import Primitives

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
            throw try refusal(of: assertion, in: request, cause: error.description, context)
        }
        try await assertion.accept(by: VerificationKeySet([key]), for: request, in: context)
        return assertion.client
    }

    /// Why a secret is no key. That it is too short, and how long it has to be, is told to whoever has it, which the code shows
    /// that he made with it; nobody else learns anything of it, nor finds it out by trying.
    private func refusal(
        of assertion: ClientAssertion, in request: ClientRequest, cause: String, _ context: ProviderContext
    ) throws(OAuthError) -> OAuthError {
        try context.secretThrottle.check(
            assertion.client.id, in: assertion.client.stay, from: request.peer, at: request.now)
        let algorithm = assertion.algorithm
        guard let secret = assertion.client.secret?.value, assertion.hasCode(by: secret) else {
            context.secretThrottle.countFailure(
                assertion.client.id, in: assertion.client.stay, from: request.peer, at: request.now)
            return OAuthError(.invalidClient, ClientAssertion.refusal, cause: cause)
        }
        return OAuthError(
            .invalidClient,
            "the client's secret is too short for \(algorithm): it takes a secret of at least \(algorithm.hash.byteCount) bytes, so give the client a longer one",
            cause: cause)
    }
}

extension ClientAssertion {
    /// Whether its code was made with a secret, however short.
    fileprivate func hasCode(by secret: Secret) -> Bool {
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            let code = try? Base64URL.decode(String(text[text.index(after: end)...]))
        else { return false }
        return HMAC(algorithm.hash, key: secret).isValid(code.span, for: Array(text.utf8[..<end]).span)
    }
}

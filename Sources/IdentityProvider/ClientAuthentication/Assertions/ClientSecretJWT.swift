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

    /// RFC 6749 section 2.3.1: guessing is limited. Each assertion that fails is counted under the client that it claims to be of,
    /// whatever was wrong with it and whether there is such a client: if only some were, the count would tell which.
    func authenticate(_ request: ClientRequest, in context: ProviderContext) async throws(OAuthError) -> Client {
        let assertion = try ClientAssertion(of: request)
        try context.secretThrottle.check(assertion.clientID, in: request, of: context)
        do throws(OAuthError) {
            return try await client(provenBy: assertion, in: request, context)
        } catch {
            if error.code == .invalidClient {
                context.secretThrottle.countFailure(assertion.clientID, in: request, of: context)
            }
            throw error
        }
    }

    private func client(
        provenBy assertion: ClientAssertion, in request: ClientRequest, _ context: ProviderContext
    ) async throws(OAuthError) -> Client {
        let client = try assertion.client(in: context)
        if client.origin == .assumed { return client }
        let key: VerificationKey
        do {
            // RFC 7518 section 3.2: a key of the same size as the hash output or larger MUST be used.
            key = try VerificationKey(client.secretKey(), algorithm: assertion.algorithm)
        } catch {
            throw Self.refusal(of: assertion, by: client, cause: error.description)
        }
        try await assertion.accept(by: VerificationKeySet([key]), for: request, in: context)
        return client
    }

    /// Why a secret is no key. That it is too short, and how long it has to be, is told to whoever has it, which the code shows
    /// that he made with it; nobody else learns anything of it, nor finds it out by trying.
    private static func refusal(of assertion: ClientAssertion, by client: Client, cause: String) -> OAuthError {
        let algorithm = assertion.algorithm
        guard let secret = client.secret?.value, assertion.hasCode(by: secret) else {
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

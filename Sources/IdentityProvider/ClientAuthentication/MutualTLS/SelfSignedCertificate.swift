import HTTPMessages
import JOSE
import OAuth
import Primitives

/// `self_signed_tls_client_auth`: a certificate whose key the client has registered, whoever signed it (RFC 8705
/// section 2.2).
struct SelfSignedCertificate: ClientAuthenticationMethod {
    static let name = "self_signed_tls_client_auth"

    var name: String { Self.name }

    var needsCertificate: Bool { true }

    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool {
        request.clientWithoutCredentials(in: context)??.certificateMethod == Self.name
    }

    func authenticate(_ request: ClientRequest, in context: ProviderContext) async throws(OAuthError) -> Client {
        guard let client = request.form["client_id"].flatMap({ context.client($0) }) else {
            throw OAuthError(.invalidClient, "unknown client", cause: "unknown client")
        }
        let certificate = try request.shownCertificate()
        let isRegistered: (JWKSet) -> Bool = { set in set.keys.contains { $0.certifies(certificate) } }
        let keys: JWKSet
        do {
            keys = try await context.clientKeys.keys(of: client, at: request.now, suffices: isRegistered)
        } catch {
            throw OAuthError(.invalidClient, Self.refusal, cause: error.description)
        }
        guard isRegistered(keys) else { throw OAuthError(.invalidClient, Self.refusal, cause: "another key") }
        return client
    }

    private static let refusal = "the key of the client's certificate is none that the client has registered"
}

extension JWK {
    /// Whether this is the key of a certificate. Where the registered key came with a certificate of its own (`x5c`),
    /// it is that one and no other with the same key.
    func certifies(_ certificate: ClientCertificate) -> Bool {
        if let registered = otherMembers["x5c"]?.array?.first {
            guard let text = registered.string, let der = try? Base64.decode(text.utf8.span), der == certificate.der
            else {
                return false
            }
        }
        guard let info = publicKeyInfo else { return false }
        return info == certificate.publicKeyInfo
    }

    /// The public key as the DER of a SubjectPublicKeyInfo (RFC 5280 section 4.1); `nil` for a secret.
    private var publicKeyInfo: [UInt8]? {
        guard let pem = try? publicPEM() else { return nil }
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        return try? Base64.decode(body.utf8.span)
    }
}

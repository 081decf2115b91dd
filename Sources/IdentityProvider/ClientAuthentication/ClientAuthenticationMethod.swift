import JOSE
import OAuth

/// One way in which a client proves who it is (RFC 6749 section 2.3).
protocol ClientAuthenticationMethod: Sendable {
    /// As `token_endpoint_auth_methods_supported` names it.
    var name: String { get }

    /// The algorithms of its signatures, for a method that has some.
    var signingAlgorithms: [SignatureAlgorithm] { get }

    /// Whether clients show a certificate for it, which they do only where they are asked for one.
    var needsCertificate: Bool { get }

    /// Whether the request tries to use this method, rightly or wrongly.
    func isUsed(by request: ClientRequest, in context: ProviderContext) -> Bool

    /// The client that the request proves; `invalid_client` when it proves none.
    func authenticate(_ request: ClientRequest, in context: ProviderContext) async throws(OAuthError) -> Client
}

extension ClientAuthenticationMethod {
    var signingAlgorithms: [SignatureAlgorithm] { [] }

    var needsCertificate: Bool { false }

    /// Whether there is anything here that lets clients use it.
    func isOffered(in context: ProviderContext) -> Bool {
        !needsCertificate || context.configuration.mutualTLSPort != nil
    }
}

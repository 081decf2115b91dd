import OAuth
import Primitives

/// What a client has to know of an authorization server: that part of its metadata by which it acts (RFC 8414 section 2,
/// OpenID Connect Discovery section 3).
///
///     let server = try await Discovery(outbound: outbound).describe(try Issuer("https://id.example"))
///     server.tokenEndpoint.url                                // https://id.example/token
package struct ServerDescription: Hashable, Sendable {
    package let issuer: Issuer
    package var tokenEndpoint: ServerEndpoint
    package var authorizationEndpoint: ServerEndpoint?
    /// RFC 8628 section 4.
    package var deviceAuthorizationEndpoint: ServerEndpoint?
    /// RFC 7009.
    package var revocationEndpoint: ServerEndpoint?
    /// OpenID Connect RP-Initiated Logout section 2.1.
    package var endSessionEndpoint: ServerEndpoint?
    package var userinfoEndpoint: ServerEndpoint?
    /// RFC 9449 section 5.1; `nil`: the server does not say that it takes proofs.
    package var proofAlgorithms: [String]?
    /// Those that may be asked for (RFC 8414 section 2); empty: the server does not say.
    package var scopes: [String] = []
    /// RFC 7636 section 6.2; `nil`: the server does not say.
    package var codeChallengeMethods: [String]?
    /// RFC 9207 section 3: whether each answer to an authorization request names its issuer.
    package var namesIssuerInResponses = false

    /// For a server that is known without asking it.
    package init(issuer: Issuer, tokenEndpoint: ServerEndpoint) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
    }

    /// What makes a login last, and tells who has signed in, as far as the server says that it may be asked for it.
    package var lastingScope: Scope {
        let wanted = ["openid", "offline_access"].filter { name in scopes.contains { sameText($0, name) } }
        return (try? Scope(parsing: wanted.joined(separator: " "))) ?? .empty
    }

    /// Whether the server takes proofs of the one algorithm that this client makes.
    package var takesProofs: Bool {
        proofAlgorithms?.contains { sameText($0, DPoPKey.algorithm) } ?? false
    }
}

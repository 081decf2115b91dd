import JOSE
import OAuth
import Primitives

/// Reads ID tokens that come back to the provider that gave them, as hints of whom a request is about.
///
/// Their expiry does not count, because a hint proves nothing about the user (OpenID Connect Core section 3.1.2.1,
/// RP-Initiated Logout section 2). A token whose key is published no more is refused.
struct IDTokenReader: Sendable {
    let context: ProviderContext

    /// What an ID token of ours says, and to whom it was given.
    struct Contents: Sendable {
        let client: Client
        let subject: String
        let claims: JWTClaims
    }

    /// Why a text is no ID token of ours. For the log alone.
    struct Refusal: Error {
        let cause: String
    }

    /// - Parameters:
    ///   - named: the client that it must have been given to; `nil`: whoever it says.
    ///   - issuer: by which name the provider is asked.
    func read(
        _ text: String, givenTo named: Client?, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(Refusal) -> Contents {
        guard let token = try? UnverifiedJWS(compact: text, limits: .token) else { throw Refusal(cause: "no JWT") }
        guard let signed = try? token.verified(by: keys(for: token, named: named, at: now)) else {
            throw Refusal(cause: "not signed by us")
        }
        // RFC 8725 section 3.11: an access token, or a logout token, is no ID token. A signed answer of the userinfo
        // endpoint has no time of its own.
        guard signed.header.isPayloadEncoded, signed.header.type == TokenType.idToken.header,
            let claims = Self.claims(signed.payload), let subject = claims.subject, claims.issuedAt != nil
        else { throw Refusal(cause: "no ID token") }
        guard let identifier = claims.issuer, context.isOurs(identifier, as: issuer) else {
            throw Refusal(cause: "of another issuer")
        }
        guard let client = client(of: claims, named: named) else { throw Refusal(cause: "of another client") }
        return Contents(client: client, subject: subject, claims: claims)
    }

    private static func claims(_ payload: [UInt8]) -> JWTClaims? {
        (try? JSON(parsing: payload.span))?.object.flatMap { try? JWTClaims($0) }
    }

    /// RP-Initiated Logout section 2: when both are there, `client_id` must be the client that the token was given to.
    private func client(of claims: JWTClaims, named: Client?) -> Client? {
        guard let audience = claims.audience else { return nil }
        if let named { return audience.contains { sameText($0, named.id) } ? named : nil }
        // With several, `azp` says whose token it is (OpenID Connect Core section 2).
        guard let id = audience.count == 1 ? audience[0] : claims["azp"]?.string else { return nil }
        return context.client(id)
    }

    /// The keys of the ring; or, for an algorithm that works with the secret of a client, that secret alone (OpenID
    /// Connect Core section 10.1). Whose, the token itself may say: if it lies, the signature is wrong.
    private func keys(for token: UnverifiedJWS, named: Client?, at now: Timestamp) -> VerificationKeySet {
        guard let algorithm = token.header.algorithm, algorithm.isSymmetric else {
            return context.keyRing.verificationKeys(at: now)
        }
        guard let client = Self.claims(token.unverifiedPayload).flatMap({ client(of: $0, named: named) }),
            algorithm == client.metadata.idTokenAlgorithm ?? context.configuration.idTokens.algorithm,
            let secret = try? client.secretKey(), let key = try? SigningKey(secret, algorithm: algorithm)
        else { return VerificationKeySet([]) }
        return VerificationKeySet([key.verificationKey])
    }
}

extension ProviderContext {
    /// Whether a token with this `iss` is one of ours.
    ///
    /// A key of ours says it already, but a client may have one secret with two providers. A provider that goes by the name
    /// by which it is reached has signed under any of them: then the path alone tells tenants apart.
    func isOurs(_ identifier: String, as issuer: PreparedIssuer) -> Bool {
        switch configuration.issuer {
        case .fixed: sameText(identifier, issuer.identifier)
        case .followsHost: (try? Issuer(identifier)).map { sameText($0.basePath, issuer.issuer.basePath) } ?? false
        }
    }
}

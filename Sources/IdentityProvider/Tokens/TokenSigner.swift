import JOSE
import OAuth
import Primitives

/// Signs tokens of every kind, with the key ring or, where the algorithm is symmetric and the token is for one client,
/// with that client's secret (OpenID Connect Core section 10.1).
struct TokenSigner: Sendable {
    let keyRing: KeyRing
    let batches: any Batching

    struct SignedToken: Sendable {
        let text: String
        let keyID: String
    }

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    func sign(
        _ type: TokenType, with algorithm: SignatureAlgorithm, expiring expiry: Timestamp, at now: Timestamp,
        claims: (inout JSONWriter) -> Void
    ) async throws(OAuthError) -> SignedToken {
        do {
            let key = try keyRing.signingKey(for: algorithm, coveringTokensUntil: expiry, at: now)
            let text = try await key.signer(for: type).sign(in: batches, claims: claims)
            return SignedToken(text: text, keyID: key.keyID)
        } catch {
            throw Self.failure(error)
        }
    }

    /// For a client that shares a secret with us when the algorithm wants one.
    func sign(
        _ type: TokenType, with algorithm: SignatureAlgorithm, for client: Client, expiring expiry: Timestamp,
        at now: Timestamp, claims: (inout JSONWriter) -> Void
    ) async throws(OAuthError) -> SignedToken {
        guard algorithm.isSymmetric else {
            return try await sign(type, with: algorithm, expiring: expiry, at: now, claims: claims)
        }
        do {
            let key = try SigningKey(client.secretKey(), algorithm: algorithm)
            let signer = JWTSigner(key: key, type: type.header, namesKey: false)
            return SignedToken(text: try signer.sign(claims: claims), keyID: key.keyID)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> OAuthError {
        OAuthError(.serverError, "the token could not be signed", cause: "\(error)")
    }
}

extension Client {
    /// The secret as a key for the HMAC algorithms (OpenID Connect Core section 10.1).
    package func secretKey() throws(JWKError) -> JWK {
        guard let secret else { throw .missingMember("k") }
        return JWK(.symmetric(secret.value))
    }
}

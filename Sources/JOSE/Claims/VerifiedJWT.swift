import Primitives

/// A token with a valid signature by a trusted key, and claims that a policy accepted. Only the verification in this
/// file can make one.
package struct VerifiedJWT: Sendable {
    package let claims: JWTClaims
    package let header: JOSEHeader
    package let algorithm: SignatureAlgorithm
    package let keyID: String?

    fileprivate init(claims: JWTClaims, signed: VerifiedJWS) {
        self.claims = claims
        header = signed.header
        algorithm = signed.algorithm
        keyID = signed.keyID
    }
}

extension JWTPolicy {
    /// Verifies a token in the compact serialisation: its signature, its type, its claims, in this order, so that what
    /// is said about a forged token does not depend on its claims.
    package func verify(
        _ token: String, keys: VerificationKeySet, at now: Timestamp
    ) throws(JWTError) -> VerifiedJWT {
        let signed: VerifiedJWS
        do {
            signed = try UnverifiedJWS(compact: token, limits: limits).verified(by: keys)
        } catch {
            throw .signature(error)
        }
        guard signed.header.isPayloadEncoded else { throw .unencodedPayload }
        try requireType(signed.header.type)
        let claims = try JWTClaims(parsing: signed.payload.span)
        try requireClaims(claims, at: now)
        return VerifiedJWT(claims: claims, signed: signed)
    }

    /// Judges the claims of a token that was verified before, at another time or by another policy. Its signature and its
    /// type stay what they were found to be.
    package func requireClaims(of token: VerifiedJWT, at now: Timestamp) throws(JWTError) {
        try requireClaims(token.claims, at: now)
    }
}

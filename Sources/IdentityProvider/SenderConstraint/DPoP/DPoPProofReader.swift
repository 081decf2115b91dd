import Crypto
import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Judges proofs of possession (RFC 9449 section 4.3). What is left for later is whether a proof is new.
package struct DPoPProofReader: Sendable {
    let policy: ProofPolicy
    let nonces: ProofNonces

    package init(policy: ProofPolicy, nonces: ProofNonces) {
        self.policy = policy
        self.nonces = nonces
    }

    /// The `typ` of a proof.
    static let type = "dpop+jwt"
    /// Longer than any honest identifier; it has to be remembered.
    static let maximumIdentifierByteCount = 256
    static let algorithms = SignatureAlgorithm.asymmetric
    /// A proof is a header with a key and four claims; the largest RSA key needs less.
    private static let limits = JWSLimits(objectBytes: 8 << 10, headerBytes: 4 << 10, signatures: 1)

    /// What a proof must be about.
    package struct Expectation: Sendable {
        let method: HTTPRequest.Method
        /// The names of the URL that was asked.
        let urls: [TargetURL]
        /// The access token that comes with the request, where one does.
        let accessToken: String?

        package init(method: HTTPRequest.Method, urls: [TargetURL], accessToken: String? = nil) {
            self.method = method
            self.urls = urls
            self.accessToken = accessToken
        }
    }

    /// - Parameter urls: the names of the URL that was asked: found out only where there is a proof.
    /// - Returns: `nil` when the request has no proof.
    package func proof(
        of request: ServerRequest, to urls: @autoclosure () -> [TargetURL], with accessToken: String? = nil,
        at now: Timestamp
    ) throws(OAuthError) -> DPoPProof? {
        let sent = request.head.headerFields[values: .dpop]
        guard let text = sent.first else { return nil }
        // Rule 1: there is not more than one DPoP field.
        guard sent.count == 1 else { throw Self.refused("there is more than one DPoP header") }
        return try proof(
            text, for: Expectation(method: request.head.method, urls: urls(), accessToken: accessToken), at: now)
    }

    package func proof(_ text: String, for expectation: Expectation, at now: Timestamp) throws(OAuthError) -> DPoPProof
    {
        let (token, key) = try verify(text, at: now)
        let claims = token.claims
        // Rule 8: htm matches the method of the request, letter by letter.
        guard let method = claims["htm"]?.string, sameText(method, expectation.method.rawValue) else {
            throw Self.refused("htm is not the method of this request")
        }
        // Rule 9: htu matches the URL of the request, without query and fragment.
        guard let url = claims["htu"]?.string.flatMap({ TargetURL($0) }), expectation.urls.contains(url) else {
            throw Self.refused("htu is not the URL of this request")
        }
        try requireAccessToken(expectation.accessToken, in: claims)
        let wantsNonce = try requireNonce(claims, at: now)
        // Rule 3, and section 11.1: the length of what has to be remembered has a limit.
        guard let identifier = claims.tokenID, (1...Self.maximumIdentifierByteCount).contains(identifier.utf8.count)
        else { throw Self.refused("jti is empty, or longer than \(Self.maximumIdentifierByteCount) bytes") }
        guard let issuedAt = claims.issuedAt else { throw Self.refused("iat is missing") }
        return DPoPProof(
            thumbprint: key.thumbprint(), identifier: identifier, expires: issuedAt + policy.leeway + .seconds(1),
            wantsNonce: wantsNonce)
    }

    /// Rules 2 to 7 and 11: form, required claims, type, algorithm, signature, key, time.
    private func verify(_ text: String, at now: Timestamp) throws(OAuthError) -> (VerifiedJWT, JWK) {
        let header: JOSEHeader
        do { header = try UnverifiedJWS(compact: text, limits: Self.limits).header } catch {
            throw Self.refused(error.description)
        }
        let (key, algorithm) = try Self.key(of: header)
        let policy = JWTPolicy(
            issuer: .unchecked, audience: .unchecked, type: .exactly(Self.type), leeway: policy.leeway,
            requiredClaims: ["jti", "htm", "htu", "iat"], maximumAge: .zero, limits: Self.limits)
        do {
            let verificationKey = try VerificationKey(key, algorithm: algorithm)
            return (try policy.verify(text, keys: VerificationKeySet([verificationKey]), at: now), key)
        } catch let error as JWTError {
            throw Self.refused(error.description)
        } catch {
            throw Self.refused("\(error)")
        }
    }

    /// Rule 5: alg is asymmetric and supported. Rule 7: jwk has no private key, nor is it a secret.
    private static func key(of header: JOSEHeader) throws(OAuthError) -> (JWK, SignatureAlgorithm) {
        guard let algorithm = header.algorithm, algorithms.contains(algorithm) else {
            throw refused("alg is not one of \(algorithms.map(\.name).joined(separator: " "))")
        }
        guard let json = header.protected["jwk"] else { throw refused("the header has no jwk") }
        let key: JWK
        do { key = try JWK(json: json) } catch { throw refused(error.description) }
        guard case .publicKey = key.material else { throw refused("jwk must be a public key and nothing more") }
        return (key, algorithm)
    }

    /// Rule 12, and section 7: with an access token there is an ath, and it is that token's.
    private func requireAccessToken(_ accessToken: String?, in claims: JWTClaims) throws(OAuthError) {
        guard let accessToken else { return }
        guard let hash = claims["ath"]?.string else { throw Self.refused("ath is missing") }
        guard sameText(hash, Self.hash(of: accessToken)) else {
            throw Self.refused("ath is not the hash of the access token")
        }
    }

    /// Section 4.2: the Base64URL of the SHA-256 of the token.
    package static func hash(of accessToken: String) -> String {
        Base64URL.encode(HashFunction.sha256.digest(Array(accessToken.utf8).span))
    }

    /// Rule 10: when the provider gave a nonce, the nonce claim matches it. One that is there is checked in any case.
    ///
    /// - Returns: whether the client should have a new one.
    private func requireNonce(_ claims: JWTClaims, at now: Timestamp) throws(OAuthError) -> Bool {
        guard let claim = claims["nonce"] else {
            guard policy.nonce == .optional else {
                throw OAuthError(.useDPoPNonce, "the proof must carry the nonce that stands in DPoP-Nonce")
            }
            return false
        }
        guard let nonce = claim.string else { throw Self.refused("nonce is no text") }
        switch nonces.judge(nonce, lifetime: policy.nonceLifetime, at: now) {
        case .fresh: return false
        case .ageing: return true
        case .bad:
            throw OAuthError(.useDPoPNonce, "the nonce of the proof is not good (any more); the one in DPoP-Nonce is")
        }
    }

    static func refused(_ reason: String) -> OAuthError {
        OAuthError(.invalidDPoPProof, "the DPoP proof was refused: \(reason)")
    }
}

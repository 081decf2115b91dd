import JOSE

extension VerificationKeySet {
    /// The keys that somebody registered to sign assertions with. A key that says which algorithm it is for is bound to
    /// that one. An RSA key that does not say may be used with each that fits it: RFC 7517 section 4.4 makes `alg`
    /// optional. None is ever a secret for an HMAC.
    static func asserting(_ keys: JWKSet?) -> VerificationKeySet {
        VerificationKeySet(
            (keys?.keys ?? []).flatMap { key -> [VerificationKey] in
                if let bound = try? VerificationKey(key) { return bound.algorithm.isSymmetric ? [] : [bound] }
                return SignatureAlgorithm.allCases.filter { !$0.isSymmetric }
                    .compactMap { try? VerificationKey(key, algorithm: $0) }
            })
    }
}

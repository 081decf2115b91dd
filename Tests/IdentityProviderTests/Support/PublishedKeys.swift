import IdentityProvider
import JOSE
import Primitives

extension KeyRing {
    /// The identifiers of the published keys, in their order, as anybody outside sees them.
    func publishedKeyIDs(at now: Timestamp) throws -> [String] {
        let bytes = published(at: now).bytes
        return try JWKSet(parsing: bytes.span).keys.map { $0.keyID ?? "-" }
    }

    /// Signs as the token endpoint does; gives the identifier of the key.
    @discardableResult
    func sign(_ algorithm: SignatureAlgorithm = .es256, for lifetime: Duration, at now: Timestamp) throws -> String {
        try signingKey(for: algorithm, coveringTokensUntil: now + lifetime, at: now).keyID
    }
}

extension KeyRing.State {
    func activeKeyIDs(of algorithm: SignatureAlgorithm = .es256) -> [String] {
        keys.filter { $0.role == .active && $0.key.algorithm == algorithm }.map(\.key.keyID)
    }
}

extension SigningKey {
    /// A key that is told by its name.
    static func named(_ keyID: String, _ algorithm: SignatureAlgorithm = .es256) throws -> SigningKey {
        try .generate(algorithm, keyID: keyID)
    }
}

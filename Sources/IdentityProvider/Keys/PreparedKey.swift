import JOSE

/// A key with a signer for each kind of token, whose headers are encoded once.
package final class PreparedKey: Sendable {
    package let keyID: String
    private let signers: [JWTSigner]

    init(_ key: SigningKey) {
        keyID = key.keyID
        signers = TokenType.allCases.map { JWTSigner(key: key, type: $0.header) }
    }

    func signer(for type: TokenType) -> JWTSigner { signers[type.rawValue] }
}

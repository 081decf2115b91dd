import Crypto
import JOSE
import Primitives

/// One key per algorithm, made once: RSA keys are slow to make.
enum TestKeys {
    static let rsa = try! PrivateKey.generate(.rsa(bits: 2048))

    private static let keys: [SignatureAlgorithm: SigningKey] = {
        var keys: [SignatureAlgorithm: SigningKey] = [:]
        for algorithm in SignatureAlgorithm.allCases {
            keys[algorithm] =
                algorithm.keyType == .rsa
                ? try! SigningKey(JWK(.privateKey(rsa)), algorithm: algorithm, keyID: "key-\(algorithm)")
                : try! SigningKey.generate(algorithm, keyID: "key-\(algorithm)")
        }
        return keys
    }()

    static func key(_ algorithm: SignatureAlgorithm) -> SigningKey { keys[algorithm]! }

    /// A key that nobody trusts, for the same algorithm and under the same name.
    static func stranger(_ algorithm: SignatureAlgorithm) -> SigningKey {
        try! SigningKey.generate(algorithm, keyID: "key-\(algorithm)")
    }

    static let everything = VerificationKeySet(SignatureAlgorithm.allCases.map { key($0).verificationKey })
}

import Crypto
import Primitives

/// A private or symmetric key that signs with exactly one algorithm, prepared to do so many times.
///
///     let key = try SigningKey.generate(.es256)
///     let token = try JWTSigner(key: key, type: "at+jwt").sign(["sub": "alice"])
package struct SigningKey: Sendable {
    private enum Mechanism: Sendable {
        case hmac(HMAC)
        case signer(Signer)
    }

    package let algorithm: SignatureAlgorithm
    /// What goes into `kid`: given, or the key's own, or its thumbprint (RFC 7638). The thumbprint of a secret tells
    /// nobody more than a token signed with it does: both let one test a guess.
    package let keyID: String
    /// The private key, with `alg` and `kid` set.
    package let jwk: JWK
    /// What verifies the signatures of this key.
    package let verificationKey: VerificationKey
    private let mechanism: Mechanism

    /// Binds the key to `algorithm`, or to the one that follows from the key itself: from its `alg`, or its curve.
    package init(_ jwk: JWK, algorithm: SignatureAlgorithm? = nil, keyID: String? = nil) throws(JWKError) {
        try jwk.requirePermission(for: .sign)
        let algorithm = try jwk.bindingAlgorithm(algorithm)
        switch (algorithm.mechanism, jwk.material) {
        case (.hmac(let hash), .symmetric(let secret)):
            mechanism = .hmac(try HMAC(hash, checkedKey: secret))
        case (.asymmetric(let scheme), .privateKey(let key)):
            do { mechanism = .signer(try Signer(key, scheme: scheme)) } catch { throw .refused(error) }
        case (.asymmetric, .publicKey):
            throw .privateKeyNeeded
        default:
            throw .unfit(algorithm)
        }
        var jwk = jwk
        jwk.algorithm = algorithm.name
        let keyID = keyID ?? jwk.keyID ?? jwk.thumbprint()
        jwk.keyID = keyID
        if jwk.use == nil, jwk.keyOperations == nil { jwk.use = JWK.useForSignatures }
        self.algorithm = algorithm
        self.keyID = keyID
        self.jwk = jwk
        verificationKey = try VerificationKey(counterpartOf: jwk, algorithm: algorithm)
    }

    /// A fresh key for the algorithm.
    ///
    /// - Parameter rsaBits: the size of the modulus, for the algorithms that have one.
    package static func generate(
        _ algorithm: SignatureAlgorithm, keyID: String? = nil, rsaBits: Int = 2048
    ) throws(JWKError) -> SigningKey {
        let material: KeyMaterial
        switch algorithm.mechanism {
        case .hmac(let hash):
            material = .symmetric(Secret(randomByteCount: hash.byteCount, from: SystemRandom()))
        case .asymmetric(let scheme):
            do {
                material = .privateKey(try PrivateKey.generate(scheme.keyKind(rsaBits: rsaBits)))
            } catch {
                throw .refused(error)
            }
        }
        return try SigningKey(JWK(material), algorithm: algorithm, keyID: keyID)
    }

    /// The key to publish; nil for a secret, of which nothing may be published.
    package var publicJWK: JWK? { jwk.publicJWK }

    /// The signature over the message.
    package func sign(_ message: Span<UInt8>) throws(JWSError) -> [UInt8] {
        switch mechanism {
        case .hmac(let hmac):
            var code: [UInt8] = []
            hmac.append(codeFor: message, to: &code)
            return code
        case .signer(let signer):
            do { return try signer.sign(message) } catch { throw .signingFailed(error) }
        }
    }

    /// What makes several signatures in less time than each of them would take, if anything does.
    var batchSigner: Signer? {
        guard case .signer(let signer) = mechanism, signer.isFasterForSeveral else { return nil }
        return signer
    }

    /// The length of every signature of this key.
    package var signatureByteCount: Int {
        switch mechanism {
        case .hmac(let hmac): hmac.hash.byteCount
        case .signer(let signer): signer.signatureByteCount
        }
    }
}

extension SignatureScheme {
    /// The kind of key that the scheme takes.
    fileprivate func keyKind(rsaBits: Int) -> PrivateKey.Kind {
        switch self {
        case .rsaPKCS1, .rsaPSS: .rsa(bits: rsaBits)
        case .ecdsa(let curve, _): .ec(curve)
        case .ed25519: .ed25519
        }
    }
}

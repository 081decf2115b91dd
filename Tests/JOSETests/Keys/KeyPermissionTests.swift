import Crypto
import JOSE
import Primitives
import Testing

/// What a key says about its own use (RFC 7517 sections 4.2 to 4.4) binds whoever uses it.
@Suite struct KeyPermissionTests {
    private func key(
        _ algorithm: SignatureAlgorithm = .es256, use: String? = nil, operations: [String]? = nil, alg: String? = nil
    ) -> JWK {
        JWK(TestKeys.key(algorithm).jwk.material, use: use, keyOperations: operations, algorithm: alg)
    }

    @Test(arguments: ["enc", "", "SIG", "sign"])
    func refusesAKeyThatIsNotForSignatures(_ use: String) {
        #expect(throws: JWKError.notForSignatures) { try SigningKey(key(use: use)) }
        #expect(throws: JWKError.notForSignatures) { try VerificationKey(key(use: use)) }
    }

    @Test(arguments: [[], ["sign"], ["encrypt", "wrapKey"], ["Verify"]])
    func refusesToVerifyWithoutTheOperation(_ operations: [String]) {
        #expect(throws: JWKError.operationNotPermitted("verify")) { try VerificationKey(key(operations: operations)) }
    }

    @Test(arguments: [[], ["verify"], ["deriveKey"], ["SIGN"]])
    func refusesToSignWithoutTheOperation(_ operations: [String]) {
        #expect(throws: JWKError.operationNotPermitted("sign")) { try SigningKey(key(operations: operations)) }
    }

    @Test func acceptsTheOperationsThatItNeeds() throws {
        _ = try SigningKey(key(use: "sig", operations: ["sign"]))
        _ = try VerificationKey(key(use: "sig", operations: ["verify", "encrypt"]))
    }

    @Test(arguments: ["ES384", "RS256", "HS256", "EdDSA"])
    func refusesAKeyWhoseAlgorithmDoesNotFitItsType(_ alg: String) throws {
        let named = try #require(SignatureAlgorithm(named: alg))
        #expect(throws: JWKError.unfit(named)) { try SigningKey(key(alg: alg)) }
        #expect(throws: JWKError.unfit(named)) { try VerificationKey(key(alg: alg)) }
    }

    @Test func refusesAKeyWhoseAlgorithmContradictsTheOneAskedFor() {
        #expect(throws: JWKError.algorithmContradictsKey(.rs384)) {
            try VerificationKey(key(.rs256, alg: "RS256"), algorithm: .rs384)
        }
        #expect(throws: JWKError.algorithmContradictsKey(.ps256)) {
            try SigningKey(key(.rs256, alg: "RS256"), algorithm: .ps256)
        }
    }

    @Test(arguments: ["RSA-OAEP", "ECDH-ES", "none", "es256", ""])
    func refusesAKeyForAnAlgorithmThatIsNotKnown(_ alg: String) {
        #expect(throws: JWKError.algorithmContradictsKey(nil)) { try VerificationKey(key(alg: alg)) }
        #expect(throws: JWKError.algorithmContradictsKey(.es256)) { try SigningKey(key(alg: alg), algorithm: .es256) }
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .hs256])
    func refusesToGuessAnAlgorithm(_ algorithm: SignatureAlgorithm) {
        #expect(throws: JWKError.algorithmUndecided) { try SigningKey(key(algorithm)) }
        #expect(throws: JWKError.algorithmUndecided) { try VerificationKey(key(algorithm)) }
    }

    /// RFC 7518 section 3.2: a key of the same size as the hash output or larger MUST be used.
    @Test(arguments: [(SignatureAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
    func refusesASecretShorterThanTheHash(_ algorithm: SignatureAlgorithm, length: Int) throws {
        for short in [0, 1, 16, length - 1] {
            let key = JWK(.symmetric(Secret([UInt8](repeating: 7, count: short))))
            let expected = JWKError.secretTooShort(minimumByteCount: length)
            #expect(throws: expected) { try SigningKey(key, algorithm: algorithm) }
            #expect(throws: expected) { try VerificationKey(key, algorithm: algorithm) }
        }
        _ = try SigningKey(JWK(.symmetric(Secret([UInt8](repeating: 7, count: length)))), algorithm: algorithm)
    }

    @Test func refusesToSignWithAPublicKey() throws {
        for algorithm in [SignatureAlgorithm.es256, .edDSA, .rs256] {
            let key = try #require(TestKeys.key(algorithm).publicJWK)
            #expect(throws: JWKError.privateKeyNeeded) { try SigningKey(key) }
        }
    }

    @Test func namesAKeyByItsThumbprintUnlessToldOtherwise() throws {
        let key = try SigningKey.generate(.es256)
        #expect(key.keyID == key.jwk.thumbprint())
        #expect(key.publicJWK?.keyID == key.keyID)
        #expect(try SigningKey(JWK(key.jwk.material, keyID: "own")).keyID == "own")
        #expect(try SigningKey(JWK(key.jwk.material, keyID: "own"), keyID: "given").keyID == "given")
    }

    @Test func saysWhatAKeyIsForWhenItIsPublished() throws {
        let json = try #require(SigningKey.generate(.edDSA, keyID: "a").publicJWK?.json(.publicOnly))
        #expect(json["use"] == "sig")
        #expect(json["alg"] == "EdDSA")
        #expect(json["kid"] == "a")
    }
}

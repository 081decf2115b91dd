import Crypto
import JOSE
import Primitives
import Testing

/// A key verifies one algorithm, and a header cannot change that (RFC 8725 sections 3.1 and 3.2).
@Suite struct KeyBindingTests {
    @Test(arguments: SignatureAlgorithm.allCases, SignatureAlgorithm.allCases)
    func refusesEveryAlgorithmButTheKeys(_ signed: SignatureAlgorithm, bound: SignatureAlgorithm) throws {
        let object = try UnverifiedJWS(
            compact: JWSSigner(key: TestKeys.key(signed), protected: [:]).compact([1, 2, 3]))
        let key = TestKeys.key(bound).verificationKey
        if signed == bound {
            #expect(try object.verified(by: key).payload == [1, 2, 3])
        } else {
            #expect(throws: JWSError.algorithmNotBoundToKey) { try object.verified(by: key) }
            #expect(throws: JWSError.algorithmNotBoundToKey) { try object.verified(by: VerificationKeySet([key])) }
        }
    }

    /// The published key, in every form an attacker could feed to HMAC, as a secret that is no secret.
    @Test(arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func refusesThePublicRSAKeyAsAnHMACSecret(_ algorithm: SignatureAlgorithm) throws {
        let trusted = TestKeys.key(.rs256)
        let publicKey = try #require(trusted.publicJWK)
        let json = try #require(publicKey.json(.publicOnly))
        let forms = [
            [UInt8](try publicKey.publicPEM().utf8),
            json.serialised(),
            try Base64URL.decode(try #require(json["n"]?.string)),
        ]
        for form in forms {
            let forger = try SigningKey(JWK(.symmetric(Secret(form))), algorithm: algorithm, keyID: trusted.keyID)
            let object = try UnverifiedJWS(compact: JWSSigner(key: forger).compact([1]))
            #expect(throws: JWSError.algorithmNotBoundToKey) { try object.verified(by: trusted.verificationKey) }
            let keys = VerificationKeySet([trusted.verificationKey])
            #expect(throws: JWSError.algorithmNotBoundToKey) { try object.verified(by: keys) }
        }
    }

    @Test func cannotBindAPublicKeyToHMAC() throws {
        let publicKey = JWK(.publicKey(TestKeys.rsa.publicKey))
        #expect(throws: JWKError.unfit(.hs256)) { try VerificationKey(publicKey, algorithm: .hs256) }
        #expect(throws: JWKError.unfit(.hs256)) { try SigningKey(publicKey, algorithm: .hs256) }
    }

    /// RFC 7518 section 3.4: ES256 is P-256 with SHA-256 and nothing else, and so on.
    @Test(arguments: [Curve.p256, .p384, .p521], [SignatureAlgorithm.es256, .es384, .es512, .edDSA, .rs256, .hs256])
    func refusesTheWrongCurveForTheAlgorithm(_ curve: Curve, algorithm: SignatureAlgorithm) throws {
        let right: [Curve: SignatureAlgorithm] = [.p256: .es256, .p384: .es384, .p521: .es512]
        let key = JWK(.privateKey(try PrivateKey.generate(.ec(curve))))
        if right[curve] == algorithm {
            #expect(try SigningKey(key).algorithm == algorithm)
        } else {
            #expect(throws: JWKError.unfit(algorithm)) { try SigningKey(key, algorithm: algorithm) }
            #expect(throws: JWKError.unfit(algorithm)) { try VerificationKey(key, algorithm: algorithm) }
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func refusesATokenSignedWithAnotherKey(_ algorithm: SignatureAlgorithm) throws {
        guard algorithm.keyType != .rsa || algorithm == .rs256 else { return }
        let token = try JWSSigner(key: TestKeys.stranger(algorithm)).compact([1, 2, 3])
        let object = try UnverifiedJWS(compact: token)
        #expect(throws: JWSError.signatureInvalid) {
            try object.verified(by: TestKeys.key(algorithm).verificationKey)
        }
        #expect(throws: JWSError.signatureInvalid) { try object.verified(by: TestKeys.everything) }
    }

    @Test func refusesAnotherKeyID() throws {
        let key = TestKeys.key(.es256)
        let object = try UnverifiedJWS(compact: JWSSigner(key: key, protected: ["kid": "other"]).compact([1]))
        #expect(throws: JWSError.keyIDMismatch) { try object.verified(by: key.verificationKey) }
        #expect(throws: JWSError.noKey) { try object.verified(by: TestKeys.everything) }
    }

    /// The Kelvin sign is not a K, though Swift takes the two texts for equal.
    @Test func comparesKeyIDsByteByByte() throws {
        let key = try SigningKey(TestKeys.key(.es256).jwk, keyID: "K")
        let object = try UnverifiedJWS(compact: JWSSigner(key: key, protected: ["kid": "\u{212A}"]).compact([1]))
        #expect(throws: JWSError.keyIDMismatch) { try object.verified(by: key.verificationKey) }
        #expect(throws: JWSError.noKey) { try object.verified(by: VerificationKeySet([key.verificationKey])) }
    }

    @Test func findsTheKeyOfAHeaderWithoutKeyID() throws {
        let object = try UnverifiedJWS(compact: JWSSigner(key: TestKeys.key(.es384), protected: [:]).compact([1]))
        #expect(try object.verified(by: TestKeys.everything).keyID == "key-ES384")
    }

    /// Without `kid`, keys of other algorithms have nothing to say about the signature.
    @Test func saysThatTheSignatureIsInvalidWhenNoKeyOfTheAlgorithmMadeIt() throws {
        let object = try UnverifiedJWS(compact: JWSSigner(key: TestKeys.stranger(.hs256), protected: [:]).compact([1]))
        #expect(throws: JWSError.signatureInvalid) { try object.verified(by: TestKeys.everything) }
    }

    @Test func refusesEverythingWithoutKeys() throws {
        let object = try UnverifiedJWS(compact: JWSSigner(key: TestKeys.key(.es384)).compact([1]))
        #expect(throws: JWSError.noKey) { try object.verified(by: VerificationKeySet([])) }
    }

    /// RFC 8725 section 3.10, RFC 7515 section 10.1: what a header says about keys is said by whoever wrote it.
    @Test func neverTrustsAKeyInTheHeader() throws {
        let trusted = TestKeys.key(.es256)
        let attacker = try SigningKey.generate(.es256, keyID: trusted.keyID)
        let embedded = try #require(attacker.publicJWK?.json(.publicOnly))
        let headers: [JSONObject] = [
            ["jwk": embedded],
            ["jku": "https://attacker.example/jwks.json"],
            ["x5u": "https://attacker.example/certificate.pem"],
            ["x5c": ["MIIB"]],
            ["jwk": embedded, "kid": .string(trusted.keyID)],
            ["jwk": embedded, "kid": .string(trusted.keyID), "jku": "https://attacker.example/", "x5c": ["MIIB"]],
        ]
        for header in headers {
            let object = try UnverifiedJWS(compact: JWSSigner(key: attacker, protected: header).compact([1]))
            #expect(throws: JWSError.signatureInvalid) { try object.verified(by: trusted.verificationKey) }
            #expect(throws: JWSError.signatureInvalid) {
                try object.verified(by: VerificationKeySet([trusted.verificationKey]))
            }
        }
    }

    /// An attacker's `kid` points at a real key of another algorithm.
    @Test func refusesAKeyIDThatNamesAKeyOfAnotherAlgorithm() throws {
        let attacker = try SigningKey.generate(.hs256, keyID: "key-RS256")
        let object = try UnverifiedJWS(compact: JWSSigner(key: attacker).compact([1]))
        #expect(throws: JWSError.algorithmNotBoundToKey) { try object.verified(by: TestKeys.everything) }
    }
}

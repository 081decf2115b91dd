import Crypto
import JOSE
import Primitives
import Testing

@Suite struct JWKSetTests {
    private static let usable = TestKeys.key(.es256).publicJWK!.json(.publicOnly)!

    /// RFC 7517 section 5: keys that are not understood SHOULD be ignored.
    @Test func leavesOutWhatItDoesNotUnderstand() throws {
        let json: JSON = [
            "keys": [
                ["kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"],
                ["kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"],
                Self.usable,
                ["kty": "RSA", "n": "AQAB", "e": "AQAB"],
                ["kty": "OKP", "crv": "X25519", "x": "AA"],
                ["kty": "oct"],
            ]
        ]
        let set = try JWKSet(json: json)
        #expect(set.keys.count == 1)
        #expect(Set(set.skipped.keys) == [0, 1, 3, 4, 5])
        #expect(set.skipped[1] == .unsupportedCurve)
        #expect(VerificationKeySet(set).keys.count == 1)
    }

    @Test(arguments: [JSON.null, [], [:], ["keys": [:]], ["keys": [1]], ["keys": nil]])
    func refusesWhatIsNotAKeySet(_ json: JSON) {
        #expect(throws: JWKError.notAKeySet) { try JWKSet(json: json) }
    }

    @Test func refusesTooManyKeys() throws {
        let limit = JWKSet.maximumCount
        let most: JSON = ["keys": .array(Array(repeating: Self.usable, count: limit))]
        #expect(try JWKSet(json: most).keys.count == limit)
        let more: JSON = ["keys": .array(Array(repeating: Self.usable, count: limit + 1))]
        #expect(throws: JWKError.tooManyKeys(limit: limit)) { try JWKSet(json: more) }
    }

    @Test func findsAKeyByItsIdentifier() throws {
        let set = JWKSet([TestKeys.key(.es256).jwk, TestKeys.key(.es384).jwk])
        #expect(set["key-ES384"]?.thumbprint() == TestKeys.key(.es384).jwk.thumbprint())
        #expect(set["key-es384"] == nil)
    }

    @Test func leavesOutKeysForEncryption() throws {
        let jwk = JWK(TestKeys.key(.es256).jwk.material, use: "enc")
        #expect(VerificationKeySet(JWKSet([jwk])).keys.isEmpty)
    }

    /// Many providers publish RSA keys without `alg`: the verifier says what they are for, never the token.
    @Test func bindsKeysWithoutAnAlgorithmToTheOneThatTheVerifierNames() throws {
        let set = JWKSet([JWK(.publicKey(TestKeys.rsa.publicKey))])
        #expect(VerificationKeySet(set).keys.isEmpty)
        #expect(VerificationKeySet(set, algorithms: [.es256, .ps256, .rs256]).keys.map(\.algorithm) == [.ps256])
        let labelled = JWKSet([JWK(.publicKey(TestKeys.rsa.publicKey), algorithm: "RSA-OAEP")])
        #expect(VerificationKeySet(labelled, algorithms: [.rs256]).keys.isEmpty)
    }

    /// RFC 7517 section 4.5: keys of different types may share a `kid`.
    @Test func tellsKeysOfOneIdentifierApartByTheirAlgorithm() throws {
        let first = try SigningKey.generate(.es256, keyID: "same")
        let second = try SigningKey.generate(.edDSA, keyID: "same")
        let third = try SigningKey.generate(.es256, keyID: "same")
        let keys = VerificationKeySet([first, second, third].map(\.verificationKey))
        for key in [first, second, third] {
            let object = try UnverifiedJWS(compact: JWSSigner(key: key).compact([1]))
            #expect(try object.verified(by: keys).algorithm == key.algorithm)
        }
    }
}

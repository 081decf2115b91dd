import Crypto
import JOSE
import Primitives
import Testing

@Suite struct JWKReadingTests {
    private static func members(_ algorithm: SignatureAlgorithm) -> JSONObject {
        TestKeys.key(algorithm).jwk.json(.includingPrivate)?.object ?? [:]
    }

    private func refusal(of object: JSONObject) -> JWKError? {
        do throws(JWKError) {
            _ = try JWK(json: .object(object))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func readsWhatItWrites(_ algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm).jwk
        let json = try #require(key.json(.includingPrivate))
        #expect(try JWK(parsing: json.text()) == key)
        #expect(try JWK(json: json).thumbprint() == key.thumbprint())
    }

    @Test(arguments: SignatureAlgorithm.allCases.filter { !$0.isSymmetric })
    func publishesNoPrivateMember(_ algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm)
        let json = try #require(key.publicJWK?.json(.includingPrivate)?.object)
        #expect(json == key.jwk.json(.publicOnly)?.object)
        for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] { #expect(json[name] == nil) }
        #expect(try JWK(json: .object(json)).thumbprint() == key.jwk.thumbprint())
        #expect(try JWK(json: .object(json)).isPrivate == false)
    }

    @Test func publishesNothingOfASecret() {
        let key = TestKeys.key(.hs256)
        #expect(key.publicJWK == nil)
        #expect(key.jwk.json(.publicOnly) == nil)
        #expect(JWKSet([key.jwk, TestKeys.key(.es256).jwk]).json(.publicOnly)["keys"]?.array?.count == 1)
    }

    /// A private member of another type of key would otherwise be published as an unknown extension.
    @Test func doesNotPublishAPrivateMemberOfAnotherType() throws {
        var object = Self.members(.es256)
        for name in ["k", "p", "q", "dp", "dq", "qi", "oth"] { object[name] = "c2VjcmV0" }
        object["x5t"] = "harmless"
        let shown = try #require(JWK(json: .object(object)).json(.publicOnly)?.object)
        #expect(Set(shown.names) == ["kty", "kid", "alg", "use", "crv", "x", "y", "x5t"])
    }

    @Test func swapsSignForVerifyInThePublicHalf() throws {
        var object = Self.members(.es256)
        object["use"] = nil
        object["key_ops"] = ["sign"]
        let key = try JWK(json: .object(object))
        #expect(key.publicJWK?.keyOperations == ["verify"])
        #expect(try SigningKey(key).publicJWK?.json(.publicOnly)?["key_ops"] == ["verify"])
    }

    @Test func keepsMembersThatItDoesNotInterpret() throws {
        var object = Self.members(.edDSA)
        object["x5c"] = ["MIIB"]
        object["nbf"] = 5
        #expect(try JWK(json: .object(object)).json(.includingPrivate) == .object(object))
    }

    @Test(arguments: ["[]", "null", #""kty""#, "1"])
    func refusesAKeyThatIsNotAnObject(_ text: String) {
        #expect(throws: JWKError.notAnObject) { try JWK(parsing: text) }
    }

    @Test(arguments: ["", "{", #"{"kty":"oct","kty":"RSA"}"#])
    func refusesWhatIsNotJSON(_ text: String) {
        #expect {
            try JWK(parsing: text)
        } throws: { error in
            if case .malformed? = error as? JWKError { true } else { false }
        }
    }

    @Test(arguments: ["oct2", "rsa", "Oct", "ec", "", "okp", "AKP"])
    func refusesAKeyTypeThatIsNotKnown(_ type: String) {
        #expect(refusal(of: ["kty": .string(type)]) == .unsupportedKeyType)
    }

    @Test func refusesAMissingOrMistypedKeyType() {
        #expect(refusal(of: [:]) == .missingMember("kty"))
        #expect(refusal(of: ["kty": 1]) == .memberOfWrongType("kty"))
    }

    @Test(arguments: ["secp256k1", "P-192", "p-256", "Ed25519", "brainpoolP256r1", ""])
    func refusesACurveThatIsNotKnown(_ curve: String) {
        var object = Self.members(.es256)
        object["crv"] = .string(curve)
        #expect(refusal(of: object) == .unsupportedCurve)
    }

    @Test(arguments: ["Ed448", "X25519", "X448", "ed25519", "P-256"])
    func refusesAnotherOctetKeyPair(_ curve: String) {
        var object = Self.members(.edDSA)
        object["crv"] = .string(curve)
        #expect(refusal(of: object) == .unsupportedCurve)
    }

    static let requiredMembers: [(SignatureAlgorithm, String)] = [
        (.hs256, "k"), (.rs256, "n"), (.rs256, "e"), (.es256, "crv"), (.es256, "x"), (.es256, "y"), (.edDSA, "crv"),
        (.edDSA, "x"),
    ]

    @Test(arguments: requiredMembers)
    func refusesAMissingMember(_ algorithm: SignatureAlgorithm, name: String) {
        var object = Self.members(algorithm)
        object[name] = nil
        #expect(refusal(of: object) == .missingMember(name))
    }

    @Test(arguments: requiredMembers + [(.rs256, "d"), (.es256, "d"), (.edDSA, "d"), (.rs256, "qi")])
    func refusesAMemberOfAnotherType(_ algorithm: SignatureAlgorithm, name: String) {
        var object = Self.members(algorithm)
        object[name] = 1
        #expect(refusal(of: object) == .memberOfWrongType(name))
    }

    @Test(arguments: requiredMembers.filter { $0.1 != "crv" } + [(.rs256, "d"), (.es256, "d"), (.edDSA, "d")])
    func refusesAMemberThatIsNotCanonicalBase64URL(_ algorithm: SignatureAlgorithm, name: String) throws {
        var object = Self.members(algorithm)
        let text = try #require(object[name]?.string)
        for spoilt in [text + "=", text + "\n", " " + text, "+" + text.dropFirst()] {
            object[name] = .string(spoilt)
            #expect(refusal(of: object) == .notBase64URL(name))
        }
    }

    /// RFC 7518 section 2: a Base64urlUInt has the minimum number of octets.
    @Test(arguments: ["n", "e", "d", "p", "q", "dp", "dq", "qi"])
    func refusesLeadingZerosInRSANumbers(_ name: String) throws {
        var object = Self.members(.rs256)
        let bytes = try Base64URL.decode(try #require(object[name]?.string))
        object[name] = .string(Base64URL.encode([0] + bytes))
        #expect(refusal(of: object) == .leadingZeros(name))
        object[name] = ""
        #expect(refusal(of: object) == .leadingZeros(name))
    }

    /// RFC 7518 section 6.2.1.2: the length MUST be that of a coordinate; RFC 8037 section 2 for Ed25519.
    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .edDSA], ["x", "y", "d"])
    func refusesPartsOfAnotherLength(_ algorithm: SignatureAlgorithm, name: String) throws {
        var object = Self.members(algorithm)
        guard let text = object[name]?.string else { return }
        let bytes = try Base64URL.decode(text)
        for spoilt in [[0] + bytes, Array(bytes.dropFirst()), bytes + [0], []] {
            object[name] = .string(Base64URL.encode(spoilt))
            #expect(refusal(of: object) == .wrongLength(name))
        }
    }

    /// RFC 7518 section 6.3.2: all of the factors or none; d with them.
    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi"])
    func refusesAnRSAKeyWithSomePrivateMembersMissing(_ name: String) {
        var object = Self.members(.rs256)
        object[name] = nil
        #expect(refusal(of: object) == .partialPrivateKey)
    }

    @Test func acceptsAnRSAPrivateKeyWithoutFactors() throws {
        var object = Self.members(.rs256)
        for name in ["p", "q", "dp", "dq", "qi"] { object[name] = nil }
        let key = try SigningKey(JWK(json: .object(object)))
        let token = try JWSSigner(key: key).compact([1])
        _ = try UnverifiedJWS(compact: token).verified(by: TestKeys.key(.rs256).verificationKey)
    }

    @Test func refusesAnRSAKeyOfMoreThanTwoPrimes() {
        var object = Self.members(.rs256)
        object["oth"] = []
        #expect(refusal(of: object) == .unsupportedMultiPrimeKey)
    }

    @Test func refusesAPointThatIsNotOnTheCurve() throws {
        var object = Self.members(.es256)
        object["d"] = nil
        var y = try Base64URL.decode(try #require(object["y"]?.string))
        y[31] ^= 1
        object["y"] = .string(Base64URL.encode(y))
        #expect(refusal(of: object) == .refused(.pointNotOnCurve))
    }

    @Test(arguments: [SignatureAlgorithm.es256, .edDSA, .rs256])
    func refusesAPrivateHalfOfAnotherKey(_ algorithm: SignatureAlgorithm) throws {
        var object = Self.members(algorithm)
        let other = TestKeys.stranger(algorithm).jwk.json(.includingPrivate)
        object["d"] = try #require(other?["d"])
        guard case .refused = refusal(of: object) else {
            Issue.record("accepted")
            return
        }
    }

    /// RFC 7518 sections 3.3 and 3.5.
    @Test func refusesAnRSAKeyBelow2048BitsUnlessAllowed() throws {
        let short = try PrivateKey.generate(.rsa(bits: 1024), allowing: .shortRSAKeys)
        let json = try #require(JWK(.privateKey(short)).json(.includingPrivate))
        #expect(throws: JWKError.refused(.rsaModulusTooShort(bits: 1024, minimum: 2048))) { try JWK(json: json) }
        let publicJSON = try #require(JWK(.privateKey(short)).json(.publicOnly))
        #expect(throws: JWKError.refused(.rsaModulusTooShort(bits: 1024, minimum: 2048))) { try JWK(json: publicJSON) }
        let pem = try JWK(.privateKey(short)).publicPEM()
        #expect(throws: JWKError.refused(.rsaModulusTooShort(bits: 1024, minimum: 2048))) { try JWK(pem: pem) }
        #expect(try JWK(json: json, allowing: .shortRSAKeys).isPrivate)
        #expect(try JWK(pem: pem, allowing: .shortRSAKeys).isPrivate == false)
    }

    static let mistypedDescriptions: [(String, JSON)] = [
        ("kid", 1), ("use", []), ("alg", nil), ("key_ops", "verify"), ("key_ops", [1]),
    ]

    @Test(arguments: mistypedDescriptions)
    func refusesADescriptionOfAnotherType(_ name: String, value: JSON) {
        var object = Self.members(.es256)
        object[name] = value
        #expect(refusal(of: object) == .memberOfWrongType(name))
    }

    /// RFC 7517 section 4.3: duplicate key operation values MUST NOT be present.
    @Test func refusesAKeyOperationTwice() {
        var object = Self.members(.es256)
        object["key_ops"] = ["sign", "verify", "sign"]
        #expect(refusal(of: object) == .repeatedKeyOperation)
    }

    @Test func refusesAKeyThatIsTooLarge() {
        let text = #"{"kty":"oct","k":""# + String(repeating: "A", count: 1 << 20) + #""}"#
        #expect {
            try JWK(parsing: text)
        } throws: { error in
            guard case .malformed(let cause)? = error as? JWKError else { return false }
            return cause.kind == .tooManyBytes
        }
    }
}

import JOSE
import Primitives
import Testing

@Suite struct JWTPolicyTests {
    private let trial = PolicyTrial()

    @Test(arguments: SignatureAlgorithm.allCases)
    func acceptsATokenThatMeetsThePolicy(_ algorithm: SignatureAlgorithm) throws {
        let key = TestKeys.key(algorithm)
        let token = try JWTSigner(key: key, type: "JWT").sign { writer in
            writer.member("iss", "https://issuer.example")
            writer.member("aud", ["third", "other-api"] as JSON)
            writer.member("sub", "alice")
            writer.member("exp", trial.now.secondsSinceEpoch + 1)
            writer.member("nbf", trial.now.secondsSinceEpoch)
            writer.member("iat", trial.now.secondsSinceEpoch)
            writer.member("jti", "1")
            writer.member("scope", "a b")
        }
        let verified = try trial.policy.verify(token, keys: TestKeys.everything, at: trial.now)
        #expect(verified.claims.issuer == "https://issuer.example")
        #expect(verified.claims.audience == ["third", "other-api"])
        #expect(verified.claims.subject == "alice")
        #expect(verified.claims.expires == trial.now + .seconds(1))
        #expect(verified.claims.notBefore == trial.now)
        #expect(verified.claims.issuedAt == trial.now)
        #expect(verified.claims.tokenID == "1")
        #expect(verified.claims["scope"] == "a b")
        #expect(verified.header.type == "JWT")
        #expect(verified.algorithm == algorithm)
        #expect(verified.keyID == key.keyID)
    }

    @Test(arguments: ["https://issuer.example/", "https://ISSUER.example", "", "https://issuer.example\u{0}"])
    func refusesAnotherIssuer(_ issuer: String) throws {
        #expect(try trial.refusal { $0["iss"] = .string(issuer) } == .wrongIssuer)
    }

    /// RFC 7519 section 2: compared with no transformations; `é` as one character is not `e` with an accent.
    @Test func comparesTheIssuerByteByByte() throws {
        var policy = trial.policy
        policy.issuer = .exactly("caf\u{E9}")
        #expect(try trial.refusal(policy) { $0["iss"] = "caf\u{E9}" } == nil)
        #expect(try trial.refusal(policy) { $0["iss"] = "cafe\u{301}" } == .wrongIssuer)
    }

    @Test func refusesAMissingIssuer() throws {
        #expect(try trial.refusal { $0["iss"] = nil } == .missingClaim("iss"))
    }

    @Test(arguments: ["API", "api ", "", "ap"])
    func refusesAnotherAudience(_ audience: String) throws {
        #expect(try trial.refusal { $0["aud"] = .string(audience) } == .wrongAudience)
        #expect(try trial.refusal { $0["aud"] = [.string(audience), "third"] } == .wrongAudience)
    }

    @Test func refusesAnEmptyOrMissingAudience() throws {
        #expect(try trial.refusal { $0["aud"] = [] } == .wrongAudience)
        #expect(try trial.refusal { $0["aud"] = nil } == .missingClaim("aud"))
    }

    @Test func acceptsOneAudienceOfSeveral() throws {
        #expect(try trial.refusal { $0["aud"] = ["x", "other-api"] } == nil)
    }

    @Test func checksNeitherIssuerNorAudienceWhenToldSo() throws {
        var policy = trial.policy
        policy.issuer = .unchecked
        policy.audience = .unchecked
        #expect(
            try trial.refusal(policy) {
                $0["iss"] = nil
                $0["aud"] = "someone else"
            } == nil)
    }

    /// RFC 7515 section 4.1.9: media types are compared without regard to case, application/ may be left out.
    @Test(
        arguments: ["at+jwt", "AT+JWT", "application/at+jwt", "Application/AT+jwt"], ["at+jwt", "application/at+jwt"])
    func acceptsEverySpellingOfTheType(_ type: String, expected: String) throws {
        var policy = trial.policy
        policy.type = .exactly(expected)
        #expect(try trial.refusal(policy, type: type) == nil)
    }

    @Test(arguments: ["JWT", "at+jw", "at+jwt ", "text/at+jwt", "application/application/at+jwt", "application/", ""])
    func refusesAnotherType(_ type: String) throws {
        var policy = trial.policy
        policy.type = .exactly("at+jwt")
        #expect(try trial.refusal(policy, type: type) == .wrongType(expected: "at+jwt"))
    }

    /// RFC 7515 section 4.1.9: application/ is left out only where no other slash follows.
    @Test func doesNotStripThePrefixOfATypeWithAnotherSlash() throws {
        var policy = trial.policy
        policy.type = .exactly("a/b")
        #expect(try trial.refusal(policy, type: "a/b") == nil)
        #expect(try trial.refusal(policy, type: "application/a/b") == .wrongType(expected: "a/b"))
    }

    @Test func refusesAMissingType() throws {
        var policy = trial.policy
        policy.type = .exactly("at+jwt")
        #expect(try trial.refusal(policy, type: nil) == .typeMissing)
    }

    @Test func requiresAnExpiryUnlessToldOtherwise() throws {
        #expect(try trial.refusal { $0["exp"] = nil } == .missingClaim("exp"))
        var policy = trial.policy
        policy.requiredClaims = []
        #expect(try trial.refusal(policy) { $0["exp"] = nil } == nil)
    }

    @Test(arguments: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"])
    func anAccessTokenMustHaveTheClaimsOfItsProfile(_ name: String) throws {
        let policy = JWTPolicy.accessToken(issuer: "https://issuer.example", audience: "api")
        let complete: (inout JSONObject) -> Void = {
            $0["client_id"] = "service"
            $0["jti"] = "1"
        }
        #expect(try trial.refusal(policy, type: "at+jwt", changing: complete) == nil)
        #expect(try trial.refusal(policy, type: "JWT", changing: complete) == .wrongType(expected: "at+jwt"))
        let refusal = try trial.refusal(policy, type: "at+jwt") {
            complete(&$0)
            $0[name] = nil
        }
        #expect(refusal == .missingClaim(name))
    }

    @Test(arguments: ["iss", "sub", "jti"], ["1", "null", "[]", "{}", "true"])
    func refusesATextClaimOfAnotherType(_ name: String, value: String) throws {
        #expect(throws: JWTError.claimOfWrongType(name)) { try trial.claims(text: #"{"\#(name)":\#(value)}"#) }
    }

    @Test(arguments: ["1", "null", "{}", "true", "[1]", #"["api",null]"#, #"[["api"]]"#])
    func refusesAnAudienceThatIsNeitherAStringNorStrings(_ value: String) throws {
        #expect(throws: JWTError.claimOfWrongType("aud")) { try trial.claims(text: #"{"aud":\#(value)}"#) }
    }

    @Test(arguments: ["[]", "null", #""text""#, "1", #"[{"sub":"alice"}]"#])
    func refusesClaimsThatAreNotAnObject(_ text: String) {
        #expect(throws: JWTError.claimsNotAnObject) { try trial.claims(text: text) }
    }

    @Test(arguments: ["{", "{}{}", "not json", #"{"a":1,}"#, " ", #"{"a":"\#u{1}"}"#])
    func refusesClaimsThatAreNotJSON(_ text: String) {
        #expect {
            try trial.claims(text: text)
        } throws: { error in
            if case .claimsMalformed? = error as? JWTError { true } else { false }
        }
    }

    /// RFC 7519 section 4: claim names MUST be unique.
    @Test func refusesAClaimNamedTwice() {
        #expect {
            try trial.claims(text: #"{"sub":"alice","sub":"admin"}"#)
        } throws: { error in
            guard case .claimsMalformed(let cause)? = error as? JWTError else { return false }
            return cause.kind == .duplicateName
        }
    }

    /// RFC 7797 section 7: JWTs MUST NOT use the unencoded payload.
    @Test func refusesATokenWithAnUnencodedPayload() throws {
        let signer = try JWSSigner(key: trial.key, protected: ["b64": false, "crit": ["b64"]])
        let token = try signer.compact([UInt8](#"{"sub":"alice"}"#.utf8))
        let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
        #expect(throws: JWTError.unencodedPayload) {
            try policy.verify(token, keys: TestKeys.everything, at: trial.now)
        }
    }

    @Test func refusesATokenSignedWithAnotherKey() throws {
        let token = try JWTSigner(key: TestKeys.stranger(.hs256), type: nil).sign(trial.good)
        #expect(throws: JWTError.signature(.signatureInvalid)) {
            try trial.policy.verify(token, keys: TestKeys.everything, at: trial.now)
        }
    }

    @Test func saysNothingAboutTheClaimsOfAForgedToken() throws {
        var expired = trial.good
        expired["exp"] = 1
        let token = try JWTSigner(key: TestKeys.stranger(.hs256), type: "JWT").sign(expired)
        #expect(throws: JWTError.signature(.signatureInvalid)) {
            try trial.policy.verify(token, keys: TestKeys.everything, at: trial.now)
        }
    }

    @Test func refusesATokenThatIsTooLarge() throws {
        let limit = JWSLimits.token.objectBytes
        #expect(
            try trial.refusal { $0["x"] = .string(String(repeating: "x", count: limit)) }
                == .signature(.tooLarge(limitInBytes: limit)))
    }

    @Test(arguments: ["", "a.b", "null", "{}", "Bearer a.b.c"])
    func refusesWhatIsNotAToken(_ text: String) {
        #expect(throws: JWTError.self) { try trial.policy.verify(text, keys: TestKeys.everything, at: trial.now) }
    }
}

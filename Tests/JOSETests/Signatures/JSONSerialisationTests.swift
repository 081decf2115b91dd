import JOSE
import Primitives
import Testing

/// RFC 7515 section 7.2, and the rules for headers in two parts.
@Suite struct JSONSerialisationTests {
    private let key = TestKeys.key(.hs256)
    private let payload: [UInt8] = [1, 2, 3]

    private func flattened(protected: JSONObject = [:], unprotected: JSONObject = [:]) throws -> JSONObject {
        try JWSSigner(key: key, protected: protected, unprotected: unprotected).flattened(payload)
    }

    private func read(_ object: JSONObject) throws -> VerifiedJWS {
        try UnverifiedJWS(json: JSON.object(object).text()).verified(by: key.verificationKey)
    }

    private func refusal(of object: JSONObject) -> JWSError? {
        do {
            _ = try read(object)
            return nil
        } catch {
            return error as? JWSError
        }
    }

    @Test func readsTheAlgorithmFromEitherHeader() throws {
        #expect(try read(flattened(unprotected: ["alg": "HS256"])).payload == payload)
        #expect(try read(flattened(protected: ["alg": "HS256"], unprotected: ["kid": "key-HS256"])).payload == payload)
    }

    /// RFC 7515 section 7.2.1: additional members can be present and MUST be ignored.
    @Test func ignoresMembersThatAreNotKnown() throws {
        var object = try flattened()
        object["extra"] = ["signature": "x"]
        #expect(try read(object).payload == payload)
    }

    /// RFC 7515 section 4: the names in the two locations MUST be disjoint, even if the values agree.
    @Test(arguments: ["HS256", "none"])
    func refusesAParameterInBothHeaders(_ value: String) throws {
        var object = try flattened()
        object["header"] = ["alg": .string(value)]
        #expect(refusal(of: object) == .parameterInBothHeaders)
        #expect(throws: JWSError.parameterInBothHeaders) {
            try JWSSigner(key: key, protected: ["alg": "HS256"], unprotected: ["alg": "HS256"])
        }
    }

    @Test func refusesCriticalInTheUnprotectedHeader() throws {
        var object = try flattened()
        object["header"] = ["crit": ["exp"], "exp": 1]
        #expect(refusal(of: object) == .criticalUnprotected)
    }

    @Test func refusesTheEncodingFlagInTheUnprotectedHeader() throws {
        var object = try flattened()
        object["header"] = ["b64": true]
        #expect(refusal(of: object) == .b64Unprotected)
    }

    @Test func refusesNoneInTheUnprotectedHeader() throws {
        var object = try flattened(unprotected: ["alg": "HS256"])
        object["header"] = ["alg": "NoNe"]
        #expect(refusal(of: object) == .unsecured)
    }

    @Test func refusesAnObjectWithoutAnyHeader() throws {
        var object = try flattened()
        object["protected"] = nil
        #expect(refusal(of: object) == .headerMissing)
        object["header"] = [:]
        #expect(refusal(of: object) == .headerMissing)
    }

    @Test func refusesAnEmptyProtectedHeader() throws {
        var object = try flattened(unprotected: ["alg": "HS256"])
        object["protected"] = ""
        #expect(refusal(of: object) == .empty(.header))
    }

    @Test(arguments: ["payload", "protected", "signature"], [JSON.null, 1, true, [:], []])
    func refusesAMemberThatIsNotAString(_ name: String, value: JSON) throws {
        var object = try flattened()
        object[name] = value
        #expect(refusal(of: object) == .memberOfWrongType(name))
    }

    @Test(arguments: [JSON.null, 1, true, "{}", []])
    func refusesAnUnprotectedHeaderThatIsNotAnObject(_ value: JSON) throws {
        var object = try flattened()
        object["header"] = value
        #expect(refusal(of: object) == .memberOfWrongType("header"))
    }

    @Test func refusesAMissingPayload() throws {
        var object = try flattened()
        object["payload"] = nil
        #expect(refusal(of: object) == .empty(.payload))
    }

    @Test func refusesAMissingOrEmptySignature() throws {
        var object = try flattened()
        object["signature"] = nil
        #expect(refusal(of: object) == .missingMember("signature"))
        object["signature"] = ""
        #expect(refusal(of: object) == .empty(.signature))
    }

    @Test(arguments: ["payload", "protected", "signature"])
    func refusesPaddingInAnyMember(_ name: String) throws {
        var object = try flattened()
        object[name] = .string(try #require(object[name]?.string) + "=")
        let part: JWSError.Part = name == "payload" ? .payload : name == "protected" ? .header : .signature
        #expect(refusal(of: object) == .notBase64URL(part))
    }

    /// RFC 7515 section 7.2.2: the "signatures" member MUST NOT be present in the flattened form.
    @Test func refusesAFlattenedObjectWithSignatures() throws {
        var object = try flattened()
        let general = try JWSSigner.general(payload, signers: [JWSSigner(key: key)])
        object["signatures"] = general["signatures"]
        #expect(refusal(of: object) == .flattenedAndGeneral)
        for name in ["protected", "header", "signature"] {
            var mixed = general
            mixed[name] = name == "header" ? ["x": 1] : object[name]
            #expect(refusal(of: mixed) == .flattenedAndGeneral)
        }
    }

    @Test func refusesSignaturesThatAreNotAListOfObjects() throws {
        #expect(refusal(of: ["payload": "AQID", "signatures": []]) == .noSignatures)
        #expect(refusal(of: ["payload": "AQID", "signatures": [:]]) == .memberOfWrongType("signatures"))
        #expect(refusal(of: ["payload": "AQID", "signatures": [1]]) == .memberOfWrongType("signatures"))
    }

    @Test func refusesTooManySignatures() throws {
        let limit = JWSLimits.standard.signatures
        let signer = try JWSSigner(key: key)
        let most = try JWSSigner.general(payload, signers: Array(repeating: signer, count: limit))
        #expect(try read(most).payload == payload)
        let more = try JWSSigner.general(payload, signers: Array(repeating: signer, count: limit + 1))
        #expect(refusal(of: more) == .tooManySignatures(limit: limit))
    }

    @Test(arguments: ["[]", "null", "\"a.b.c\"", "1"])
    func refusesJSONThatIsNotAnObject(_ text: String) {
        #expect(throws: JWSError.notAnObject) { try UnverifiedJWS(json: text) }
    }

    @Test(arguments: ["", "{", "a.b.c", #"{"payload":"","payload":""}"#])
    func refusesWhatIsNotJSON(_ text: String) {
        #expect {
            try UnverifiedJWS(json: text)
        } throws: { error in
            if case .malformed? = error as? JWSError { true } else { false }
        }
    }

    /// One valid signature is enough, and the header that counts is its own.
    @Test func takesTheHeaderOfTheSignatureThatIsValid() throws {
        let stranger = TestKeys.stranger(.es256)
        let object = try JWSSigner.general(
            payload,
            signers: [
                JWSSigner(key: stranger, protected: ["kid": "stranger", "role": "admin"]),
                JWSSigner(key: key, protected: ["kid": "key-HS256", "role": "guest"]),
            ])
        let verified = try UnverifiedJWS(json: JSON.object(object).text()).verified(by: TestKeys.everything)
        #expect(verified.header["role"] == "guest")
        #expect(verified.keyID == "key-HS256")
        #expect(verified.algorithm == .hs256)
    }

    @Test func saysOfSeveralFailuresTheOneThatCameFurthest() throws {
        let object = try JWSSigner.general(
            payload,
            signers: [
                JWSSigner(key: TestKeys.stranger(.hs256)), JWSSigner(key: TestKeys.stranger(.es256), protected: [:]),
            ])
        #expect(refusal(of: object) == .signatureInvalid)
    }

    @Test func aSignatureDoesNotCoverForAnotherPayload() throws {
        var object = try JWSSigner.general(
            payload, signers: [JWSSigner(key: key), JWSSigner(key: TestKeys.key(.es256))])
        object["payload"] = "AQIE"
        #expect(refusal(of: object) == .signatureInvalid)
    }
}

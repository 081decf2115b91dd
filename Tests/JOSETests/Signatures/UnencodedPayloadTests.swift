import JOSE
import Primitives
import Testing

/// RFC 7797, and the detached content of RFC 7515 appendix F.
@Suite struct UnencodedPayloadTests {
    private let key = TestKeys.key(.es256)
    private let unencoded: JSONObject = ["b64": false, "crit": ["b64"]]

    @Test func signsAndVerifiesInEverySerialisation() throws {
        let payload = [UInt8]("two words, no stop".utf8)
        let signer = try JWSSigner(key: key, protected: unencoded)
        let compact = try signer.compact(payload)
        #expect(compact.contains(".two words, no stop."))
        #expect(try UnverifiedJWS(compact: compact).verified(by: key.verificationKey).payload == payload)
        for object in [try signer.flattened(payload), try JWSSigner.general(payload, signers: [signer])] {
            #expect(object["payload"] == "two words, no stop")
            let read = try UnverifiedJWS(json: JSON.object(object).text())
            #expect(try read.verified(by: key.verificationKey).payload == payload)
        }
    }

    @Test(arguments: [true, false])
    func signsAndVerifiesDetachedContent(_ isEncoded: Bool) throws {
        let payload = [UInt8]("any. content \u{E9}\n".utf8) + [0xFF, 0]
        let signer = try JWSSigner(key: key, protected: isEncoded ? [:] : unencoded)
        let compact = try signer.compact(payload, content: .detached)
        #expect(compact.contains(".."))
        let object = try UnverifiedJWS(compact: compact, detachedPayload: payload)
        #expect(try object.verified(by: key.verificationKey).payload == payload)
        let flattened = JSON.object(try signer.flattened(payload, content: .detached))
        #expect(flattened["payload"] == nil)
        let read = try UnverifiedJWS(json: flattened.text(), detachedPayload: payload)
        #expect(try read.verified(by: key.verificationKey).payload == payload)
        let other = try UnverifiedJWS(compact: compact, detachedPayload: payload + [0])
        #expect(throws: JWSError.signatureInvalid) { try other.verified(by: key.verificationKey) }
    }

    @Test func anEmptyDetachedPayloadIsAPayload() throws {
        let compact = try JWSSigner(key: key).compact([], content: .detached)
        let object = try UnverifiedJWS(compact: compact, detachedPayload: [])
        #expect(try object.verified(by: key.verificationKey).payload == [])
    }

    @Test func refusesContentBothAttachedAndDetached() throws {
        let signer = try JWSSigner(key: key)
        let compact = try signer.compact([1])
        #expect(throws: JWSError.payloadGivenTwice) { try UnverifiedJWS(compact: compact, detachedPayload: [1]) }
        let json = JSON.object(try signer.flattened([1])).text()
        #expect(throws: JWSError.payloadGivenTwice) { try UnverifiedJWS(json: json, detachedPayload: [1]) }
    }

    @Test func refusesDetachedContentThatIsNotGiven() throws {
        let compact = try JWSSigner(key: key).compact([1], content: .detached)
        #expect(throws: JWSError.empty(.payload)) { try UnverifiedJWS(compact: compact) }
    }

    /// RFC 7797 section 5.2.
    @Test(arguments: ["$.02", "é", "tab\t", "line\n", "\u{7F}", "\0"])
    func refusesCharactersThatTheCompactFormCannotCarry(_ text: String) throws {
        let payload = [UInt8](text.utf8)
        let signer = try JWSSigner(key: key, protected: unencoded)
        #expect(throws: JWSError.payloadNotSerialisable) { try signer.compact(payload) }
        guard !payload.contains(UInt8(ascii: ".")) else { return }
        let header = Base64URL.encode([UInt8](#"{"alg":"ES256","b64":false,"crit":["b64"]}"#.utf8))
        let token = try Forgery.signed("\(header).\(text)", key: key)
        #expect(throws: JWSError.payloadNotSerialisable) { try UnverifiedJWS(compact: token) }
    }

    /// RFC 7797 section 5.3: in JSON the content is a string.
    @Test func refusesContentThatIsNotUTF8InJSON() throws {
        let signer = try JWSSigner(key: key, protected: unencoded)
        #expect(throws: JWSError.payloadNotSerialisable) { try signer.flattened([0xFF]) }
        #expect(throws: JWSError.payloadNotSerialisable) { try JWSSigner.general([0xFF], signers: [signer]) }
    }

    /// RFC 7797 section 3: the value MUST be the same for all signatures.
    @Test func refusesSignaturesThatDifferInTheirEncoding() throws {
        let encoded = try JWSSigner(key: key)
        let unencoded = try JWSSigner(key: key, protected: unencoded)
        #expect(throws: JWSError.b64Differs) { try JWSSigner.general([65], signers: [encoded, unencoded]) }
        let signatures = try [encoded, unencoded].map { signer in
            try JWSSigner.general([65], signers: [signer])["signatures"]?.array?[0] ?? .null
        }
        let json = JSON.object(["payload": "A", "signatures": .array(signatures)])
        #expect(throws: JWSError.b64Differs) { try UnverifiedJWS(json: json.text()) }
    }

    /// The same bytes signed one way must not pass the other way.
    @Test func anUnencodedSignatureDoesNotVerifyTheEncodedForm() throws {
        let flattened = try JWSSigner(key: key, protected: unencoded).flattened([UInt8]("AQID".utf8))
        var object = flattened
        object["protected"] = .string(Base64URL.encode([UInt8](#"{"alg":"ES256"}"#.utf8)))
        let read = try UnverifiedJWS(json: JSON.object(object).text())
        #expect(throws: JWSError.signatureInvalid) { try read.verified(by: key.verificationKey) }
    }

    @Test func theSignerRefusesWhatTheReaderWould() {
        #expect(throws: JWSError.b64NotCritical) { try JWSSigner(key: key, protected: ["b64": false]) }
        #expect(throws: JWSError.criticalNotUnderstood) {
            try JWSSigner(key: key, protected: ["crit": ["exp"], "exp": 1])
        }
        #expect(throws: JWSError.unsecured) { try JWSSigner(key: key, protected: ["alg": "none"]) }
        #expect(throws: JWSError.algorithmNotBoundToKey) { try JWSSigner(key: key, protected: ["alg": "ES384"]) }
        #expect(throws: JWSError.compactTakesProtectedHeaderOnly) {
            try JWSSigner(key: key, protected: [:], unprotected: ["kid": "a"]).compact([1])
        }
        #expect(throws: JWSError.noSignatures) { try JWSSigner.general([1], signers: []) }
    }
}

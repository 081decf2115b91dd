import JOSE
import Primitives
import Testing

@Suite struct RFCExampleTests {
    @Test func thereAreExamples() {
        #expect(Example.all.count >= 19)
    }

    @Test(arguments: Example.all, Example.Form.allCases)
    func verifies(_ example: Example, form: Example.Form) throws {
        guard let object = try example.read(form) else { return }
        let verified = try object.verified(by: example.verificationKeys)
        #expect(verified.payload == example.payload)
    }

    /// Every key of the example made one of the signatures, each of which verifies by itself.
    @Test(arguments: Example.all)
    func verifiesWithEachKeyByItself(_ example: Example) throws {
        guard let object = try example.read(.general) ?? example.read(.flattened) ?? example.read(.compact) else {
            Issue.record("no serialisation")
            return
        }
        for (jwk, algorithm) in zip(example.keys, example.algorithms) {
            let verified = try object.verified(by: VerificationKey(jwk, algorithm: algorithm))
            #expect(verified.algorithm == algorithm)
        }
    }

    @Test(arguments: Example.all, Example.Form.allCases)
    func refusesWithOneBitOfThePayloadChanged(_ example: Example, form: Example.Form) throws {
        guard let text = example.texts[form] else { return }
        var payload = example.payload
        payload[payload.count / 2] ^= 1
        let isEncoded = example.protected?["b64"]?.bool ?? true
        let segment = isEncoded ? Base64URL.encode(payload) : String(decoding: payload, as: UTF8.self)
        let object: UnverifiedJWS
        if let compact = text.string {
            var segments = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if !example.isDetached { segments[1] = segment }
            object = try UnverifiedJWS(
                compact: segments.joined(separator: "."), detachedPayload: example.isDetached ? payload : nil)
        } else {
            var members = try #require(text.object)
            if !example.isDetached { members["payload"] = .string(segment) }
            object = try UnverifiedJWS(
                json: JSON.object(members).text(), detachedPayload: example.isDetached ? payload : nil)
        }
        #expect(throws: JWSError.signatureInvalid) { try object.verified(by: example.verificationKeys) }
    }

    /// HMAC, RSASSA-PKCS1-v1_5 and Ed25519 have one signature per message and key: it must come out the same.
    @Test(arguments: Example.all.filter { $0.isDeterministic && ($0.protected ?? $0.unprotected) != nil })
    func reproducesTheObjectExactly(_ example: Example) throws {
        let key = try SigningKey(example.keys[0], algorithm: example.algorithms[0])
        let signer = try JWSSigner(
            key: key, protected: example.protected ?? [:], unprotected: example.unprotected ?? [:])
        let content: JWSSigner.Content = example.isDetached ? .detached : .attached
        if let compact = example.texts[.compact]?.string {
            #expect(try signer.compact(example.payload, content: content) == compact)
        }
        if let flattened = example.texts[.flattened]?.object {
            #expect(try signer.flattened(example.payload, content: content) == flattened)
        }
        if let general = example.texts[.general]?.object {
            #expect(try JWSSigner.general(example.payload, signers: [signer], content: content) == general)
        }
    }

    /// The headers of RFC 7515 appendix A.1 have white space that no signer of ours writes.
    @Test(arguments: Example.all.filter { $0.isDeterministic && $0.texts[.compact] != nil && !$0.isDetached })
    func reproducesTheSignatureExactly(_ example: Example) throws {
        let compact = try #require(example.texts[.compact]?.string)
        let end = try #require(compact.lastIndex(of: "."))
        let key = try SigningKey(example.keys[0], algorithm: example.algorithms[0])
        let signature = try key.sign(String(compact[..<end]).utf8.span)
        #expect(Base64URL.encode(signature) == compact[compact.index(after: end)...])
    }

    /// Those that are not deterministic come out different and verify.
    @Test(arguments: Example.all.filter { !$0.isDeterministic })
    func signsAnew(_ example: Example) throws {
        let signers = try zip(example.keys, example.algorithms).map { jwk, algorithm in
            try JWSSigner(key: SigningKey(jwk, algorithm: algorithm))
        }
        let object = JSON.object(try JWSSigner.general(example.payload, signers: signers))
        for (jwk, algorithm) in zip(example.keys, example.algorithms) {
            let signing = try SigningKey(jwk, algorithm: algorithm)
            let verified = try UnverifiedJWS(json: object.text()).verified(by: signing.verificationKey)
            #expect(verified.payload == example.payload)
        }
    }

    /// RFC 7515 appendix A.5: an unsecured JWS, which an application must not accept unless it wants to.
    @Test func refusesTheUnsecuredObject() throws {
        let compact = try #require(Example.file("rfc7515")["unsecured"]?["compact"]?.string)
        #expect(throws: JWSError.unsecured) { try UnverifiedJWS(compact: compact) }
    }

    @Test(arguments: ["rfc7638", "rfc8037"])
    func computesTheThumbprint(_ file: String) throws {
        let example = try #require(Example.file(file)["thumbprint"])
        let key = try JWK(json: try #require(example["key"]))
        #expect(key.thumbprint() == example["sha256"]?.string)
    }
}

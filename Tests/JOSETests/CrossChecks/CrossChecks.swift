import Crypto
import JOSE
import Primitives
import TestSupport
import Testing

/// Ours against theirs, in both directions.
@Suite(
    .enabled(if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled)
)
struct CrossChecks {
    private static let libraries = ["joserfc", "PyJWT"]
    private let payload = [UInt8]("a payload of some length, \u{E9}".utf8)

    private func jwk(_ key: SigningKey, _ contents: JWK.Contents) throws -> JSON {
        try #require(key.jwk.json(key.algorithm.isSymmetric ? .includingPrivate : contents))
    }

    @Test(arguments: libraries)
    func theyVerifyWhatWeSign(_ library: String) async throws {
        let questions = try SignatureAlgorithm.allCases.map { algorithm -> JSON in
            let key = TestKeys.key(algorithm)
            return [
                "operation": "verify_compact", "library": .string(library), "alg": .string(algorithm.name),
                "key": try jwk(key, .publicOnly), "token": .string(try JWSSigner(key: key).compact(payload)),
            ]
        }
        for answer in try await OtherImplementation.successes(questions) {
            #expect(answer == .string(Base64URL.encode(payload)))
        }
    }

    @Test(arguments: libraries)
    func theyRefuseWhatWeSignOnceItIsChanged(_ library: String) async throws {
        var questions: [JSON] = []
        for algorithm in SignatureAlgorithm.allCases {
            let key = TestKeys.key(algorithm)
            let token = try JWSSigner(key: key).compact(payload)
            for segment in 1...2 {
                questions.append([
                    "operation": "verify_compact", "library": .string(library), "alg": .string(algorithm.name),
                    "key": try jwk(key, .publicOnly), "token": .string(Forgery.tampered(token, segment: segment)),
                ])
            }
        }
        for answer in try await OtherImplementation.ask(questions) { #expect(answer["error"] != nil) }
    }

    @Test(arguments: libraries)
    func weVerifyWhatTheySign(_ library: String) async throws {
        let questions = try SignatureAlgorithm.allCases.map { algorithm -> JSON in
            [
                "operation": "sign_compact", "library": .string(library), "alg": .string(algorithm.name),
                "key": try jwk(TestKeys.key(algorithm), .includingPrivate),
                "payload": .string(Base64URL.encode(payload)), "header": ["kid": .string("key-\(algorithm)")],
            ]
        }
        let answers = try await OtherImplementation.successes(questions)
        for (algorithm, answer) in zip(SignatureAlgorithm.allCases, answers) {
            let token = try #require(answer.string)
            let verified = try UnverifiedJWS(compact: token).verified(by: TestKeys.everything)
            #expect(verified.payload == payload)
            #expect(verified.algorithm == algorithm)
            for segment in 0...2 {
                #expect(throws: JWSError.self) {
                    try UnverifiedJWS(compact: Forgery.tampered(token, segment: segment))
                        .verified(by: TestKeys.everything)
                }
            }
        }
    }

    /// Where a message has but one signature, both make it.
    @Test func deterministicSignaturesAreTheSame() async throws {
        let algorithms = SignatureAlgorithm.allCases.filter {
            switch $0.mechanism {
            case .hmac, .asymmetric(.rsaPKCS1), .asymmetric(.ed25519): true
            case .asymmetric: false
            }
        }
        let questions = try algorithms.map { algorithm -> JSON in
            [
                "operation": "sign_compact", "library": "joserfc", "alg": .string(algorithm.name),
                "key": try jwk(TestKeys.key(algorithm), .includingPrivate),
                "payload": .string(Base64URL.encode(payload)),
            ]
        }
        let answers = try await OtherImplementation.successes(questions)
        for (algorithm, answer) in zip(algorithms, answers) {
            let own = try JWSSigner(key: TestKeys.key(algorithm), protected: [:]).compact(payload)
            #expect(answer == .string(own))
        }
    }

    @Test func theyVerifyOurSerialisationsInJSON() async throws {
        let keys = [TestKeys.key(.es256), TestKeys.key(.rs256), TestKeys.key(.edDSA)]
        let signers = try keys.map { key in
            try JWSSigner(
                key: key, protected: ["alg": .string(key.algorithm.name)], unprotected: ["kid": .string(key.keyID)])
        }
        let objects = [
            JSON.object(try signers[0].flattened(payload)),
            JSON.object(try JWSSigner.general(payload, signers: signers)),
        ]
        let published = JSON.array(try keys.map { try jwk($0, .publicOnly) })
        func question(_ object: JSON) -> JSON {
            ["operation": "verify_json", "algs": ["ES256", "RS256", "EdDSA"], "keys": published, "object": object]
        }
        for answer in try await OtherImplementation.successes(objects.map(question)) {
            #expect(answer == .string(Base64URL.encode(payload)))
        }
        let spoilt = objects.map { object -> JSON in
            var members = object.object ?? [:]
            members["payload"] = "AQID"
            return .object(members)
        }
        for answer in try await OtherImplementation.ask(spoilt.map(question)) { #expect(answer["error"] != nil) }
    }

    @Test func weVerifyTheirSerialisationsInJSON() async throws {
        let keys = [TestKeys.key(.es384), TestKeys.key(.ps256)]
        let members = keys.map { key -> JSON in
            ["protected": ["alg": .string(key.algorithm.name)], "header": ["kid": .string(key.keyID)]]
        }
        let common: JSONObject = [
            "operation": "sign_json", "payload": .string(Base64URL.encode(payload)), "algs": ["ES384", "PS256"],
            "keys": .array(try keys.map { try jwk($0, .includingPrivate) }),
        ]
        var flattened = common
        flattened["members"] = members[0]
        var general = common
        general["members"] = .array(members)
        for answer in try await OtherImplementation.successes([.object(flattened), .object(general)]) {
            let object = try UnverifiedJWS(json: answer.text())
            #expect(try object.verified(by: TestKeys.everything).payload == payload)
            for key in keys.prefix(object.signatures.count) {
                #expect(try object.verified(by: key.verificationKey).keyID == key.keyID)
            }
        }
    }

    @Test func unencodedPayloadsGoBothWays() async throws {
        let key = TestKeys.key(.es256)
        let text = [UInt8]("plain-words".utf8)
        let header: JSONObject = ["b64": false, "crit": ["b64"]]
        let signer = try JWSSigner(key: key, protected: header)
        let answers = try await OtherImplementation.successes([
            [
                "operation": "sign_compact", "library": "joserfc", "alg": "ES256", "key": jwk(key, .includingPrivate),
                "payload": .string(Base64URL.encode(text)), "header": .object(header),
            ],
            [
                "operation": "verify_compact", "library": "joserfc", "alg": "ES256", "key": jwk(key, .publicOnly),
                "token": .string(signer.compact(text)),
            ],
            [
                "operation": "verify_compact", "library": "joserfc", "alg": "ES256", "key": jwk(key, .publicOnly),
                "token": .string(signer.compact(payload, content: .detached)),
                "detached": .string(Base64URL.encode(payload)),
            ],
        ])
        let verified = try UnverifiedJWS(compact: #require(answers[0].string)).verified(by: key.verificationKey)
        #expect(verified.payload == text)
        #expect(answers[1] == .string(Base64URL.encode(text)))
        #expect(answers[2] == .string(Base64URL.encode(payload)))
    }

    @Test func thumbprintsAreTheSame() async throws {
        let keys = SignatureAlgorithm.allCases.map { TestKeys.key($0) }
        let questions = try keys.map { key -> JSON in ["operation": "thumbprint", "key": try jwk(key, .publicOnly)] }
        for (key, answer) in zip(keys, try await OtherImplementation.successes(questions)) {
            #expect(answer == .string(key.jwk.thumbprint()))
        }
    }

    /// Their keys in every form, read by us, sign what they verify.
    @Test func weReadTheirKeys() async throws {
        let kinds: [(String, SignatureAlgorithm)] = [
            ("RSA", .ps384), ("P-256", .es256), ("P-384", .es384), ("P-521", .es512), ("Ed25519", .edDSA),
        ]
        let generated = try await OtherImplementation.successes(
            kinds.map { ["operation": "generate", "kind": .string($0.0)] })
        var questions: [JSON] = []
        for ((kind, algorithm), answer) in zip(kinds, generated) {
            let json = try #require(answer["jwk"])
            let key = try JWK(json: json)
            #expect(key.json(.includingPrivate) == json)
            for (form, text) in try #require(answer["pem"]?.object) {
                let read = try JWK(pem: try #require(text.string))
                #expect(read.thumbprint() == key.thumbprint(), "\(kind) \(form)")
                #expect(read.isPrivate == ["PKCS#8", "traditional"].contains(form))
                guard read.isPrivate else { continue }
                let signed = try JWSSigner(key: SigningKey(read, algorithm: algorithm)).compact(payload)
                questions.append([
                    "operation": "verify_compact", "library": "PyJWT", "alg": .string(algorithm.name),
                    "pem": try #require(answer["pem"]?["SPKI"]), "token": .string(signed),
                ])
            }
        }
        #expect(questions.count == 9)
        for answer in try await OtherImplementation.successes(questions) {
            #expect(answer == .string(Base64URL.encode(payload)))
        }
    }

    /// Our keys in PEM, read by them, come out as the JWK that we write.
    @Test func theyReadOurKeys() async throws {
        let keys = [SignatureAlgorithm.rs256, .es256, .es384, .es512, .edDSA].map { JWK(TestKeys.key($0).jwk.material) }
        var questions: [JSON] = []
        var expected: [JSON] = []
        for key in keys {
            let text = try key.privatePEM().withBytes { String(decoding: $0, as: UTF8.self) }
            questions.append(["operation": "pem_to_jwk", "pem": .string(text)])
            expected.append(try #require(key.json(.includingPrivate)))
            questions.append(["operation": "pem_to_jwk", "pem": .string(try key.publicPEM())])
            expected.append(try #require(key.json(.publicOnly)))
        }
        for (answer, expectation) in zip(try await OtherImplementation.successes(questions), expected) {
            var members = try #require(answer.object)
            members["kid"] = nil
            #expect(.object(members) == expectation)
        }
    }

    @Test func theyAcceptTheClaimsThatWeWrite() async throws {
        let key = TestKeys.key(.es256)
        let token = try JWTSigner(key: key, type: "at+jwt").sign { claims in
            claims.member("iss", "https://issuer.example")
            claims.member("aud", "api")
            claims.member("sub", "\u{E9}\"\\\u{1F600}\u{1}")
            claims.member("exp", 9_999_999_999)
        }
        let answers = try await OtherImplementation.successes([
            [
                "operation": "claims", "library": "PyJWT", "alg": "ES256", "pem": .string(key.jwk.publicPEM()),
                "token": .string(token), "issuer": "https://issuer.example", "audience": "api",
            ]
        ])
        #expect(answers[0]["sub"] == "\u{E9}\"\\\u{1F600}\u{1}")
    }
}

import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// Clients that prove themselves by an assertion: OpenID Connect Core section 9, RFC 7523 sections 2.2 and 3.
@Suite struct AssertionTests {
    static let secret = "a-secret-of-more-than-thirty-two-bytes-to-be-a-key"
    let idp: ProviderUnderTest
    let holder: ProofClient
    let sharer: ProofClient

    init() async throws {
        let now = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)).now()
        let holder = try ProofClient(at: now)
        self.holder = holder
        sharer = ProofClient(
            key: try SigningKey(JWK(.symmetric(Secret(utf8: Self.secret))), algorithm: .hs256), at: now)
        idp = try await ProviderUnderTest(clients: [
            .proving("holder", method: "private_key_jwt") { $0.keys = JWKSet([try #require(holder.key.publicJWK)]) },
            .proving("free") { $0.keys = JWKSet([try #require(holder.key.publicJWK)]) },
            .proving("sharer", secret: Self.secret, method: "client_secret_jwt"),
            .proving("short", secret: "secret", method: "client_secret_jwt"),
            .proving("basic", secret: Self.secret, method: "client_secret_basic"),
        ])
    }

    private func token(_ assertion: String, also: String = "") async -> Answer {
        await idp.token(ProofClient.assertionForm(assertion, also: also))
    }

    private func expectRefusal(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(answer.error == "invalid_client", sourceLocation: sourceLocation)
        #expect(answer.json?["access_token"] == nil, sourceLocation: sourceLocation)
    }

    @Test func takesAnAssertionByAKeyOfTheClient() async throws {
        #expect(await token(try holder.assertion(of: "holder")).status == 200)
        #expect(await token(try holder.assertion(of: "holder", "a-2"), also: "&client_id=holder").status == 200)
        #expect(await token(try holder.assertion(of: "free")).status == 200)
    }

    @Test(arguments: [SignatureAlgorithm.hs256, .hs384])
    func takesAnAssertionByTheSecretOfTheClient(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey(JWK(.symmetric(Secret(utf8: Self.secret))), algorithm: algorithm)
        #expect(await token(try sharer.assertion(of: "sharer", signedBy: key)).status == 200)
    }

    @Test(arguments: SignatureAlgorithm.allCases.filter { !$0.isSymmetric })
    func takesEachAlgorithmThatAKeyFits(algorithm: SignatureAlgorithm) async throws {
        let key = try SigningKey.generate(algorithm)
        var jwk = try #require(key.publicJWK)
        jwk.algorithm = nil
        let keys = JWKSet([jwk])
        try idp.context.clients.add(.proving("one") { $0.keys = keys })
        #expect(await token(try ProofClient(key: key, at: holder.now).assertion(of: "one")).status == 200)
    }

    /// RFC 7521 section 4.2: both parameters, and the type exactly.
    @Test(arguments: [
        "", "&client_assertion_type=", "&client_assertion_type=jwt-bearer",
        "&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
        "&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:JWT-bearer",
        "&client_assertion_type=urn:ietf:params:oauth:grant-type:jwt-bearer",
    ])
    func refusesAnotherType(type: String) async throws {
        let form = "grant_type=client_credentials&client_assertion=\(try holder.assertion(of: "holder"))"
        expectRefusal(await idp.token(form + type))
        expectRefusal(await idp.token(form + type + "&client_id=holder"))
    }

    @Test func refusesATypeWithoutAnAssertion() async {
        let form =
            "grant_type=client_credentials&client_id=holder"
            + "&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        expectRefusal(await idp.token(form))
        expectRefusal(await idp.token(form + "&client_assertion="))
    }

    @Test(arguments: ["x", "a.b.c", "..", "e30.e30.AA", "eyJhbGciOiJub25lIn0.e30."])
    func refusesWhatIsNoAssertion(text: String) async {
        expectRefusal(await token(text))
        expectRefusal(await token(text, also: "&client_id=holder"))
    }

    /// RFC 7523 section 3: each of these claims MUST be there.
    @Test(arguments: ["iss", "sub", "aud", "exp", "jti"]) func refusesAnAssertionWithoutAClaim(name: String)
        async throws
    {
        expectRefusal(await token(try holder.assertion(of: "holder", "a-1", [name: .null])))
        expectRefusal(await token(try holder.assertion(of: "holder", "a-1", [name: true])))
    }

    @Test(arguments: ["iss", "sub"]) func refusesAnAssertionOfOneClientAboutAnother(name: String) async throws {
        for other in ["free", "nobody", "Holder", "holder "] {
            expectRefusal(await token(try holder.assertion(of: "holder", "a-1", [name: .string(other)])))
        }
    }

    @Test(arguments: ["free", "nobody", "Holder"]) func refusesAClientIDOfAnother(id: String) async throws {
        expectRefusal(await token(try holder.assertion(of: "holder"), also: "&client_id=\(id)"))
    }

    @Test func refusesAnUnknownClientAsItRefusesAWrongSignature() async throws {
        let unknown = await token(try holder.assertion(of: "nobody"))
        let forged = await token(try holder.assertion(of: "holder", signedBy: .generate(.es256)))
        expectRefusal(unknown)
        expectRefusal(forged)
        #expect(unknown.body == forged.body)
    }

    @Test(
        arguments: [
            "http://localhost:8080", "http://localhost:8080/token", ["http://localhost:8080"],
            ["http://localhost:8080", "http://localhost:8080/token"],
        ] as [JSON])
    func takesTheNamesOfTheProvider(audience: JSON) async throws {
        #expect(await token(try holder.assertion(of: "holder", "a-1", ["aud": audience])).status == 200)
    }

    /// RFC 7523 section 3: MUST contain an aud that is the authorization server; and nobody besides, who could use it too.
    @Test(
        arguments: [
            "", "http://localhost:8080/", "http://localhost:8081", "https://localhost:8080", "localhost:8080", "holder",
            [],
            ["http://evil.example"], ["http://localhost:8080", "http://evil.example"], ["http://localhost:8080", ""],
            "http://localhost:8080/t/a", "http://localhost:8080/t/a/token", "http://localhost:8080/introspect",
        ] as [JSON])
    func refusesAnAssertionForSomebodyElse(audience: JSON) async throws {
        expectRefusal(await token(try holder.assertion(of: "holder", "a-1", ["aud": audience])))
    }

    /// Whoever got an assertion that was meant for him must not have it taken here by calling us by his name.
    @Test func behindAFixedNameTheNameOfTheRequestIsNone() async throws {
        let keys = JWKSet([try #require(holder.key.publicJWK)])
        let idp = try await ProviderUnderTest(
            issuer: .fixed(Issuer("https://id.example")), clients: [.proving("holder") { $0.keys = keys }])
        for (audience, status) in [
            ("https://id.example", 200), ("https://id.example/token", 200), (ProviderUnderTest.issuer, 401),
            (ProofClient.tokenURL, 401),
        ] {
            let assertion = try holder.assertion(of: "holder", audience, ["aud": .string(audience)])
            #expect(await idp.token(ProofClient.assertionForm(assertion)).status == status, "\(audience)")
        }
    }

    /// At the edges; clocks may differ by five seconds.
    @Test(arguments: [(-6, false), (-5, false), (-4, true), (1, true), (3600, true), (3605, true), (3606, false)])
    func knowsHowLongAnAssertionMayLive(seconds: Int64, isTaken: Bool) async throws {
        let expiry = JSON.integer(holder.now.secondsSinceEpoch + seconds)
        let answer = await token(try holder.assertion(of: "holder", "a-1", ["exp": expiry]))
        #expect((answer.status == 200) == isTaken)
        if !isTaken { expectRefusal(answer) }
    }

    @Test(arguments: ["nbf", "iat"]) func refusesAnAssertionOfATimeToCome(name: String) async throws {
        for (seconds, isTaken) in [(4, true), (5, true), (6, false)] as [(Int64, Bool)] {
            let moment = JSON.integer(holder.now.secondsSinceEpoch + seconds)
            let answer = await token(try holder.assertion(of: "holder", "a-\(seconds)", [name: moment]))
            #expect((answer.status == 200) == isTaken)
        }
    }

    @Test func refusesAnAssertionThatWasUsed() async throws {
        let assertion = try holder.assertion(of: "holder", "a-1", ["exp": .integer(holder.now.secondsSinceEpoch + 300)])
        #expect(await token(assertion).status == 200)
        for step in [0, 299, 1, 4] {
            idp.clock.advance(by: .seconds(step))
            expectRefusal(await token(assertion))
        }
    }

    @Test func ofManyAtOnceOneGetsThrough() async throws {
        let assertion = try holder.assertion(of: "holder")
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { await token(assertion).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 401 } == 31)
    }

    @Test func theSameNameByAnotherClientIsAnother() async throws {
        #expect(await token(try holder.assertion(of: "holder")).status == 200)
        #expect(await token(try holder.assertion(of: "free")).status == 200)
        #expect(await token(try sharer.assertion(of: "sharer")).status == 200)
    }

    @Test func aForgedAssertionUsesUpNoName() async throws {
        expectRefusal(await token(try holder.assertion(of: "holder", signedBy: .generate(.es256))))
        expectRefusal(await token(try holder.assertion(of: "holder", "a-1", ["aud": "elsewhere"])))
        #expect(await token(try holder.assertion(of: "holder")).status == 200)
    }

    @Test func refusesAnIdentifierWithoutEnd() async throws {
        expectRefusal(await token(try holder.assertion(of: "holder", "")))
        expectRefusal(await token(try holder.assertion(of: "holder", String(repeating: "x", count: 256))))
        #expect(await token(try holder.assertion(of: "holder", String(repeating: "x", count: 255))).status == 200)
    }

    @Test func refusesAnAssertionWithAnyBitTurnedOver() async throws {
        let assertion = try holder.assertion(of: "holder")
        for segment in 0...2 {
            for position in stride(from: 0, to: 160, by: 9) {
                let forged = assertion.withBitFlipped(inSegment: segment, at: position)
                #expect(await token(forged).error == "invalid_client", "\(segment) \(position)")
            }
        }
        #expect(await token(assertion).status == 200)
    }

    /// RFC 8725 section 3.11.
    @Test func refusesATokenOfAnotherSort() async throws {
        for type in ["dpop+jwt", "at+jwt", "oauth-authz-req+jwt", "logout+jwt"] as [JSON] {
            expectRefusal(await token(try holder.assertion(of: "holder", "a-1", header: ["typ": type])))
        }
        for type in ["JWT", "jwt", "client-authentication+jwt", "application/jwt"] {
            let header: JSONObject = ["typ": .string(type)]
            #expect(await token(try holder.assertion(of: "holder", type, header: header)).status == 200)
        }
    }

    /// RFC 8725 section 2.1: never a published key as the secret of an HMAC.
    @Test func refusesACodeThatIsMadeWithThePublicKey() async throws {
        for text in [
            try #require(holder.key.publicJWK).publicPEM(), try #require(holder.key.publicJWK?.bareJSON).text(),
        ] {
            let secret = try SigningKey(JWK(.symmetric(Secret(utf8: text))), algorithm: .hs256)
            expectRefusal(await token(try holder.assertion(of: "holder", signedBy: secret)))
        }
    }

    /// A secret that a client put among its published keys stays what it is: known to everybody.
    @Test func refusesASecretAmongThePublishedKeys() async throws {
        let secret = try SigningKey.generate(.hs256)
        let keys = JWKSet([secret.jwk])
        try idp.context.clients.add(.proving("leaky") { $0.keys = keys })
        expectRefusal(await token(try holder.assertion(of: "leaky", signedBy: secret)))
    }

    /// RFC 7518 section 3.2.
    @Test func refusesASecretThatIsTooShortForAKey() async throws {
        let input = "eyJhbGciOiJIUzI1NiJ9." + Base64URL.encode(Array(#"{"iss":"short","sub":"short"}"#.utf8))
        expectRefusal(await token(input + ".AAAA"))
    }

    /// What a library makes that takes any secret for a key.
    private func assertion(of client: String, by secret: String, _ algorithm: SignatureAlgorithm) throws -> String {
        let header: JSON = ["alg": .string(algorithm.name)]
        let now = idp.clock.now().secondsSinceEpoch
        let claims: JSON = [
            "iss": .string(client), "sub": .string(client), "aud": .string(ProviderUnderTest.issuer), "jti": "a-1",
            "exp": .number(JSONNumber(now + 60)), "iat": .number(JSONNumber(now)),
        ]
        let input = [header, claims].map { Base64URL.encode($0.serialised()) }.joined(separator: ".")
        let hashes: [SignatureAlgorithm: HashFunction] = [.hs256: .sha256, .hs384: .sha384, .hs512: .sha512]
        let code = HMAC(try #require(hashes[algorithm]), key: Secret(utf8: secret)).authenticate(Array(input.utf8).span)
        return input + "." + Base64URL.encode(code)
    }

    /// RFC 7518 section 3.2. The signature is right, and it would be untrue to say that it is not.
    @Test(arguments: [(SignatureAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)])
    func saysThatTheSecretIsTooShortAndHowLongItHasToBe(algorithm: SignatureAlgorithm, least: Int) async throws {
        let standard = try StandardClients.all().filter { $0.id == "service" }
        for client in standard { try idp.context.clients.add(client) }
        for client in ["short", "service"] {
            let answer = await token(try assertion(of: client, by: "secret", algorithm))
            expectRefusal(answer)
            #expect(answer.errorDescription.contains("at least \(least) bytes"), "\(answer.errorDescription)")
            #expect(answer.errorDescription.contains(algorithm.name), "\(answer.errorDescription)")
        }
    }

    /// Who does not have the secret is not told how long it is.
    @Test func saysNothingOfTheSecretToWhoeverHasItNot() async throws {
        let wrong = await token(try assertion(of: "short", by: "secrets", .hs256))
        let unknown = await token(try assertion(of: "nobody", by: "secret", .hs256))
        expectRefusal(wrong)
        #expect(wrong.body == unknown.body)
    }

    /// RFC 6749 section 2.3.1: nor is this a way to try secrets that has no end.
    @Test func aShortSecretIsNotFoundOutByTryingThisWay() async throws {
        for _ in 0..<100 { _ = await token(try assertion(of: "short", by: "wrong", .hs256)) }
        let answer = await token(try assertion(of: "short", by: "secret", .hs256))
        #expect(answer.json?["access_token"] == nil)
        #expect(answer.errorDescription.contains("too many"), "\(answer.errorDescription)")
    }

    /// RFC 6749 section 2.3.1, and nobody learns from the count which clients there are, or how long their secrets are.
    @Test func countsEveryWrongSecretAlike() async throws {
        try idp.context.clients.add(
            .proving("bound", secret: Self.secret, method: "client_secret_jwt") { $0.authenticationAlgorithm = .hs512 })
        let wrong = try SigningKey.generate(.hs256)
        var answers: [String: [[UInt8]]] = [:]
        for client in ["short", "sharer", "bound", "nobody"] {
            for index in 0..<103 {
                let answer = await token(try sharer.assertion(of: client, "a-\(index)", signedBy: wrong))
                #expect(answer.status == (index < 100 ? 401 : 429), "\(client) \(index)")
                #expect((answer.field("Retry-After") == nil) == (index < 100))
                answers[client, default: []].append(answer.body)
            }
        }
        #expect(Set(answers.values).count == 1)
        // What is right is not looked at either.
        #expect(await token(try sharer.assertion(of: "sharer", "a-103")).status == 429)
        #expect(await token(try holder.assertion(of: "holder")).status == 200)
        idp.clock.advance(by: .seconds(60))
        #expect(await token(try sharer.assertion(of: "nobody", "a-104", signedBy: wrong)).status == 401)
    }

    /// It is one secret, by whichever way it is tried.
    @Test func countsAssertionsAndSecretsTogether() async throws {
        let wrong = try SigningKey.generate(.hs256)
        for index in 0..<100 { _ = await token(try sharer.assertion(of: "basic", "a-\(index)", signedBy: wrong)) }
        let answer = await idp.token("grant_type=client_credentials", basic: "basic:" + Self.secret)
        #expect(answer.errorDescription.contains("too many"))
    }

    @Test func oneWrongAssertionFewerKeepsNobodyOut() async throws {
        let wrong = try SigningKey.generate(.hs256)
        for index in 0..<99 { _ = await token(try sharer.assertion(of: "sharer", "a-\(index)", signedBy: wrong)) }
        #expect(await token(try sharer.assertion(of: "sharer", "a-99")).status == 200)
    }

    /// The secret that a client gets here is long enough for whatever algorithm it signs with.
    @Test(arguments: [SignatureAlgorithm.hs256, .hs384, .hs512], [false, true])
    func aRegisteredClientGetsASecretThatIsLongEnough(algorithm: SignatureAlgorithm, isNamed: Bool) async throws {
        let idp = try await ProviderUnderTest { $0.registration = .open }
        var wish: JSONObject = [
            "token_endpoint_auth_method": "client_secret_jwt", "grant_types": ["client_credentials"],
            "response_types": [],
        ]
        if isNamed { wish["token_endpoint_auth_signing_alg"] = .string(algorithm.name) }
        let client = try RegisteredClient(await idp.register(wish))
        let key = try SigningKey(JWK(.symmetric(Secret(utf8: try #require(client.secret)))), algorithm: algorithm)
        let assertion = try ProofClient(key: key, at: idp.clock.now()).assertion(of: client.id)
        #expect(await idp.token(ProofClient.assertionForm(assertion)).status == 200)
    }

    @Test func refusesAWrongSecret() async throws {
        expectRefusal(await token(try sharer.assertion(of: "sharer", signedBy: .generate(.hs256))))
    }

    /// RFC 7591 section 2: a client that registered one method uses no other.
    @Test func refusesAnotherMethodThanTheRegisteredOne() async throws {
        expectRefusal(await token(try sharer.assertion(of: "basic")))
        expectRefusal(await idp.token("grant_type=client_credentials", basic: "sharer:\(Self.secret)"))
        expectRefusal(await idp.token("grant_type=client_credentials&client_id=holder"))
    }

    @Test func refusesAnotherAlgorithmThanTheRegisteredOne() async throws {
        let key = try SigningKey.generate(.ps256)
        var jwk = try #require(key.publicJWK)
        jwk.algorithm = nil
        let keys = JWKSet([jwk])
        try idp.context.clients.add(
            .proving("picky") {
                $0.keys = keys
                $0.authenticationAlgorithm = .rs256
            })
        expectRefusal(await token(try ProofClient(key: key, at: holder.now).assertion(of: "picky")))
    }

    /// RFC 6749 section 2.3: no more than one method in each request.
    @Test func refusesTwoMethodsAtOnce() async throws {
        let form = ProofClient.assertionForm(try holder.assertion(of: "holder"))
        for answer in [
            await idp.token(form, basic: "basic:\(Self.secret)"), await idp.token(form + "&client_secret=x"),
        ] {
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
        }
        #expect(await idp.token(form).status == 200)
    }

    @Test func tellsInNoLogWhatAnAssertionWas() async throws {
        let assertion = try holder.assertion(of: "holder")
        _ = await token(assertion)
        _ = await token(assertion)
        _ = await token(assertion.withBitFlipped(inSegment: 2, at: 3))
        #expect(!idp.log.lines.joined().contains(String(assertion.prefix(40))))
    }
}

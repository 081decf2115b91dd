import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Authorization requests that clients sign (RFC 9101, OpenID Connect Core section 6).
@Suite struct RequestObjectTests {
    static let outside = "client_id=signer&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"
    let lab: RequestLab

    init() async throws { lab = try await RequestLab() }

    private func send(_ object: String, beside query: String = RequestObjectTests.outside) async throws
        -> RequestLab.Landing
    {
        try await lab.authorize(query + "&request=" + object)
    }

    private func expectRefusal(
        _ landing: RequestLab.Landing, _ error: String = "invalid_request_object",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(landing.code == nil, sourceLocation: sourceLocation)
        #expect(landing.error == error, sourceLocation: sourceLocation)
    }

    /// RFC 9101 section 6.3: nothing but client_id has to stand outside.
    @Test func takesASignedRequest() async throws {
        let landing = try await send(try lab.object(), beside: "client_id=signer")
        #expect(landing.location.hasPrefix(RequestLab.redirect + "?"))
        #expect(landing.code != nil)
        #expect(landing.parameters["state"] == "inside")
    }

    /// RFC 9101 section 6.3: what stands outside counts for nothing.
    @Test func ignoresWhatStandsOutside() async throws {
        let query =
            "client_id=signer&state=outside&scope=all&response_type=token&redirect_uri=https%3A%2F%2Fevil.example"
        let landing = try await send(try lab.object(), beside: query)
        #expect(landing.location.hasPrefix(RequestLab.redirect + "?"))
        #expect(landing.parameters["state"] == "inside")
        // Nor is anything taken from there that the object lacks.
        let without = try await send(try lab.object(["state": .null]), beside: query)
        #expect(without.code != nil)
        #expect(without.parameters["state"] == nil)
    }

    @Test func refusesARequestWithoutAClientOutside() async throws {
        let landing = try await lab.authorize("request=\(lab.object())")
        #expect(landing.status == 400)
        #expect(landing.location.isEmpty)
    }

    /// RFC 9101 section 5: the same client inside and outside.
    @Test(arguments: ["web", "Signer", "", 7] as [JSON]) func refusesAnotherClientInside(id: JSON) async throws {
        expectRefusal(try await send(try lab.object(["client_id": id])))
    }

    /// RFC 9101 section 4.
    @Test func refusesTheObjectOfAnotherClient() async throws {
        expectRefusal(try await send(try lab.object(of: "strict")))
        expectRefusal(try await send(try lab.object(["iss": "strict"])))
        expectRefusal(try await send(try lab.object(["iss": .null])))
    }

    @Test(
        arguments: [
            .null, "", "https://other.example", "http://localhost:8080/", "http://localhost:8080/authorize", [],
            ["https://other.example"], 7,
        ] as [JSON])
    func refusesAnObjectForAnotherProvider(audience: JSON) async throws {
        expectRefusal(try await send(try lab.object(["aud": audience])))
    }

    /// RFC 9101 section 6.2.
    @Test func refusesASignatureThatIsNotTheClients() async throws {
        expectRefusal(try await send(try lab.object(signedBy: .generate(.es256))))
        let object = try lab.object()
        for segment in 0...2 {
            for position in stride(from: 0, to: 120, by: 7) {
                let landing = try await send(object.withBitFlipped(inSegment: segment, at: position))
                #expect(landing.code == nil, "\(segment) \(position)")
            }
        }
    }

    @Test(arguments: ["none", "None", "HS256", "RS256", "x"]) func refusesAnotherAlgorithm(name: String) async throws {
        expectRefusal(try await send(try lab.object(header: ["alg": .string(name)])))
        let unsigned = try lab.object(header: ["alg": .string(name)]).split(separator: ".").dropLast()
        expectRefusal(try await send(unsigned.joined(separator: ".") + "."))
    }

    @Test func refusesACodeByTheSecretUnlessTheClientRegisteredForIt() async throws {
        let secret = "secret-of-more-than-thirty-two-bytes-long"
        let key = try SigningKey(JWK(.symmetric(Secret(utf8: secret))), algorithm: .hs256)
        expectRefusal(try await send(try lab.object(signedBy: key)))
        var metadata = try #require(lab.idp.context.clients["signer"]).metadata
        metadata.requestObjectAlgorithm = .hs256
        try lab.idp.context.clients.put(Client(id: "signer", secret: Secret(utf8: secret), metadata: metadata))
        #expect(try await send(try lab.object(signedBy: key)).code != nil)
        // And now nothing else.
        expectRefusal(try await send(try lab.object()))
    }

    @Test func refusesACodeThatIsMadeWithThePublicKey() async throws {
        let text = try #require(lab.signer.key.publicJWK).publicPEM()
        let key = try SigningKey(JWK(.symmetric(Secret(utf8: text))), algorithm: .hs256)
        expectRefusal(try await send(try lab.object(signedBy: key)))
    }

    @Test func refusesAClientWithoutKeys() async throws {
        expectRefusal(
            try await send(
                try lab.object(of: "web"), beside: "client_id=web&redirect_uri=https%3A%2F%2Fapp.example%2Fcb"))
    }

    /// RFC 8725 section 3.11.
    @Test func refusesATokenOfAnotherSort() async throws {
        for type in ["dpop+jwt", "at+jwt", "client-authentication+jwt", 7] as [JSON] {
            expectRefusal(try await send(try lab.object(header: ["typ": type])))
        }
        for type in [.null, "JWT", "application/oauth-authz-req+jwt"] as [JSON] {
            #expect(try await send(try lab.object(header: ["typ": type])).code != nil)
        }
    }

    /// RFC 9101 section 10.8: an assertion that proves the client is no request.
    @Test func refusesTheAssertionOfAClient() async throws {
        expectRefusal(try await send(try lab.object(["sub": "signer"])))
        #expect(try await send(try lab.object(["sub": "somebody"])).code != nil)
    }

    /// RFC 9101 section 4: no object within an object.
    @Test(arguments: ["request", "request_uri"]) func refusesAnObjectWithinAnObject(name: String) async throws {
        expectRefusal(try await send(try lab.object([name: "x"])))
        expectRefusal(try await send(try lab.object([name: ""])))
    }

    @Test(arguments: [
        ("exp", -11, false), ("exp", -10, false), ("exp", -9, true), ("exp", 60, true), ("nbf", 10, true),
        ("nbf", 11, false), ("iat", 10, true), ("iat", 11, false),
    ])
    func knowsTheTimeOfAnObject(name: String, seconds: Int64, isTaken: Bool) async throws {
        let moment = JSON.integer(lab.idp.clock.now().secondsSinceEpoch + seconds)
        #expect((try await send(try lab.object([name: moment])).code != nil) == isTaken)
    }

    @Test func anObjectWithANameIsGoodOnce() async throws {
        let claims: JSONObject = ["jti": "o-1", "exp": .integer(lab.idp.clock.now().secondsSinceEpoch + 60)]
        let object = try lab.object(claims)
        #expect(try await send(object).code != nil)
        expectRefusal(try await send(object))
        lab.idp.clock.advance(by: .seconds(69))
        expectRefusal(try await send(object))
        // The name is the client's own.
        let other = try lab.object(claims, of: "strict")
        let landing = try await lab.authorize("client_id=strict&request=\(other)")
        #expect(landing.code != nil)
    }

    @Test func ofManyAtOnceOneGetsThrough() async throws {
        let object = try lab.object(["jti": "o-1", "exp": .integer(lab.idp.clock.now().secondsSinceEpoch + 60)])
        let codes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 { group.addTask { try await send(object).code != nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(codes == 1)
    }

    @Test func refusesANameThatWouldHaveToBeRememberedForEver() async throws {
        expectRefusal(try await send(try lab.object(["jti": "o-1"])))
        let now = lab.idp.clock.now().secondsSinceEpoch
        expectRefusal(try await send(try lab.object(["jti": "o-1", "exp": .integer(now + 3601)])))
        expectRefusal(try await send(try lab.object(["jti": "", "exp": .integer(now + 60)])))
        let long = JSON.string(String(repeating: "x", count: 257))
        expectRefusal(try await send(try lab.object(["jti": long, "exp": .integer(now + 60)])))
    }

    /// RFC 9101 section 4: numbers are numbers, and `claims` is an object.
    @Test func readsNumbersAndObjects() async throws {
        let claims: JSONObject = [
            "max_age": 3600, "claims": ["id_token": ["email": ["essential": true]]],
            "resource": ["https://a.example", "https://b.example"],
        ]
        #expect(try await send(try lab.object(claims)).code != nil)
        expectRefusal(try await send(try lab.object(["max_age": -1])), "invalid_request")
        expectRefusal(try await send(try lab.object(["claims": "x"])), "invalid_request")
        expectRefusal(try await send(try lab.object(["resource": ["relative"]])), "invalid_target")
        expectRefusal(try await send(try lab.object(["scope": ["a", "b"]])))
        expectRefusal(try await send(try lab.object(["resource": [7]])))
    }

    @Test(arguments: ["x", "a.b.c", "..", "e30.e30.AA"]) func refusesWhatIsNoObject(text: String) async throws {
        expectRefusal(try await send(text))
    }

    @Test func refusesTooManyParameters() async throws {
        var claims: JSONObject = [:]
        for number in 0..<65 { claims["p\(number)"] = "x" }
        expectRefusal(try await send(try lab.object(claims)))
    }

    // MARK: By reference

    @Test func fetchesARegisteredObject() async throws {
        lab.server.answer(RequestLab.objectURL, try lab.object())
        let landing = try await lab.authorize("client_id=signer&request_uri=\(RequestLab.objectURL)")
        #expect(landing.code != nil)
        #expect(lab.server.asked == [RequestLab.objectURL])
    }

    /// RFC 9101 section 10.4: the provider asks nobody whom the client has not registered.
    @Test(arguments: [
        "https://signer.example/request/2", "https://signer.example/request/1?x", "https://evil.example/",
        "http://127.0.0.1/admin", "file:///etc/passwd", "https://signer.example/request/1/",
        "https://SIGNER.example/request/1", "urn:example:x",
    ])
    func asksNobodyElse(url: String) async throws {
        let encoded = url.replacing("?", with: "%3F")
        expectRefusal(try await lab.authorize(Self.outside + "&request_uri=\(encoded)"), "invalid_request_uri")
        #expect(lab.server.asked.isEmpty)
    }

    @Test(arguments: OutboundFailure.allCases) func refusesWhatCannotBeFetched(failure: OutboundFailure) async throws {
        lab.server.fail(RequestLab.objectURL, failure)
        expectRefusal(
            try await lab.authorize(Self.outside + "&request_uri=\(RequestLab.objectURL)"), "invalid_request_uri")
    }

    @Test func refusesWhatIsNotThere() async throws {
        lab.server.answer(RequestLab.objectURL, try lab.object(), status: 404)
        let query = Self.outside + "&request_uri=\(RequestLab.objectURL)"
        expectRefusal(try await lab.authorize(query), "invalid_request_uri")
        lab.server.answer(RequestLab.objectURL, try lab.object(), status: 302)
        expectRefusal(try await lab.authorize(query), "invalid_request_uri")
        lab.server.answer(RequestLab.objectURL, String(repeating: "x", count: 17_000))
        expectRefusal(try await lab.authorize(query), "invalid_request_uri")
        lab.server.answer(RequestLab.objectURL, "<html>")
        expectRefusal(try await lab.authorize(query))
    }

    /// RFC 9101 section 5.
    @Test func refusesAnObjectByValueAndByReference() async throws {
        let landing = try await send(try lab.object(), beside: Self.outside + "&request_uri=\(RequestLab.objectURL)")
        expectRefusal(landing, "invalid_request")
        #expect(lab.server.asked.isEmpty)
    }

    @Test func saysWhetherItAsksOthers() async throws {
        let document = await lab.idp.get("/.well-known/openid-configuration").json
        #expect(document?["request_parameter_supported"] == true)
        #expect(document?["request_uri_parameter_supported"] == true)
        #expect(document?["require_request_uri_registration"] == true)
        #expect(document?["request_object_signing_alg_values_supported"]?.array?.contains("none") == false)
        let alone = await (try await ProviderUnderTest()).get("/.well-known/openid-configuration").json
        #expect(alone?["request_uri_parameter_supported"] == false)
        #expect(alone?["require_request_uri_registration"] == nil)
    }

    // MARK: Clients that sign all their requests

    @Test func refusesAPlainRequestOfAClientThatRegisteredToSign() async throws {
        expectRefusal(try await lab.authorize(RequestLab.asked + "&client_id=strict"), "invalid_request")
        let landing = try await lab.authorize("client_id=strict&request=\(lab.object(of: "strict"))")
        #expect(landing.code != nil)
    }

    @Test func aPushedRequestMayBeSignedAndHasToBeWhereTheClientSaysSo() async throws {
        #expect(await lab.push(RequestLab.asked, basic: "strict:secret").error == "invalid_request")
        let answer = await lab.push("request=\(try lab.object(of: "strict"))&state=outside", basic: "strict:secret")
        #expect(answer.status == 201)
        let landing = try await lab.authorize("client_id=strict&request_uri=\(answer.text("request_uri"))")
        #expect(landing.parameters["state"] == "inside")
        #expect(await lab.push("request=x", basic: "strict:secret").error == "invalid_request_object")
        let other = await lab.push("request=\(try lab.object())", basic: "strict:secret")
        #expect(other.error == "invalid_request_object")
    }

    /// What is wrong with an object is said in the language that it asks for.
    @Test func saysWhatIsWrongInTheLanguageOfTheObject() async throws {
        let object = try lab.object(["redirect_uri": "https://evil.example/", "ui_locales": "ko"])
        let landing = try await send(object, beside: "client_id=signer&ui_locales=ja")
        #expect(landing.status == 400)
        #expect(landing.body.contains("<html lang=\"ko\""))
    }

    /// RFC 9101 section 4: the object has every parameter, and `iss` stands for none.
    @Test func refusesAnObjectWithoutAClient() async throws {
        let object = try lab.object(["client_id": .null])
        let landing = try await send(object)
        expectRefusal(landing)
        #expect(landing.parameters["error_description"]?.contains("client_id is missing") == true)
        let pushed = await lab.push("request=\(object)", basic: "signer:secret-of-more-than-thirty-two-bytes-long")
        #expect(pushed.error == "invalid_request_object")
    }
}

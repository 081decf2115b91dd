import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// Authorization requests that clients push ahead (RFC 9126).
@Suite struct PushedRequestTests {
    let lab: RequestLab

    init() async throws { lab = try await RequestLab() }

    @Test func aPushedRequestIsAsGoodAsAnyOther() async throws {
        let answer = await lab.push(RequestLab.asked)
        #expect(answer.status == 201)
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.json?["expires_in"] == 90)
        let reference = try answer.text("request_uri")
        #expect(reference.hasPrefix("urn:ietf:params:oauth:request_uri:"))
        // RFC 9126 section 7.1: 256 bits in Base64URL.
        #expect(reference.utf8.count == "urn:ietf:params:oauth:request_uri:".utf8.count + 43)

        let landing = try await lab.authorize("client_id=web&request_uri=\(reference)")
        #expect(landing.location.hasPrefix(RequestLab.redirect + "?"))
        #expect(landing.parameters["state"] == "s-1")
        let form =
            "grant_type=authorization_code&redirect_uri=\(RequestLab.redirect)&code=\(try #require(landing.code))"
        #expect(await lab.idp.token(form, basic: "web:secret").status == 200)
    }

    @Test func noTwoReferencesAreAlike() async throws {
        var seen: Set<String> = []
        for _ in 0..<20 { seen.insert(try await lab.reference()) }
        #expect(seen.count == 20)
    }

    // MARK: Section 2: the client proves itself

    @Test(arguments: ["web:wrong", "nobody:secret", "web:"]) func refusesAClientThatDoesNotProveItself(basic: String)
        async
    {
        let answer = await lab.push(RequestLab.asked, basic: basic)
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_client")
        #expect(await lab.push(RequestLab.asked + "&client_id=web", basic: nil).error == "invalid_client")
    }

    @Test func takesAPublicClientAtItsWord() async throws {
        let form =
            RequestLab.asked
            + "&client_id=spa&code_challenge=\(String(repeating: "a", count: 43))&code_challenge_method=S256"
        let answer = await lab.push(form, basic: nil)
        #expect(answer.status == 201)
        let landing = try await lab.authorize("client_id=spa&request_uri=\(answer.text("request_uri"))")
        #expect(landing.code != nil)
    }

    @Test(arguments: [
        "http://localhost:8080", "http://localhost:8080/token", "http://localhost:8080/par",
    ])
    func takesAnAssertionForEachNameOfTheProvider(audience: String) async throws {
        let assertion = try lab.signer.assertion(of: "signer", audience, ["aud": .string(audience)])
        let form = ProofClient.assertionForm(assertion).replacing(
            "grant_type=client_credentials", with: RequestLab.asked)
        let answer = await lab.push(form, basic: nil)
        #expect(answer.status == 201)
        #expect(try await lab.authorize("client_id=signer&request_uri=\(answer.text("request_uri"))").code != nil)
        #expect(await lab.push(form, basic: nil).error == "invalid_client")
    }

    @Test func refusesARequestInTheNameOfAnother() async {
        #expect(await lab.push(RequestLab.asked + "&client_id=other").error == "invalid_request")
    }

    @Test func keepsNoCredentials() async throws {
        let form = RequestLab.asked + "&client_id=web&client_secret=secret"
        let reference = try await lab.push(form, basic: nil).text("request_uri")
        let kept = try await lab.idp.context.store.takePushedRequest(
            named: TokenDigest(of: reference), at: lab.idp.clock.now()
        ) { _ in true }
        let names = try #require(kept).parameters.map(\.name)
        #expect(names.sorted() == ["client_id", "redirect_uri", "response_type", "state"])
    }

    // MARK: Section 2.1: judged as at the authorization endpoint

    @Test(arguments: [
        ("response_type=code&redirect_uri=https://evil.example/", "invalid_request"),
        ("redirect_uri=https://app.example/cb", "invalid_request"),
        ("response_type=token&redirect_uri=https://app.example/cb", "unauthorized_client"),
        ("response_type=what&redirect_uri=https://app.example/cb", "unsupported_response_type"),
        (RequestLab.asked + "&scope=a%22b", "invalid_scope"), (RequestLab.asked + "&max_age=x", "invalid_request"),
        (RequestLab.asked + "&code_challenge=short", "invalid_request"),
        (RequestLab.asked + "&resource=relative", "invalid_target"),
        (RequestLab.asked + "&state=s-2", "invalid_request"),
        (RequestLab.asked + "&dpop_jkt=x", "invalid_request"),
        (RequestLab.asked + "&id_token_hint=x", "invalid_request"),
    ])
    func refusesWhatTheAuthorizationEndpointWouldRefuse(form: String, error: String) async {
        let answer = await lab.push(form)
        #expect(answer.status == 400)
        #expect(answer.error == error)
        #expect(answer.json?["request_uri"] == nil)
    }

    /// MUST NOT be provided.
    @Test func refusesAReferenceInAPushedRequest() async throws {
        let reference = try await lab.reference()
        #expect(await lab.push(RequestLab.asked + "&request_uri=\(reference)").error == "invalid_request")
        #expect(await lab.push(RequestLab.asked + "&request_uri=https://a.example/").error == "invalid_request")
    }

    @Test func refusesParametersInTheAddress() async {
        let answer = await lab.idp.token(RequestLab.asked, basic: "web:secret", path: "/par?state=x")
        #expect(answer.error == "invalid_request")
    }

    @Test func answersPOSTAlone() async {
        for method in [HTTPRequest.Method.get, .put, .delete] {
            #expect(await lab.idp.respond(method, "/par").status == 405)
        }
        let answer = await lab.idp.token(
            RequestLab.asked, basic: "web:secret", contentType: "application/json", path: "/par")
        #expect(answer.error == "invalid_request")
    }

    // MARK: Sections 4 and 7.3: good once, for one client, for a while

    @Test func refusesAReferenceThatWasUsed() async throws {
        let reference = try await lab.reference()
        #expect(try await lab.authorize("client_id=web&request_uri=\(reference)").code != nil)
        let again = try await lab.authorize("client_id=web&request_uri=\(reference)")
        #expect(again.status == 400)
        #expect(again.location.isEmpty)
        #expect(again.code == nil)
    }

    @Test func ofManyAtOnceOneGetsThrough() async throws {
        let reference = try await lab.reference()
        let codes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { try await lab.authorize("client_id=web&request_uri=\(reference)").code != nil }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(codes == 1)
    }

    @Test func refusesTheReferenceOfAnotherClientAndLeavesItGood() async throws {
        let reference = try await lab.reference()
        let stolen = try await lab.authorize("client_id=other&request_uri=\(reference)")
        #expect(stolen.status == 400)
        #expect(stolen.code == nil)
        #expect(try await lab.authorize("client_id=web&request_uri=\(reference)").code != nil)
    }

    @Test(arguments: [(89, true), (90, false), (91, false)]) func aReferenceHasAnEnd(seconds: Int, isGood: Bool)
        async throws
    {
        let reference = try await lab.reference()
        lab.idp.clock.advance(by: .seconds(seconds))
        #expect((try await lab.authorize("client_id=web&request_uri=\(reference)").code != nil) == isGood)
    }

    @Test func refusesAReferenceThatNobodyGave() async throws {
        let reference = try await lab.reference()
        for other in [
            "urn:ietf:params:oauth:request_uri:", "urn:ietf:params:oauth:request_uri:x", String(reference.dropLast()),
            reference + "A", reference.uppercased(),
        ] {
            let landing = try await lab.authorize("client_id=web&request_uri=\(other)")
            #expect(landing.status == 400, "\(other)")
            #expect(landing.code == nil)
        }
    }

    /// What stands beside the reference counts for nothing.
    @Test func ignoresWhatStandsBesideTheReference() async throws {
        let reference = try await lab.reference()
        let landing = try await lab.authorize(
            "client_id=web&request_uri=\(reference)&state=evil&scope=all&nonce=x&response_mode=fragment")
        #expect(landing.parameters["state"] == "s-1")
    }

    @Test func refusesAReferenceBesideAnObject() async throws {
        let reference = try await lab.reference()
        let landing = try await lab.authorize("client_id=web&request_uri=\(reference)&request=x")
        #expect(landing.code == nil)
        #expect(try await lab.authorize("client_id=web&request_uri=\(reference)").code != nil)
    }

    /// The reference is spent, and the page has an address of its own: to load it again does no harm.
    @Test func thePageOfALoginCanBeLoadedAgain() async throws {
        let lab = try await RequestLab(allowing: [])
        let answer = await lab.idp.get("/authorize?client_id=web&request_uri=\(try await lab.reference())")
        let page = try #require(answer.field("Location"))
        let cookies = answer.fields[values: .setCookie].map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")
        let path =
            page.hasPrefix("http://localhost:8080") ? String(page.dropFirst("http://localhost:8080".count)) : page
        for _ in 0..<3 { #expect(await lab.idp.get(path, [.cookie: cookies]).status == 200) }
    }

    // MARK: Section 6, and RFC 9449 section 10.1

    @Test func refusesOtherRequestsOfAClientThatRegisteredToPush() async throws {
        let landing = try await lab.authorize(RequestLab.asked + "&client_id=pusher")
        #expect(landing.error == "invalid_request")
        #expect(landing.code == nil)
        let reference = try await lab.reference(basic: "pusher:secret")
        #expect(try await lab.authorize("client_id=pusher&request_uri=\(reference)").code != nil)
    }

    @Test func refusesOtherRequestsWhereTheProviderSaysSo() async throws {
        let lab = try await RequestLab { $0.requiresPushedRequests = true }
        #expect(try await lab.authorize(RequestLab.asked + "&client_id=web").error == "invalid_request")
        let object = try lab.object()
        #expect(try await lab.authorize("client_id=signer&request=\(object)").code == nil)
        #expect(try await lab.authorize("client_id=web&request_uri=\(lab.reference())").code != nil)
        let document = await lab.idp.get("/.well-known/openid-configuration").json
        #expect(document?["require_pushed_authorization_requests"] == true)
    }

    @Test func aProofBindsTheCode() async throws {
        let client = try ProofClient(at: lab.idp.clock.now())
        let proof = try client.proof("p-1", ["htu": "http://localhost:8080/par"])
        let answer = await lab.push(RequestLab.asked, also: [.dpop: proof])
        #expect(answer.status == 201)
        #expect(await lab.push(RequestLab.asked, also: [.dpop: proof]).error == "invalid_dpop_proof")
        let landing = try await lab.authorize("client_id=web&request_uri=\(answer.text("request_uri"))")
        let form =
            "grant_type=authorization_code&redirect_uri=\(RequestLab.redirect)&code=\(try #require(landing.code))"
        let thief = try ProofClient(at: lab.idp.clock.now())
        #expect(await lab.idp.token(form, basic: "web:secret").error == "invalid_grant")
        #expect(await lab.idp.token(form, proofs: [try thief.proof()], basic: "web:secret").error == "invalid_grant")
        let tokens = await lab.idp.token(form, proofs: [try client.proof("p-2")], basic: "web:secret")
        #expect(tokens.json?["token_type"] == "DPoP")
    }

    @Test func refusesAProofOfAnotherKeyThanTheNamedOne() async throws {
        let client = try ProofClient(at: lab.idp.clock.now())
        let proof = try client.proof("p-1", ["htu": "http://localhost:8080/par"])
        let other = try ProofClient(at: lab.idp.clock.now()).thumbprint
        #expect(
            await lab.push(RequestLab.asked + "&dpop_jkt=\(other)", also: [.dpop: proof]).error == "invalid_dpop_proof")
        let right = await lab.push(RequestLab.asked + "&dpop_jkt=\(client.thumbprint)", also: [.dpop: proof])
        #expect(right.status == 201)
    }

    @Test func aNonceIsAskedForHereToo() async throws {
        let lab = try await RequestLab { $0.proofs.nonce = .required }
        let client = try ProofClient(at: lab.idp.clock.now())
        let url: JSON = "http://localhost:8080/par"
        let refused = await lab.push(RequestLab.asked, also: [.dpop: try client.proof("p-1", ["htu": url])])
        #expect(refused.error == "use_dpop_nonce")
        let nonce = JSON.string(try #require(refused.field("DPoP-Nonce")))
        let proof = try client.proof("p-2", ["htu": url, "nonce": nonce])
        #expect(await lab.push(RequestLab.asked, also: [.dpop: proof]).status == 201)
    }

    /// A code is not spent by what is refused for want of a nonce.
    @Test func aRetrySpendsNoCode() async throws {
        let lab = try await RequestLab { $0.proofs.nonce = .required }
        let code = try #require(try await lab.authorize(RequestLab.asked + "&client_id=web").code)
        let form = "grant_type=authorization_code&redirect_uri=\(RequestLab.redirect)&code=\(code)"
        let client = try ProofClient(at: lab.idp.clock.now())
        let refused = await lab.idp.token(form, proofs: [try client.proof()], basic: "web:secret")
        #expect(refused.error == "use_dpop_nonce")
        let nonce = JSON.string(try #require(refused.field("DPoP-Nonce")))
        let tokens = await lab.idp.token(
            form, proofs: [try client.proof("p-2", ["nonce": nonce])], basic: "web:secret")
        #expect(tokens.json?["token_type"] == "DPoP")
        let again = await lab.idp.token(
            form, proofs: [try client.proof("p-3", ["nonce": nonce])], basic: "web:secret")
        #expect(again.error == "invalid_grant")
    }

    @Test func isAdvertised() async {
        let document = await lab.idp.get("/.well-known/openid-configuration").json
        #expect(document?["pushed_authorization_request_endpoint"] == "http://localhost:8080/par")
        #expect(document?["require_pushed_authorization_requests"] == nil)
    }

    @Test func tellsInNoLogWhatTheReferenceWas() async throws {
        let reference = try await lab.reference()
        _ = try await lab.authorize("client_id=web&request_uri=\(reference)")
        _ = try await lab.authorize("client_id=web&request_uri=\(reference)")
        #expect(!lab.idp.log.lines.joined().contains(reference.suffix(43)))
    }
}

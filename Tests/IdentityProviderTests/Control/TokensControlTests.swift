import IdentityProvider
import JOSE
import Primitives
import Testing

/// Keys, tokens that are signed on demand, tenants, and the way back.
@Suite struct TokensControlTests {
    @Test func signsAnyClaims() async throws {
        let control = try await ControlUnderTest()
        let signed = try await control.json(
            "POST", "/tokens", ["claims": ["sub": "mallory", "aud": "api", "client_id": "app"]])
        let token = try await control.provider.verified(try #require(signed["token"]?.string), audience: "api")
        #expect(token.claims.subject == "mallory")
    }

    @Test func leavesOutWhatIsNull() async throws {
        let control = try await ControlUnderTest()
        let signed = try await control.json("POST", "/tokens", ["claims": ["exp": nil, "iss": nil], "type": nil])
        let token = try UnverifiedJWS(compact: try #require(signed["token"]?.string))
        #expect(try JSON(parsing: token.unverifiedPayload.span).object?.names.sorted() == ["iat", "jti"])
        #expect(token.header.type == nil)
    }

    /// RFC 7515 section 4.1.9: `typ` is optional, and so is `kid` (section 4.1.4).
    @Test(
        arguments: [
            (["type": nil], ["alg", "kid"]), (["header": ["typ": nil]], ["alg", "kid"]),
            (["type": "JWT", "header": ["typ": nil, "kid": nil]], ["alg"]), ([:], ["alg", "kid", "typ"]),
        ] as [(JSON, [String])])
    func leavesOutOfTheHeaderWhatIsNull(_ how: JSON, _ names: [String]) async throws {
        let control = try await ControlUnderTest()
        var body = try #require(how.object)
        body["claims"] = [:]
        let signed = try await control.json("POST", "/tokens", .object(body))
        let token = try UnverifiedJWS(compact: try #require(signed["token"]?.string))
        #expect(token.header.protected.names.sorted() == names)
    }

    /// Whoever reads the document knows it.
    @Test func saysThatNullLeavesOneOut() async throws {
        let document = try #require(await ProviderUnderTest().get("/openapi.json").json)
        let body = document["paths"]?["/_pawl/tokens"]?["post"]?["requestBody"]?["content"]?["application/json"]
        for name in ["type", "header"] {
            let member = try #require(body?["schema"]?["properties"]?[name])
            #expect(String(decoding: member.serialised(), as: UTF8.self).contains("null leaves"), "\(name)")
        }
    }

    /// An algorithm is not a thing to be left out: there would be no such signature.
    @Test func refusesToLeaveOutTheAlgorithm() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/tokens", ["claims": [:], "header": ["alg": nil]])
        #expect(answer.status == 400 && answer.json?["path"] == "header.alg")
    }

    @Test(arguments: [["signature": "broken"], ["key": "unpublished"]] as [JSON])
    func makesTokensThatMustBeRefused(_ how: JSON) async throws {
        let control = try await ControlUnderTest()
        var body = try #require(how.object)
        body["claims"] = ["sub": "alice", "aud": .string(ProviderUnderTest.issuer), "client_id": "service"]
        let signed = try await control.json("POST", "/tokens", .object(body))
        let token = try #require(signed["token"]?.string)
        await #expect(throws: JWTError.self) { try await control.provider.verified(token) }
    }

    @Test(
        arguments: [
            ([:], "claims"), (["claims": [:], "kid": "none"], "kid"), (["claims": [:], "alg": "none"], "alg"),
            (["claims": [:], "header": ["alg": "none"]], "header.alg"), (["claims": [:], "key": "other"], "key"),
        ] as [(JSON, String)])
    func refusesWhatCannotBeSigned(_ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/tokens", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
    }

    @Test func rotatesKeysAndKeepsTheOldOnePublished() async throws {
        let control = try await ControlUnderTest()
        let token = try await control.provider.accessToken()
        let before = try #require(try await control.json("GET", "/keys")["keys"]?.array)
        let after = try #require(try await control.json("POST", "/keys/rotate")["keys"]?.array)
        #expect(before.count == 1 && after.count == 2)
        #expect(after.map { $0["role"] } == ["retiring", "active"])
        _ = try await control.provider.verified(token)
        let old = try await control.json(
            "POST", "/tokens", ["claims": ["aud": "api"], "kid": try #require(before[0]["kid"])])
        #expect(old["kid"] == before[0]["kid"])
        let text = String(decoding: await control.call("GET", "/keys").body, as: UTF8.self)
        #expect(!text.contains("\"d\":"))
    }

    @Test func signsWithAKeyOfAnyAlgorithm() async throws {
        let control = try await ControlUnderTest()
        let signed = try await control.json("POST", "/tokens", ["claims": [:], "alg": "EdDSA"])
        #expect(try UnverifiedJWS(compact: try #require(signed["token"]?.string)).header.algorithm == .edDSA)
    }

    @Test func makesTenantsWithUsersClientsAndSettingsOfTheirOwn() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = [
            "users": [["username": "zoe"]],
            "clients": [["client_id": "own", "client_secret": "of-its-own", "grant_types": ["client_credentials"]]],
            "settings": ["access_tokens": ["lifetime": 7]],
        ]
        let answer = await control.call("PUT", "/tenants/one", body)
        #expect(answer.status == 201)
        #expect(answer.json?["issuer"] == "http://localhost:8080/t/one")
        let token = await control.provider.token(
            "grant_type=client_credentials", basic: "own:of-its-own", path: "/t/one/token")
        #expect(token.json?["expires_in"] == 7)
        #expect(await control.provider.token("grant_type=client_credentials", basic: "own:of-its-own").status == 401)
        #expect(try await control.json("GET", "/tenants")["tenants"]?.array?.map { $0["name"] } == ["one"])
        #expect(await control.call("PUT", "/tenants/one").status == 200)
        #expect(await control.call("DELETE", "/tenants/one").status == 204)
        #expect(await control.call("DELETE", "/tenants/one").status == 404)
    }

    @Test(
        arguments: [
            ("/tenants/one", ["users": [["username": ""]]], "users[0].username"),
            ("/tenants/one", ["users": [["username": "a"], 1]], "users[1]"),
            ("/tenants/one", ["clients": [["client_id": "a", "nothing": 1]]], "clients[0].nothing"),
            ("/tenants/one", ["settings": ["rotation": 1]], "settings.rotation"),
            ("/tenants/one", ["settings": ["lifetimes": ["login": 0]]], "settings.lifetimes.login"),
            ("/tenants/one", ["user": []], "user"),
        ] as [(String, JSON, String)])
    func refusesATenantThatIsWrongAndSaysWhere(_ path: String, _ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", path, body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
        #expect(try await control.json("GET", "/tenants") == ["tenants": []])
    }

    @Test func tenantsAreAtTheRootAlone() async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", "/tenants", below: "/t/one/_pawl").status == 404)
        #expect(await control.call("PUT", "/tenants/a%2Fb").status == 400)
    }

    @Test func goesBackToTheBeginning() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("PUT", "/users/carol", [:])
        _ = try await control.json("PATCH", "/settings", ["rotation": "reuse"])
        _ = try await control.json("POST", "/clock/advance", ["seconds": 5])
        _ = try await control.json("POST", "/next", ["error": "server_error"])
        let keys = try await control.json("GET", "/keys")
        #expect(await control.call("POST", "/reset").status == 204)
        #expect(control.context.users[username: "carol"] == nil)
        #expect(control.context.clients["app"] == nil)
        #expect(control.context.configuration.rotation == .strict)
        #expect(control.context.clock.now() == Timestamp(secondsSinceEpoch: 1_700_000_000))
        #expect(await control.isActive(session.access) == false)
        #expect(try await control.json("GET", "/sessions") == ["logins": [], "families": []])
        #expect(await control.provider.token("grant_type=client_credentials", basic: "service:secret").status == 200)
        #expect(
            try await control.json("GET", "/keys")["keys"]?.array?.first?["kid"] == keys["keys"]?.array?.first?["kid"])
    }

    @Test func resetsATenantAndNoOther() async throws {
        let control = try await ControlUnderTest()
        _ = await control.call("PUT", "/users/carol", [:], below: "/t/one/_pawl")
        _ = await control.call("PUT", "/users/carol", [:], below: "/t/two/_pawl")
        #expect(await control.call("POST", "/tenants/one/reset").status == 204)
        #expect(await control.call("GET", "/users/carol", below: "/t/one/_pawl").status == 404)
        #expect(await control.call("GET", "/users/carol", below: "/t/two/_pawl").status == 200)
    }
}

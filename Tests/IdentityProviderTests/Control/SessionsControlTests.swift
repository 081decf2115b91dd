import IdentityProvider
import JOSE
import Primitives
import Testing

/// Sessions, claims of logins, devices.
@Suite struct SessionsControlTests {
    private func payload(_ token: String?) throws -> JSON {
        let bytes = try UnverifiedJWS(compact: try #require(token)).unverifiedPayload
        return try JSON(parsing: bytes.span)
    }

    @Test func makesASessionWhoseTokensWork() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession(scope: "openid email")
        #expect(await control.isActive(session.access) == true)
        let claims = try payload(session.json["id_token"]?.string)
        #expect(claims["sub"] == "alice")
        #expect(claims["sid"] != nil)
        let refreshed = await control.provider.token(
            "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)")
        #expect(refreshed.status == 200)
    }

    @Test(
        arguments: [
            (["client": "app"], "user"), (["user": "nobody", "client": "app"], "user"),
            (["user": "alice", "client": "nobody"], "client"),
            (["user": "alice", "client": "reader", "scope": "x"], "scope"),
            (["user": "alice", "client": "app", "resources": "x"], "resources"),
        ] as [(JSON, String)])
    func refusesASessionThatCannotBe(_ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/sessions", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
    }

    @Test func listsWithoutAnyToken() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let answer = await control.call("GET", "/sessions")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains(session.refresh) && !text.contains(session.access))
        let family = try #require(answer.json?["families"]?.array?.first)
        #expect(family["user"] == "alice" && family["client"] == "app" && family["scope"] == "openid")
        #expect(family["login"] == answer.json?["logins"]?.array?.first?["id"])
        #expect(family["rotation"]?["current"] == 1)
        #expect(try await control.json("GET", "/sessions?user=bob") == ["logins": [], "families": []])
        #expect(await control.call("GET", "/sessions?user=nobody").status == 404)
    }

    @Test func endsALoginWithAllThatFollowedFromIt() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession(scope: "openid offline_access")
        let login = try #require(try await control.json("GET", "/sessions")["logins"]?.array?.first?["id"]?.string)
        #expect(await control.call("DELETE", "/sessions/\(login)").status == 204)
        #expect(await control.isActive(session.access) == false)
        let refresh = "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)"
        #expect(await control.provider.token(refresh).error == "invalid_grant")
    }

    @Test func endsOneFamilyAndLeavesTheLogin() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let sessions = try await control.json("GET", "/sessions")
        let family = try #require(sessions["families"]?.array?.first?["id"]?.string)
        #expect(await control.call("DELETE", "/sessions/\(family)").status == 204)
        #expect(await control.isActive(session.access) == false)
        #expect(try await control.json("GET", "/sessions")["logins"]?.array?.first?["ended"] == .null)
        #expect(await control.call("DELETE", "/sessions/AAAAAAAAAAAAAAAAAAAAAA").status == 404)
        #expect(await control.call("DELETE", "/sessions/no-session").status == 404)
    }

    @Test func endsAllOfAUserAndNoOthers() async throws {
        let control = try await ControlUnderTest()
        let alices = try await control.newSession()
        let bobs = try await control.json("POST", "/sessions", ["user": "bob", "client": "app", "scope": "openid"])
        #expect(await control.call("DELETE", "/sessions?user=alice").status == 204)
        #expect(await control.isActive(alices.access) == false)
        #expect(await control.isActive(try #require(bobs["access_token"]?.string)) == true)
    }

    /// More than are looked for at once.
    @Test(arguments: [1, 2, 3, 100])
    func endsAllHoweverManyThereAre(batchCount: Int) async throws {
        let control = try await ControlUnderTest()
        for _ in 0..<5 { _ = try await control.newSession(scope: "openid offline_access") }
        _ = try await control.json("POST", "/sessions", ["user": "bob", "client": "app", "scope": "openid"])
        let sessions = SessionDirectory(context: control.context, batchCount: batchCount)
        try await sessions.endAll { user, _ in user == "alice" }
        let (logins, families) = (try await sessions.logins(), try await sessions.families())
        #expect(logins.count == 6 && families.count == 6)
        #expect(logins.allSatisfy { ($0.ended != nil) == ($0.userID == "alice") })
        #expect(families.allSatisfy { ($0.ended != nil) == ($0.terms.userID == "alice") })
    }

    @Test func putsClaimsIntoTheNextLoginAlone() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PUT", "/logins/next-claims", ["user": "alice", "claims": ["roles": ["auditor"]]])
        _ = try await control.json("PUT", "/logins/next-claims", ["user": "bob", "claims": ["roles": ["other"]]])
        let first = try await control.newSession()
        #expect(try payload(first.access)["roles"] == ["auditor"])
        #expect(try payload(first.json["id_token"]?.string)["roles"] == ["auditor"])
        let second = try await control.newSession()
        #expect(try payload(second.access)["roles"] == nil)
        let waiting = try await control.json("GET", "/logins/next-claims")["waiting"]?.array
        #expect(waiting?.map { $0["user"] } == ["bob"])
    }

    @Test func putsThoseOfTheUserOverThoseOfAnybody() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PUT", "/logins/next-claims", ["claims": ["a": 1, "b": 1]])
        _ = try await control.json("PUT", "/logins/next-claims", ["user": "alice", "claims": ["b": 2], "count": 2])
        let first = try payload(try await control.newSession().access)
        #expect(first["a"] == 1 && first["b"] == 2)
        let second = try payload(try await control.newSession().access)
        #expect(second["a"] == nil && second["b"] == 2)
    }

    @Test func decidesForADevice() async throws {
        let control = try await ControlUnderTest()
        _ = await control.call(
            "PUT", "/clients/tv", ["grant_types": ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"]])
        let begun = await control.provider.token("client_id=tv&scope=openid", path: "/device_authorization")
        let userCode = try begun.text("user_code")
        #expect(await control.call("POST", "/device/\(userCode)", ["user": "nobody"]).status == 400)
        #expect(await control.call("POST", "/device/BBBB-BBBB", ["user": "alice"]).status == 404)
        #expect(await control.call("POST", "/device/\(userCode)", ["user": "alice"]).status == 204)
        #expect(await control.call("POST", "/device/\(userCode)", ["user": "alice", "approve": false]).status == 409)
        let tokens = await control.provider.token(
            "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=tv"
                + "&device_code=\(try begun.text("device_code"))")
        #expect(try payload(tokens.text("id_token"))["sub"] == "alice")
    }

    /// As the page of a login says it.
    @Test func aSessionHasTheContextClassOfALogin() async throws {
        let control = try await ControlUnderTest()
        for contextClass in ["urn:pawl:acr:password", "urn:example:gold"] {
            let change: JSON = ["acr_values": [.string(contextClass), "urn:example:silver"]]
            _ = try await control.json("PATCH", "/settings", change)
            let session = try await control.newSession(scope: "openid")
            let identity = try payload(session.json["id_token"]?.string)
            let access = try payload(session.access)
            #expect(identity["acr"] == .string(contextClass))
            #expect(access["acr"] == .string(contextClass))
            #expect(identity["amr"] == ["pwd"])
        }
    }
}

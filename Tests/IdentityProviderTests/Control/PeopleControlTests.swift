import IdentityProvider
import OAuth
import Primitives
import Testing

/// Users and clients.
@Suite struct PeopleControlTests {
    @Test func listsUsersWithoutTheirPasswords() async throws {
        let control = try await ControlUnderTest()
        let users = try #require(try await control.json("GET", "/users")["users"]?.array)
        #expect(users.map { $0["username"] } == ["alice", "bob", "minji", "haruto"])
        #expect(users.allSatisfy { $0["password"] == nil && $0["has_password"] == true })
    }

    @Test func addsAUser() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = ["password": "pass", "claims": ["roles": ["admin"]]]
        let answer = await control.call("PUT", "/users/carol%40example.com", body)
        #expect(answer.status == 201)
        let user = try #require(control.context.users[username: "carol@example.com"])
        #expect(user.claims == ["roles": ["admin"]])
        #expect(control.context.users.user("carol@example.com", provenBy: Secret(utf8: "pass")) != nil)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("pass\""))
    }

    @Test func changesOneAndKeepsWhatIsLeftOut() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", "/users/alice", ["claims": ["name": "Alice Two"]])
        #expect(answer.status == 200)
        #expect(control.context.users.user("alice", provenBy: Secret(utf8: "alice"))?.claims == ["name": "Alice Two"])
        _ = try await control.json("PUT", "/users/alice", ["password": nil])
        #expect(control.context.users.user("alice", provenBy: Secret(utf8: "whatever")) != nil)
    }

    @Test(
        arguments: [
            (["username": "other"], "username"), (["claims": []], "claims"), (["password": 1], "password"),
            (["id": "\u{E9}"], "id"), (["pasword": "x"], "pasword"),
        ] as [(JSON, String)])
    func refusesAUserThatIsWrongAndSaysWhere(_ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", "/users/alice", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
    }

    @Test func refusesTheSubjectOfAnother() async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("PUT", "/users/carol", ["id": "bob"]).status == 409)
        #expect(await control.call("PUT", "/users/alice", ["id": "bob"]).status == 409)
        #expect(control.context.users[username: "bob"] != nil)
    }

    @Test func removesAUserAndEndsWhatHeAuthorised() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        #expect(await control.call("DELETE", "/users/alice").status == 204)
        #expect(await control.call("DELETE", "/users/alice").status == 404)
        #expect(await control.isActive(session.access) == false)
    }

    /// However he went: nothing that stands for him is good from that moment on.
    @Test func aUserWhoIsGoneHasNoGoodTokens() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        #expect(await control.isActive(session.access) == true)
        control.context.users.remove(id: "alice")
        #expect(await control.isActive(session.access) == false)
        let refresh = "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)"
        #expect(await control.provider.token(refresh).error == "invalid_grant")
    }

    /// Who comes back under the same subject does not get back what was his.
    @Test func aUserWhoComesBackFindsNothingAlive() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession(scope: "openid offline_access")
        #expect(await control.call("DELETE", "/users/alice").status == 204)
        #expect(await control.call("PUT", "/users/alice", ["password": "alice"]).status == 201)
        try await control.expectDead(session)
    }

    /// OpenID Connect Core section 2: the subject is never used for anybody else. A name that gets another one is another
    /// user.
    @Test func aUserWhoGetsAnotherSubjectLosesWhatHungOnTheFormer() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession(scope: "openid offline_access")
        let store = control.context.store
        let scope = try Scope(parsing: "read")
        try await store.rememberConsent(scope, of: scope, by: "alice", to: "app", for: [])
        #expect(await control.call("PUT", "/users/alice", ["id": "alice-2"]).status == 200)
        #expect(await control.isActive(session.access) == false)
        #expect(await control.call("PUT", "/users/alice", ["id": "alice"]).status == 200)
        try await control.expectDead(session)
        #expect(try await store.consent(of: "alice", to: "app", for: []) == nil)
    }

    @Test func aUserWhoOnlyChangesKeepsWhatIsHis() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession(scope: "openid offline_access")
        _ = try await control.json("PUT", "/users/alice", ["claims": ["name": "Alice Two"]])
        #expect(await control.isActive(session.access) == true)
    }

    @Test(arguments: ["/users/alice", "/clients/app"])
    func forgetsTheConsentOfWhoeverIsRemoved(path: String) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.newSession()
        let store = control.context.store
        let scope = try Scope(parsing: "read")
        for (user, client) in [("alice", "app"), ("bob", "other")] {
            try await store.rememberConsent(scope, of: scope, by: user, to: client, for: [])
        }
        #expect(await control.call("DELETE", path).status == 204)
        #expect(try await store.consent(of: "alice", to: "app", for: []) == nil)
        #expect(try await store.consent(of: "bob", to: "other", for: []) == scope)
    }

    @Test func addsAClientThatGetsTokens() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = ["client_secret": "of-the-client", "grant_types": ["client_credentials"], "scope": "read"]
        let answer = await control.call("PUT", "/clients/app", body)
        #expect(answer.status == 201, "\(answer.errorDescription)")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("of-the-client"))
        let token = await control.provider.token("grant_type=client_credentials&scope=read", basic: "app:of-the-client")
        #expect(token.status == 200)
    }

    @Test func makesTheKeyThatAClientWants() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = [
            "client_secret": "of-the-client", "grant_types": ["client_credentials"],
            "access_token_signed_response_alg": "EdDSA",
        ]
        #expect(await control.call("PUT", "/clients/app", body).status == 201)
        #expect(await control.provider.token("grant_type=client_credentials", basic: "app:of-the-client").status == 200)
    }

    @Test(
        arguments: [
            (["redirect_uris": ["javascript:1"]], "redirect_uris[0]"), (["client_id": "other"], "client_id"),
            (["nothing": 1], "nothing"), (["grant_types": "all"], "grant_types"),
        ] as [(JSON, String)])
    func refusesAClientThatIsWrongAndSaysWhere(_ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", "/clients/app", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
        #expect(control.context.clients["app"] == nil)
    }

    @Test func removesAClient() async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("DELETE", "/clients/service").status == 204)
        #expect(await control.call("GET", "/clients/service").status == 404)
        #expect(await control.provider.token("grant_type=client_credentials", basic: "service:secret").status == 401)
    }
}

extension ControlUnderTest {
    /// A session of alice at a public client, made for it.
    func newSession(scope: String = "openid") async throws -> (access: String, refresh: String, json: JSON) {
        _ = await call(
            "PUT", "/clients/app",
            [
                "redirect_uris": ["http://127.0.0.1/callback"],
                "grant_types": ["authorization_code", "refresh_token"],
            ])
        let json = try await json("POST", "/sessions", ["user": "alice", "client": "app", "scope": .string(scope)])
        return (
            try #require(json["access_token"]?.string), try #require(json["refresh_token"]?.string), json
        )
    }

    /// That nothing of a session is good any more.
    func expectDead(
        _ session: (access: String, refresh: String, json: JSON), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(await isActive(session.access) == false, sourceLocation: sourceLocation)
        let answer = await provider.token(
            "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)")
        #expect(answer.error == "invalid_grant", sourceLocation: sourceLocation)
    }

    func isActive(_ token: String) async -> Bool? {
        await provider.token("token=\(token)", basic: "service:secret", path: "/introspect").json?["active"]?.bool
    }
}

import IdentityProviderTesting
import Testing

/// The examples of the documentation: users, clients, the clock.
@Suite struct PeopleExamples {
    @Test func users() async throws {
        try await withIdentityProvider { idp in
            let carol = TestUser("carol", claims: ["email": "carol@example.com", "roles": ["admin"]])
            try idp.users.add(carol)
            #expect(idp.users.all.last?.claims["roles"] == ["admin"])
        }
        try await withIdentityProvider { idp in
            try idp.users.add(TestUser("carol"))
            let names = idp.users.all.map(\.username)  // alice, bob, minji, haruto, carol
            try await idp.users.remove("carol")
            #expect(names == ["alice", "bob", "minji", "haruto", "carol"])
            #expect(idp.users.all.count == 4)
        }
        try await withIdentityProvider { idp in
            try idp.users.add(TestUser("alice", claims: ["name": "Alice Two"]))
            #expect(idp.users.all.first?.claims == ["name": "Alice Two"])
            let dora = TestUser("dora", subject: "u-1", password: "correct horse", claims: ["given_name": "Dora"])
            try idp.users.add(dora)
            let wasThere = try await idp.users.remove("bob")
            #expect(wasThere)
        }
    }

    @Test func clients() async throws {
        try await withIdentityProvider { idp in
            try await idp.clients.add(.publicApp("app", redirectURI: "http://127.0.0.1/callback"))
            try await idp.clients.add(.confidential("backend", secret: "s3cret"))
            #expect(idp.clients.ids.suffix(2) == ["app", "backend"])
        }
        try await withIdentityProvider { idp in
            try await idp.clients.add(.publicApp("app", redirectURI: "http://127.0.0.1/callback"))
            let ids = idp.clients.ids  // web, native, service, app
            try await idp.clients.remove("app")
            #expect(ids == ["web", "native", "service", "app"])
            let wasThere = try await idp.clients.remove("native")
            #expect(wasThere)
        }
        try await withIdentityProvider { idp in
            var client = TestClient("reports", secret: "s3cret", grantTypes: ["client_credentials"])
            client.scope = "reports:read"
            client.metadata["token_endpoint_auth_method"] = "client_secret_post"
            try await idp.clients.add(client)
            let app = TestClient.publicApp("app", redirectURI: "com.example.app:/callback")
            try await idp.clients.add(app)
            let backend = TestClient.confidential("backend", secret: "s3cret")
            try await idp.clients.add(backend)
            #expect(idp.clients.ids.count == 6)
        }
    }

    @Test func sessionsInCookies() async throws {
        try await withIdentityProvider { idp in
            var app = TestClient.publicApp("app", redirectURI: "http://127.0.0.1/callback")
            app.cookieSession = TestCookieSession(origins: ["http://localhost:3000"])
            app.cookieSession?.accessCookie.lifetime = .seconds(86_400)
            try await idp.clients.add(app)
            let form = "client_id=app&username=alice&password=alice"
            let answer = try await AppUnderTest(idp).post("/session", form)
            #expect(answer.text("username") == "alice")
        }
        try await withIdentityProvider { idp in
            let sessions = TestCookieSession(forkTo: ["webview"], endsLogin: true)
            #expect(sessions.endsLogin && sessions.forkTo == ["webview"])
            var app = TestClient.publicApp("app", redirectURI: "http://127.0.0.1/callback")
            app.cookieSession = sessions
            try await idp.clients.add(app)
            var cookie = TestSessionCookie()
            cookie.name = "sid"
            cookie.persistence = .session
            cookie.sameSite = .strict
            app.cookieSession?.accessCookie = cookie
            try await idp.clients.add(app)
            cookie.prefix = .secure
            cookie.persistence = .both
            cookie.sameSite = TestSessionCookie.SameSite.none
            app.cookieSession?.accessCookie = cookie
            try await idp.clients.add(app)
            // What no browser would keep is no setting.
            cookie.isSecure = false
            app.cookieSession?.accessCookie = cookie
            await #expect(throws: IdentityProviderTestingError.self) { try await idp.clients.add(app) }
        }
        do {
            let cookie = TestSessionCookie()
            #expect(cookie.isHTTPOnly && cookie.isSecure == nil)
        }
    }

    @Test func clock() async throws {
        try await withIdentityProvider { idp in
            let before = idp.clock.secondsSince1970
            idp.clock.advance(by: .seconds(3600))  // access tokens have expired
            idp.clock.freeze()  // and no time passes any more
            #expect(idp.clock.secondsSince1970 >= before + 3600)
            idp.clock.advance(by: .seconds(301))
            idp.clock.set(secondsSince1970: 1_900_000_000)
            #expect(idp.clock.secondsSince1970 == 1_900_000_000)
            #expect(idp.clock.isFrozen)
            idp.clock.resume()
            idp.clock.reset()
            #expect(idp.clock.secondsSince1970 < 1_900_000_000 + 3600 * 24 * 365 * 10)
            #expect(!idp.clock.isFrozen)
        }
    }

    @Test func setups() async throws {
        let setup = TestSetup(
            users: [TestUser("carol", claims: ["roles": ["admin"]])],
            clients: [.publicApp("app", redirectURI: "http://127.0.0.1/callback")],
            accessTokenLifetime: .seconds(1))
        try await withIdentityProvider(setup) { idp in
            print(idp.users.all.map(\.username))  // carol
        }
        try await withIdentityProvider(setup) { idp in #expect(idp.clients.ids == ["app"]) }
        let strict = TestSetup(clients: [], allowances: [])
        let open = TestSetup(allowances: [.anyClient, .automaticLogin])
        let old = TestSetup(legacy: [.password, .implicit])
        for setup in [strict, open, old] {
            try await withIdentityProvider(setup) { idp in #expect(idp.users.all.count == 4) }
        }
    }

    @Test func algorithms() async throws {
        let setup = TestSetup(algorithm: .rs256)
        try await withIdentityProvider(setup) { idp in
            #expect(idp.discovery["jwks_uri"] != nil)
        }
    }

    @Test func values() {
        let claims: [String: JSONValue] = [
            "roles": ["admin", "staff"],
            "email_verified": true,
            "age": 42,
            "address": ["country": "KR"],
        ]
        #expect(claims["age"] == .integer(42))
        let grant: String? = JSONValue.string("refresh_token").string
        let lifetime: Int64? = JSONValue.integer(300).integer
        let isActive: Bool? = JSONValue.bool(true).bool
        let roles: [JSONValue]? = JSONValue.array(["admin"]).array
        #expect(grant == "refresh_token" && lifetime == 300 && isActive == true && roles == ["admin"])
        let address: JSONValue = ["country": "KR"]
        let country = address["country"]?.string
        #expect(country == "KR")
    }
}

import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What tokens say about users: OpenID Connect Core sections 5.4, 5.5 and 8.
@Suite struct ClaimTests {
    @Test func theScopeSaysWhatAnIDTokenSays() async throws {
        let provider = try await GrantsProvider()
        let expected: [(String, Set<String>, Set<String>)] = [
            ("openid", [], ["name", "email", "phone_number", "address"]),
            ("openid email", ["email", "email_verified"], ["name", "phone_number", "address"]),
            ("openid profile", ["name", "preferred_username", "locale"], ["email", "phone_number", "address"]),
            ("openid phone address", ["phone_number", "address"], ["name", "email"]),
        ]
        for (scope, present, absent) in expected {
            let answer = await provider.password(scope: scope)
            let claims = Set(try await provider.idTokenClaims(try answer.text("id_token")).members.names)
            #expect(claims.isSuperset(of: present), "\(scope)")
            #expect(claims.isDisjoint(with: absent), "\(scope)")
            // Claims that no standard scope stands for go wherever they are wanted.
            #expect(claims.contains("groups"))
            let access = Set(try await provider.claims(try answer.text("access_token")).members.names)
            #expect(access.isDisjoint(with: ["name", "email", "phone_number", "address"]))
        }
    }

    /// OpenID Connect Core section 5.4: with an access token, the claims are at the userinfo endpoint.
    @Test func whereItIsConfiguredTheIDTokenIsSmall() async throws {
        let provider = try await GrantsProvider { $0.idTokens.userClaims = .withoutAccessToken }
        let answer = await provider.password(scope: "openid profile email")
        let claims = try await provider.idTokenClaims(try answer.text("id_token"))
        #expect(claims.members["name"] == nil)
        #expect(claims.members["email"] == nil)
    }

    /// Whatever is known of a user, nothing of it becomes a claim of the provider's own.
    @Test(arguments: [(true, true), (true, false), (false, true)])
    func noUserAndNoClientReplacesWhatTheProviderSays(user isHostile: Bool, client hasHostileClaims: Bool) async throws
    {
        let hostile: JSONObject = [
            "iss": "https://evil.example", "sub": "bob", "aud": "evil", "exp": 1, "iat": 1, "jti": "x",
            "client_id": "x",
            "scope": "admin", "cnf": ["jkt": "x"], "act": ["sub": "x"], "nonce": "x", "auth_time": 1, "at_hash": "x",
            "sid": "x", "c_hash": "x", "nbf": 1, "azp": "x", "s_hash": "x", "events": [:], "active": false,
            "token_type": "x",
        ]
        #expect(Set(hostile.names) == ClaimRules.protectedClaims)
        let client = try GrantsProvider.client("claims") { if hasHostileClaims { $0.claims = hostile } }
        let provider = try await GrantsProvider(
            clients: [client],
            users: [try User(username: "mallory", password: Secret(utf8: "mallory"), claims: isHostile ? hostile : [:])]
        )
        let answer = await provider.password("mallory", as: "claims:secret")
        let access = try await provider.claims(try answer.text("access_token"))
        #expect(access.subject == "mallory")
        #expect(access.members["client_id"] == "claims")
        #expect(access.members["scope"] == "openid read write")
        #expect(access.members["cnf"] == nil)
        #expect(access.members["act"] == nil)
        let identity = try await provider.idTokenClaims(try answer.text("id_token"), audience: "claims")
        #expect(identity.subject == "mallory")
        #expect(identity.issuer == ProviderUnderTest.issuer)
        #expect(identity.members["amr"] == ["pwd"])
        for name in ["nonce", "sid", "c_hash"] { #expect(identity.members[name] == nil, "\(name)") }
        for name in ["nbf", "azp", "s_hash", "events", "active", "token_type"] {
            #expect(access.members[name] == nil, "\(name)")
            #expect(identity.members[name] == nil, "\(name)")
        }
    }

    @Test func aClientHasClaimsOfItsOwn() async throws {
        let client = try GrantsProvider.client("claims") { $0.claims = ["tenant": "blue", "groups": ["none"]] }
        let provider = try await GrantsProvider(clients: [client])
        let answer = await provider.password(as: "claims:secret")
        for claims in [
            try await provider.claims(try answer.text("access_token")),
            try await provider.idTokenClaims(try answer.text("id_token"), audience: "claims"),
        ] {
            #expect(claims.members["tenant"] == "blue")
            #expect(claims.members["groups"] == ["none"])
        }
    }

    // MARK: Subjects (section 8)

    private static func sector(_ id: String, host: String) throws -> Client {
        try GrantsProvider.client(id) {
            $0.subjectType = .pairwise
            $0.sectorHost = host
        }
    }

    @Test func aPairwiseSubjectIsOfOneSector() async throws {
        let clients = [
            try Self.sector("a1", host: "a.example"), try Self.sector("a2", host: "a.example"),
            try Self.sector("b1", host: "b.example"),
        ]
        let provider = try await GrantsProvider(clients: clients)
        func subject(_ client: String, _ user: String = "alice") async throws -> String {
            let answer = await provider.password(user, as: "\(client):secret")
            let access = try #require(try await provider.claims(try answer.text("access_token")).subject)
            let identity = try await provider.idTokenClaims(try answer.text("id_token"), audience: client).subject
            #expect(access == identity)
            return access
        }
        let first = try await subject("a1")
        #expect(try await subject("a1") == first)
        #expect(try await subject("a2") == first)
        #expect(try await subject("b1") != first)
        #expect(try await subject("a1", "bob") != first)
        // Section 8.1: nothing of the user can be read off it.
        #expect(!first.contains("alice"))
        #expect(first.utf8.count == 43)
    }

    @Test func aPairwiseSubjectFollowsFromTheSalt() async throws {
        func subject(_ salt: String) async throws -> String? {
            let provider = try await GrantsProvider { $0.pairwiseSalt = Secret(utf8: salt) }
            let answer = await provider.password(as: "pair:secret")
            return try await provider.claims(try answer.text("access_token")).subject
        }
        let first = try await subject("one")
        #expect(try await subject("one") == first)
        #expect(try await subject("two") != first)
    }

    /// Two pairs of sector and user never run together into one text.
    @Test func sectorAndUserDoNotRunTogether() async throws {
        let clients = [try Self.sector("a", host: "x.example"), try Self.sector("b", host: "x.example1")]
        let provider = try await GrantsProvider(
            clients: clients,
            users: [
                try User(username: "1u", password: Secret(utf8: "1u")),
                try User(username: "u", password: Secret(utf8: "u")),
            ])
        let one = await provider.password("1u", as: "a:secret")
        let two = await provider.password("u", as: "b:secret")
        #expect(
            try await provider.claims(try one.text("access_token")).subject
                != provider.claims(try two.text("access_token")).subject)
    }

    // MARK: Overrides

    @Test func anOverrideReplacesAndRemovesOnce() async throws {
        let provider = try await GrantsProvider()
        var override = TokenOverride()
        override.accessTokenClaims = ["sub": "somebody", "extra": [1, 2], "scope": nil]
        override.idTokenClaims = ["nonce": "n", "auth_time": nil, "email": "x"]
        override.members = ["expires_in": 1, "refresh_token": nil, "token_type": "mac", "surprise": true]
        provider.context.overrides.add(override)
        let answer = await provider.password()
        #expect(answer.json?["expires_in"] == 1)
        #expect(answer.json?["token_type"] == "mac")
        #expect(answer.json?["surprise"] == true)
        #expect(answer.json?.object?.contains("refresh_token") == false)
        let access = try await provider.claims(try answer.text("access_token"))
        #expect(access.subject == "somebody")
        #expect(access.members["extra"] == [1, 2])
        #expect(access.members["scope"] == nil)
        #expect(Set(access.members.names).count == access.members.count)
        let identity = try await provider.idTokenClaims(try answer.text("id_token"))
        #expect(identity.members["nonce"] == "n")
        #expect(identity.members["auth_time"] == nil)
        #expect(identity.subject == "alice")

        let next = await provider.password()
        #expect(next.json?["surprise"] == nil)
        #expect(try await provider.claims(try next.text("access_token")).subject == "alice")
    }

    @Test func anOverrideCountsForEveryGrant() async throws {
        let provider = try await GrantsProvider()
        var override = TokenOverride()
        override.members = ["marked": true]
        override.accessTokenClaims = ["marked": true]
        let (_, refresh) = try await provider.family()
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        provider.context.overrides.add(override, count: 3)
        for answer in [
            await provider.refresh(refresh), await provider.token([("grant_type", "client_credentials")]),
            await flow.poll(),
        ] {
            #expect(answer.json?["marked"] == true)
            #expect(try await provider.claims(try answer.text("access_token"))["marked"] == true)
        }
        #expect(await provider.password().json?["marked"] == nil)
    }
}

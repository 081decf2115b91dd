import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Synchronization
import Testing

@Suite struct TenantTests {
    private static func token(_ idp: ProviderUnderTest, _ path: String) async -> Answer {
        await idp.token("grant_type=client_credentials", basic: "service:secret", path: path)
    }

    @Test func isMadeByFirstUseAndIsAProviderOfItsOwn() async throws {
        let idp = try await ProviderUnderTest()
        let answer = await Self.token(idp, "/t/one/token")
        #expect(answer.status == 200)
        let document = await idp.get("/t/one/.well-known/openid-configuration").json
        #expect(document?["issuer"]?.string == "\(ProviderUnderTest.issuer)/t/one")
        #expect(document?["token_endpoint"]?.string == "\(ProviderUnderTest.issuer)/t/one/token")
        #expect(document?["jwks_uri"]?.string == "\(ProviderUnderTest.issuer)/t/one/jwks.json")
        // RFC 8725 section 3.10: its keys are its own, and so are its tokens.
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/t/one/jwks.json").body.span))
        let issuer = "\(ProviderUnderTest.issuer)/t/one"
        let policy = JWTPolicy.accessToken(issuer: issuer, audience: issuer)
        let token = try policy.verify(try answer.text("access_token"), keys: keys, at: idp.clock.now())
        #expect(token.claims.issuer == issuer)
        await #expect(throws: JWTError.self) {
            try await idp.verified(try answer.text("access_token"), audience: issuer)
        }
    }

    @Test func tenantsDoNotMeet() async throws {
        let idp = try await ProviderUnderTest(clients: StandardClients.all(), users: StandardUsers.all())
        let form = "grant_type=password&username=alice&password=alice"
        let one = await idp.token(form, basic: "service:secret", path: "/t/one/token")
        let refresh = "grant_type=refresh_token&refresh_token=\(try one.text("refresh_token"))"
        #expect(await idp.token(refresh, basic: "service:secret", path: "/t/two/token").error == "invalid_grant")
        #expect(await idp.token(refresh, basic: "service:secret").error == "invalid_grant")
        try await idp.provider.tenant(#require(TenantName("one"))).context.users.remove(id: "alice")
        #expect(await idp.token(form, basic: "service:secret", path: "/t/one/token").error == "invalid_grant")
        #expect(await idp.token(form, basic: "service:secret", path: "/t/two/token").status == 200)
        // What a user authorised is worth nothing when he is not there any more.
        #expect(await idp.token(refresh, basic: "service:secret", path: "/t/one/token").error == "invalid_grant")
    }

    /// However many come first at once, one is made.
    @Test(arguments: 1...5)
    func ofManyFirstUsesOneMakesIt(round: Int) async throws {
        let idp = try await ProviderUnderTest()
        let name = try #require(TenantName("shared"))
        let tenants = try await withThrowingTaskGroup(of: Tenant.self) { group in
            for _ in 0..<32 { group.addTask { try await idp.provider.tenant(name) } }
            return try await group.reduce(into: [Tenant]()) { $0.append($1) }
        }
        #expect(tenants.count == 32)
        #expect(tenants.allSatisfy { $0 === tenants[0] })
    }

    /// One that could not be made is made by the next who asks.
    @Test func aFailureIsNotKept() async throws {
        let supply = FailingKeySupply()
        let idp = try await IdentityProvider(
            configuration: ProviderConfiguration(
                clients: .underTest(), accessTokens: AccessTokenPolicy(algorithm: .es256)),
            environment: ProviderEnvironment(
                clock: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)),
                random: SeededRandom(seed: 1), keySupply: supply))
        let name = try #require(TenantName("one"))
        supply.fails.store(true, ordering: .releasing)
        await #expect(throws: OAuthError.self) { try await idp.tenant(name) }
        supply.fails.store(false, ordering: .releasing)
        _ = try await idp.tenant(name)
    }

    @Test(arguments: ["a", "A-b_c.9", "...", ".a", String(repeating: "x", count: 64)])
    func takesAPlainName(name: String) async throws {
        #expect(TenantName(name)?.text == name)
        let idp = try await ProviderUnderTest()
        #expect(await Self.token(idp, "/t/\(name)/token").status == 200)
    }

    @Test(arguments: [
        "", ".", "..", "a b", "a/b", "a%2Fb", "%2e%2e", "a?b", "a#b", "a\u{0}b", "a\\b", "\u{E9}", "a:b", "a@b", "*",
        String(repeating: "x", count: 65), "a\u{301}", "ａ",
    ])
    func refusesAHostileName(name: String) async throws {
        #expect(TenantName(name) == nil)
        let idp = try await ProviderUnderTest()
        let answer = await Self.token(idp, "/t/\(name)/token")
        #expect(
            answer.status == 404 || (name == "a/b" && answer.status == 404) || (name == "a?b" && answer.status == 404))
    }

    /// Names are compared byte by byte.
    @Test func anotherSpellingIsAnotherTenant() async throws {
        let idp = try await ProviderUnderTest()
        let small = try await idp.provider.tenant(#require(TenantName("one")))
        let large = try await idp.provider.tenant(#require(TenantName("ONE")))
        #expect(small !== large)
    }

    @Test(arguments: [
        "/t", "/t/", "/t//token", "/T/one/token", "//t/one/token", "/t/one//token", "/t/one/token/", "/t/one/../token",
        "/t/one/t/two/token", "/t/one%2Ftoken", "/token/t/one", "/t/one/TOKEN", "/%74/one/token",
    ])
    func refusesAPathThatIsNobodys(path: String) async throws {
        let idp = try await ProviderUnderTest()
        #expect(await Self.token(idp, path).status == 404)
    }

    /// A tenant costs keys and state: whoever only walks along paths makes none.
    @Test(arguments: ["/t/one/nowhere", "/t/one/token/x", "/t/one/_pawlx"])
    func aPathThatLeadsNowhereMakesNoTenant(path: String) async throws {
        let idp = try await ProviderUnderTest()
        #expect(await idp.get(path).status == 404)
        #expect(await idp.respond(.options, path).status == 404)
        #expect(await Self.token(idp, path).status == 404)
        #expect(idp.provider.knownTenants.isEmpty)
        #expect(await idp.get("/t/one/jwks.json").status == 200)
        #expect(idp.provider.knownTenants.count == 1)
        #expect(await idp.get(path).status == 404)
    }

    private static func fixed(_ issuer: String) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(issuer: .fixed(Issuer(issuer)))
    }

    /// RFC 8414 section 3.1 puts the well-known name between host and path; OpenID Connect Discovery section 4.1 behind.
    @Test(arguments: ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])
    func theMetadataIsInBothPlaces(name: String) async throws {
        let plain = try await ProviderUnderTest()
        for path in ["/t/one\(name)", "\(name)/t/one"] {
            #expect(await plain.get(path).json?["issuer"]?.string == "\(ProviderUnderTest.issuer)/t/one")
        }
        let below = try await Self.fixed("https://idp.example/base")
        for path in ["/base\(name)", "\(name)/base"] {
            #expect(await below.get(path).json?["issuer"] == "https://idp.example/base")
        }
        for path in ["/base/t/one\(name)", "\(name)/base/t/one"] {
            #expect(await below.get(path).json?["issuer"] == "https://idp.example/base/t/one")
        }
    }

    @Test(arguments: [
        "/.well-known/openid-configuration", "/.well-known/openid-configuration/t/one",
        "/.well-known/openid-configuration/base/", "/.well-known/openid-configuration/base/t/",
        "/.well-known/openid-configuration/base/t/..", "/.well-known/openid-configuration/basement",
        "/.well-known/openid-configuration/other/base", "/.well-known/openid-configurationbase",
        "/token", "/t/one/token", "/basement/token", "/base", "/base//token", "/BASE/token", "/base/base/token",
    ])
    func refusesWhatIsOutsideTheFixedPath(path: String) async throws {
        let idp = try await Self.fixed("https://idp.example/base")
        #expect(await idp.get(path).status == 404)
        #expect(await Self.token(idp, path).status == 404)
    }

    @Test func answersBelowTheFixedPath() async throws {
        let idp = try await Self.fixed("https://idp.example/base")
        for path in ["/base/token", "/base/t/one/token"] { #expect(await Self.token(idp, path).status == 200) }
    }

    /// A path that only looks like ours to whoever compares letters and not bytes.
    @Test func refusesAnotherSpellingOfTheFixedPath() async throws {
        let idp = try await Self.fixed("https://idp.example/Kelvin")
        #expect(await Self.token(idp, "/Kelvin/token").status == 200)
        #expect(await Self.token(idp, "/\u{212A}elvin/token").status == 404)
        #expect(await idp.get("/.well-known/openid-configuration/\u{212A}elvin").status == 404)
    }
}

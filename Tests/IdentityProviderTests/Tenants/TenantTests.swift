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

    /// As with whatever else the store cannot do now, the client comes again: a full disk is no fault of the program.
    @Test func saysWhenToComeAgainWhileItsKeysCannotBeKept() async throws {
        let supply = FailingKeySupply()
        let idp = try await Self.provider(supply)
        supply.fails.store(true, ordering: .releasing)
        for (method, path) in [(HTTPRequest.Method.get, "/t/one/jwks.json"), (.put, "/_pawl/tenants/one")] {
            let answer = await Self.ask(method, path, of: idp)
            #expect(answer.status == 503 && answer.field("Retry-After") != nil, "\(path)")
            #expect(answer.error == "temporarily_unavailable")
        }
        supply.fails.store(false, ordering: .releasing)
        #expect(await Self.ask(.get, "/t/one/jwks.json", of: idp).status == 200)
    }

    private static func ask(_ method: HTTPRequest.Method, _ path: String, of idp: IdentityProvider) async -> Answer {
        let head = HTTPRequest(method: method, scheme: nil, authority: ProviderUnderTest.host, path: path)
        let peer = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
        return Answer(await idp.respond(to: ServerRequest(head: head, body: [], peer: peer, id: "r")))
    }

    private static func provider(_ supply: any KeySupply, most: Int = 10_000) async throws -> IdentityProvider {
        var environment = ProviderEnvironment(
            clock: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)),
            random: SeededRandom(seed: 1), keySupply: supply)
        environment.maximumTenantCount = most
        return try await IdentityProvider(
            configuration: ProviderConfiguration(
                clients: .underTest(), accessTokens: AccessTokenPolicy(algorithm: .es256)),
            environment: environment)
    }

    private static func put(_ name: String, to idp: IdentityProvider) async -> Int {
        let head = HTTPRequest(
            method: .put, scheme: nil, authority: ProviderUnderTest.host, path: "/_pawl/tenants/\(name)",
            headerFields: [.contentType: "application/json"])
        let peer = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
        return Answer(
            await idp.respond(to: ServerRequest(head: head, body: Array("{}".utf8), peer: peer, id: "r"))
        ).status
    }

    /// Anybody can make them up: by first use and by the control API there are so many and no more, and those that are
    /// there go on.
    @Test func thereIsAnEndToTenants() async throws {
        let idp = try await Self.provider(FailingKeySupply(), most: 3)
        for name in ["a", "b"] { _ = try await idp.tenant(#require(TenantName(name))) }
        #expect(await Self.put("c", to: idp) == 201)
        await #expect(throws: OAuthError(.temporarilyUnavailable, "")) {
            try await idp.tenant(#require(TenantName("d")))
        }
        #expect(await Self.put("d", to: idp) == 503)
        #expect(await Self.put("a", to: idp) == 200)
        _ = try await idp.tenant(#require(TenantName("b")))
        #expect(idp.knownTenants.count == 3)
    }

    /// Whoever puts a tenant while another of the name is in the making has the last word.
    @Test func whatIsPutIsNotReplacedByWhatWasInTheMaking() async throws {
        let supply = GatedKeySupply()
        let idp = try await Self.provider(supply)
        let name = try #require(TenantName("one"))
        supply.gate.close()
        async let first = idp.tenant(name)
        await supply.gate.waitForSomebody()
        #expect(await Self.put("one", to: idp) == 200)
        let put = try await idp.tenant(name)
        supply.gate.open()
        #expect(try await first !== put)
        #expect(try await idp.tenant(name) === put)
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
        #expect(answer.status == 404)
        // Of the last two, the name ends before what is strange about them.
        let isName = name == "a/b" || name == "a?b"
        #expect(answer.json?["error_description"]?.string?.contains("1 to 64 letters") == !isName)
    }

    /// What leads nowhere is told apart from a name that is none.
    @Test(arguments: ["/t", "/x/a b/token", "/t/one/nowhere"])
    func saysNothingOfNamesElsewhere(path: String) async throws {
        let answer = await Self.token(try await ProviderUnderTest(), path)
        #expect(answer.status == 404)
        #expect(answer.json?["error_description"]?.string?.contains("tenant") == false)
    }

    /// None is forgotten by itself, so the one that is too many has to say what to do.
    @Test func refusesMoreThanItHasRoomForUntilOneIsDeleted() async throws {
        var environment = ProviderEnvironment(
            clock: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)),
            random: SeededRandom(seed: 1), keySupply: FailingKeySupply())
        environment.maximumTenantCount = 2
        let idp = try await IdentityProvider(
            configuration: ProviderConfiguration(
                clients: .underTest(), accessTokens: AccessTokenPolicy(algorithm: .es256)), environment: environment)
        func ask(_ method: HTTPRequest.Method, _ path: String) async -> Answer {
            let head = HTTPRequest(
                method: method, scheme: nil, authority: ProviderUnderTest.host, path: path,
                headerFields: [.origin: "http://localhost:3000"])
            let peer = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
            return Answer(await idp.respond(to: ServerRequest(head: head, body: [], peer: peer, id: "r-1")))
        }
        for name in ["a", "b"] { #expect(await ask(.get, "/t/\(name)/jwks.json").status == 200) }
        for answer in [await ask(.get, "/t/c/jwks.json"), await ask(.put, "/_pawl/tenants/c")] {
            #expect(answer.status == 503)
            #expect(answer.error == "temporarily_unavailable")
            #expect(answer.errorDescription.contains("2 tenants"))
            #expect(answer.errorDescription.contains("DELETE /_pawl/tenants/{name}"))
            #expect(answer.field("Access-Control-Allow-Origin") == "http://localhost:3000")
        }
        #expect(await ask(.get, "/t/a/jwks.json").status == 200)
        #expect(await ask(.delete, "/_pawl/tenants/a").status == 204)
        #expect(await ask(.get, "/t/c/jwks.json").status == 200)
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

    /// RFC 9110 section 9.3.7: `*` is the server as a whole, and nothing that begins with our path.
    @Test(arguments: ["/base*", "/basement", "/base%2Ftoken"])
    func whatOnlyBeginsWithTheFixedPathIsNobodys(path: String) async throws {
        let idp = try await Self.fixed("https://idp.example/base")
        #expect(await idp.respond(.options, path).status == 404)
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

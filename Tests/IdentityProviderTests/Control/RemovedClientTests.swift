import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// What a client was given, and what it had begun, is not for another one of its name.
@Suite struct RemovedClientTests {
    private static let old = "https://old.example/cb"
    private static let new = "https://new.example/cb"

    private func provider(
        _ client: Client, outbound: any OutboundRequests = .none
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(
            clients: StandardClients.all() + [client], users: StandardUsers.all(), outbound: outbound)
    }

    private func remove(_ id: String, from idp: ProviderUnderTest) async throws {
        idp.context.clients.remove(id)
        try await SessionDirectory(context: idp.context).forget(clients: [id])
    }

    // MARK: Sign-ins

    /// Wherever the one that comes back has its answers sent.
    @Test(arguments: [old, new]) func anOpenSignInEndsWithItsClient(redirect: String) async throws {
        let idp = try await provider(.underTest("ia", redirects: [Self.old]))
        let browser = Browser(idp)
        let page = try await browser.authorize(["client_id": "ia", "redirect_uri": Self.old])
        #expect(page.name == "/login")
        try await remove("ia", from: idp)
        try idp.context.clients.add(.underTest("ia", redirects: [redirect]))
        let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
        #expect(answer.status == 400)
        #expect(answer.location == nil)
        #expect(answer.parameters["code"] == nil)
    }

    /// Also when nobody has had it forgotten yet.
    @Test func anOpenSignInIsForNoOtherClientOfTheName() async throws {
        let idp = try await provider(.underTest("ia", redirects: [Self.old]))
        let browser = Browser(idp)
        let page = try await browser.authorize(["client_id": "ia", "redirect_uri": Self.old])
        idp.context.clients.remove("ia")
        try idp.context.clients.add(.underTest("ia", redirects: [Self.old]))
        let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
        #expect(answer.status == 400)
        #expect(answer.location == nil)
    }

    /// RFC 6749 section 3.1.2.3, for a client that is changed while its user types.
    @Test func sendsNothingToARedirectURIThatWasTakenAway() async throws {
        let idp = try await provider(.underTest("ia", redirects: [Self.old]))
        let browser = Browser(idp)
        let page = try await browser.authorize(["client_id": "ia", "redirect_uri": Self.old])
        try idp.context.clients.put(.underTest("ia", redirects: [Self.new]))
        for pressed in [["username": "alice", "password": "alice"], ["cancel": "1"]] {
            let answer = try await browser.submit(page, pressed)
            #expect(answer.status == 400)
            #expect(answer.location == nil)
        }
    }

    @Test func anOpenSignInGoesOnWhenItsClientKeepsTheRedirectURI() async throws {
        let idp = try await provider(.underTest("ia", redirects: ["http://127.0.0.1/cb"]))
        let browser = Browser(idp)
        // RFC 8252 section 7.3: the port is the application's.
        let page = try await browser.authorize(["client_id": "ia", "redirect_uri": "http://127.0.0.1:49152/cb"])
        try idp.context.clients.put(.underTest("ia", redirects: [Self.new, "http://127.0.0.1/cb"]))
        let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
        #expect(answer.location?.hasPrefix("http://127.0.0.1:49152/cb?") == true)
        #expect(answer.parameters["code"] != nil)
    }

    @Test(arguments: [false, true]) func aPushedRequestGoesWithItsClient(isForgotten: Bool) async throws {
        let idp = try await provider(.underTest("ia"))
        let form = AuthorizationQuery(["client_id": "ia"]).path.dropFirst("/authorize?".count)
        let reference = try await idp.token(String(form), path: "/par").text("request_uri")
        idp.context.clients.remove("ia")
        if isForgotten { try await SessionDirectory(context: idp.context).forget(clients: ["ia"]) }
        try idp.context.clients.add(.underTest("ia"))
        let query = FormParameters([("client_id", "ia"), ("request_uri", reference)]).encoded
        let page = try await Browser(idp).open("/authorize?" + query)
        #expect(page.status == 400)
        #expect(page.name == "/authorize")
    }

    // MARK: Devices

    /// Nobody can connect it any more, and what it shows can be shown by another.
    @Test func aDeviceThatWaitsGoesWithItsClient() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let web = try #require(idp.context.clients["web"])
        let alice = try #require(idp.context.users[username: "alice"])
        let device = await idp.token("client_id=web&scope=openid", path: "/device_authorization")
        let other = await idp.token("client_id=native&scope=openid", path: "/device_authorization")
        let (shown, kept) = (try device.text("user_code"), try other.text("user_code"))
        try await remove("web", from: idp)
        try idp.context.clients.add(web)
        let decided = try await DeviceVerification.decide(userCode: shown, as: alice, approve: true, in: idp.context)
        #expect(decided == .unknownCode)
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
        let answer = await idp.token("\(grant)&client_id=web&device_code=\(try device.text("device_code"))")
        #expect(answer.error == "invalid_grant")

        let now = idp.clock.now()
        for (code, isFree) in [(shown, true), (kept, false)] {
            let another = DeviceAuthorization(
                clientID: "native", userCode: try #require(UserCode(typed: code)).text, scope: .empty,
                interval: .seconds(5), expires: now + .seconds(60))
            let isKept = try await idp.context.store.keep(another, named: TokenDigest(of: code), at: now)
            #expect(isKept == isFree)
        }
    }

    /// One that began with the former client gets nothing, whoever has let it in.
    @Test func aDeviceIsForNoOtherClientOfTheName() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let web = try #require(idp.context.clients["web"])
        let alice = try #require(idp.context.users[username: "alice"])
        let device = await idp.token("client_id=web&scope=openid", path: "/device_authorization")
        idp.context.clients.remove("web")
        try idp.context.clients.add(web)
        try await DeviceVerification.decide(
            userCode: device.text("user_code"), as: alice, approve: true, in: idp.context)
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
        let answer = await idp.token("\(grant)&client_id=web&device_code=\(try device.text("device_code"))")
        #expect(answer.error == "invalid_grant")
    }

    // MARK: Tokens

    @Test(arguments: [ClientMetadata.AccessTokenFormat.jwt, .opaque], ["client_credentials", "exchange"])
    func tokensWithoutAUserEndWithTheirClient(format: ClientMetadata.AccessTokenFormat, grant: String) async throws {
        let idp = try await ProviderUnderTest.signIn { $0.accessTokens.format = format }
        let service = try #require(idp.context.clients["service"])
        func token() async throws -> String {
            let own = try await idp.accessToken()
            guard grant == "exchange" else { return own }
            return try await idp.token(
                "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=\(own)"
                    + "&subject_token_type=urn:ietf:params:oauth:token-type:access_token", basic: "service:secret"
            ).text("access_token")
        }
        let former = try await token()
        #expect(try await idp.isActive(former))
        try await remove("service", from: idp)
        #expect(try await !idp.isActive(former))
        try idp.context.clients.add(service)
        #expect(try await !idp.isActive(former))
        #expect(try await idp.isActive(token()), "what it gets now is good")
    }

    @Test func aClientThatOnlyChangesKeepsItsTokens() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let token = try await idp.accessToken()
        let service = try #require(idp.context.clients["service"])
        try idp.context.clients.put(service)
        #expect(try await idp.isActive(token))
    }

    /// What follows from the authorisation of another client, which is there still.
    @Test func exchangedTokensEndWithTheClientThatGotThem() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let own = try await idp.redeem(idp.code()).text("access_token")
        let exchanged = try await idp.token(
            "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=\(own)"
                + "&subject_token_type=urn:ietf:params:oauth:token-type:access_token", basic: "service:secret"
        ).text("access_token")
        let service = try #require(idp.context.clients["service"])
        try await remove("service", from: idp)
        try idp.context.clients.add(service)
        #expect(try await !idp.isActive(exchanged))
        #expect(try await idp.isActive(own))
    }

    /// Also when nobody has had it forgotten yet: no order of things gives it back.
    @Test func aRefreshTokenIsForNoOtherClientOfTheName() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let web = try #require(idp.context.clients["web"])
        let tokens = await idp.redeem(try await idp.code())
        let code = try await idp.code()
        idp.context.clients.remove("web")
        try idp.context.clients.add(web)
        #expect(await idp.refresh(try tokens.text("refresh_token")).error == "invalid_grant")
        #expect(try await !idp.isActive(tokens.text("access_token")))
        #expect(await idp.redeem(code).error == "invalid_grant")
    }

    // MARK: Logouts

    /// OpenID Connect Back-Channel Logout 1.0 section 2.4: a logout token is for a client that knows the session.
    @Test func anotherOfItsNameHearsNothingOfItsLogins() async throws {
        let outbound = RecordedRequests()
        func client(_ host: String) throws -> Client {
            try .underTest("ia") { $0.backChannelLogoutURI = "https://\(host).example/out" }
        }
        let idp = try await provider(client("old"), outbound: outbound)
        let browser = Browser(idp)
        let page = try await browser.signIn(AuthorizationQuery(["client_id": "ia"]))
        let code = try #require(page.parameters["code"])
        #expect(await idp.redeem(code, ["client_id": "ia"]).status == 200)
        let sessions = SessionDirectory(context: idp.context)
        #expect(try await sessions.logins().map(\.clientIDs) == [["ia"]])
        try await remove("ia", from: idp)
        try idp.context.clients.add(client("new"))
        let login = try #require(try await sessions.logins().first)
        #expect(login.clientIDs.isEmpty)
        #expect(login.issuers.isEmpty)
        #expect(login.ended == nil, "the user is logged in still")
        #expect(try await sessions.end(login.id.text))
        #expect(outbound.sent.isEmpty)
    }

    // MARK: Attempts

    /// RFC 6749 section 2.3.1: wrong secrets of the former client are no attempts at the one that comes.
    @Test func itsWrongSecretsAreNotCountedForAnother() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let service = try #require(idp.context.clients["service"])
        for _ in 0..<100 { _ = await idp.token("grant_type=client_credentials", basic: "service:wrong") }
        let throttled = await idp.token("grant_type=client_credentials", basic: "service:secret")
        #expect(throttled.status == 401 && throttled.field("Retry-After") == "60")
        try await remove("service", from: idp)
        try idp.context.clients.add(service)
        #expect(await idp.token("grant_type=client_credentials", basic: "service:secret").status == 200)
    }
}

import HTTPMessages
import OAuth
import Primitives
import SessionProxy
import TestSupport
import Testing

@Suite struct LogoutTests {
    let world: World

    init() throws { world = try World() }

    @Test func endsTheSessionHereAndAtTheProvider() async throws {
        let browser = try await world.signedIn()
        let copy = browser.cookies
        let answer = await browser.post("/_session/logout")
        #expect(answer.status == 200 && answer.json["ended"] == 1)
        #expect(answer.json["end_session_url"] == "https://id.example/logout?client_id=proxy")
        #expect(browser.cookies["__Host-pawl_session"] == nil)
        #expect(world.desk.with { $0.revoked } == ["refresh-token-2"])
        // S22: nothing that was kept brings it back.
        browser.cookies = copy
        #expect(await browser.get("/x").status == 401)
        #expect(world.shop.requests.isEmpty)
    }

    /// S22: the provider still knows the user, and is told to ask him all the same; after that, as before.
    @Test func theNextLoginAsksTheUser() async throws {
        let browser = try await world.signedIn()
        _ = await browser.post("/_session/logout")
        let url = try await browser.begin()
        #expect(Desk.query(of: url)["prompt"] == "login")
        #expect(await browser.comeBack(world.desk.authorise(url)).status == 303)
        #expect(Desk.query(of: try await browser.begin())["prompt"] == nil)
    }

    @Test func noLinkAndNoOtherSiteSignsAnybodyOut() async throws {
        let browser = try await world.signedIn()
        #expect(await browser.visit("/_session/logout").status == 405)
        #expect(await browser.get("/_session/logout", Browser.link).status == 405)
        for fields: HTTPFields in [
            [.origin: "https://evil.example", .secFetchSite: "cross-site"], [.secFetchSite: "same-site"], [:],
            [.origin: "null"],
        ] {
            #expect(await browser.send(.post, "/_session/logout", fields).status == 403)
        }
        #expect(await browser.isSignedIn())
        #expect(world.desk.with { $0.revoked.isEmpty })
    }

    @Test func endsOneSessionAndNoOther() async throws {
        let (one, other) = (try await world.signedIn(), try await world.signedIn())
        _ = await one.post("/_session/logout")
        #expect(await other.get("/x").status == 200)
    }

    @Test func endsAllOfAUserWhereHeWantsThat() async throws {
        let (one, other) = (try await world.signedIn(), try await world.signedIn())
        world.desk.with { $0.user = "bob" }
        let bob = try await world.signedIn()
        let answer = await one.post(
            "/_session/logout", [.contentType: "application/x-www-form-urlencoded"], body: Array("everywhere=true".utf8)
        )
        #expect(answer.json["ended"] == 2)
        #expect(await other.get("/x").status == 401)
        #expect(await bob.get("/x").status == 200)
        #expect(world.desk.with { $0.families.count } == 1)
    }

    /// On a machine without TLS a neighbour can put a cookie beside ours: that must keep nobody signed in who has signed out.
    @Test(arguments: ["other", "", "\u{1}"])
    func aSecondCookieBesideKeepsNobodySignedIn(_ value: String) async throws {
        let browser = try await world.signedIn()
        let copy = browser.cookies
        let answer = await browser.post("/_session/logout", [.cookie: "__Host-pawl_session=\(value)"])
        #expect(answer.status == 200 && answer.json["ended"] == 1)
        browser.cookies = copy
        #expect(await browser.get("/x").status == 401)
        #expect(world.desk.with { $0.families.isEmpty && $0.revoked.count == 1 })
    }

    @Test func everySessionThatIsShownEnds() async throws {
        let (one, other, third) = (try await world.signedIn(), try await world.signedIn(), try await world.signedIn())
        let shown = try #require(other.cookies["__Host-pawl_session"])
        let answer = await one.post("/_session/logout", [.cookie: "__Host-pawl_session=\(shown)"])
        #expect(answer.json["ended"] == 2)
        #expect(await other.get("/x").status == 401)
        #expect(await third.get("/x").status == 200)
        #expect(world.desk.with { $0.families.count } == 1)
    }

    @Test(arguments: ["everywhere=yes", "everywhere=1", "everywhere=true&everywhere=no", "=x"])
    func doesNotGuessWhatIsMeant(_ query: String) async throws {
        let browser = try await world.signedIn()
        #expect(await browser.post("/_session/logout?\(query)").status == 400)
        #expect(await browser.isSignedIn())
    }

    private static let form: HTTPFields = [
        .origin: World.origin, .secFetchSite: "same-origin", .secFetchMode: "navigate",
    ]

    /// OpenID Connect RP-Initiated Logout section 2: the hint is RECOMMENDED.
    @Test(arguments: [false, true])
    func aFormLeadsToTheProviderWithTheLastIDToken(renews: Bool) async throws {
        let browser = try await world.signedIn()
        // A refresh that brings no other leaves it as it was. Where one does, the key of the first may be gone.
        world.desk.with { $0.renewsIDTokens = renews }
        world.clock.advance(by: .seconds(301))
        #expect(await browser.get("/x").status == 200)
        let answer = await browser.send(.post, "/_session/logout", Self.form)
        let url = try #require(answer.location)
        #expect(answer.status == 303 && url.hasPrefix("https://id.example/logout?"))
        let idToken = try #require(world.desk.with { $0.idTokens.last })
        #expect(world.desk.with { $0.idTokens.count } == (renews ? 2 : 1))
        #expect(Desk.query(of: url)["id_token_hint"] == idToken && Desk.query(of: url)["client_id"] == "proxy")
        #expect(answer["Cache-Control"] == "no-store" && answer["Referrer-Policy"] == "no-referrer")
        #expect(!world.log.lines.joined().contains(idToken))
    }

    /// What a script sees is a page's.
    @Test func noScriptSeesTheIDToken() async throws {
        let browser = try await world.signedIn()
        let idToken = try #require(world.desk.with { $0.idTokens.first })
        _ = await browser.get("/_session")
        let answer = await browser.post("/_session/logout")
        #expect(answer.json["end_session_url"] == "https://id.example/logout?client_id=proxy")
        #expect(!browser.seen.contains(idToken))
    }

    @Test(arguments: [0, -1]) func anIDTokenBeyondTheLimitIsNotKept(_ more: Int) async throws {
        _ = try await world.signedIn()
        let byteCount = try #require(world.desk.with { $0.idTokens.first }).utf8.count
        let world = try World { $0.limits.idTokenBytes = byteCount + more }
        let url = try #require(await world.signedIn().send(.post, "/_session/logout", Self.form).location)
        #expect((Desk.query(of: url)["id_token_hint"] != nil) == (more == 0))
    }

    /// One of them is a neighbour's.
    @Test func ofTwoSessionsNoIDTokenGoesAlong() async throws {
        let (one, other) = (try await world.signedIn(), try await world.signedIn())
        let shown = try #require(other.cookies["__Host-pawl_session"])
        let fields = HTTPFields(Array(Self.form) + [HTTPField(name: .cookie, value: "__Host-pawl_session=\(shown)")])
        let answer = await one.send(.post, "/_session/logout", fields)
        #expect(answer.location == "https://id.example/logout?client_id=proxy")
    }

    @Test func aSessionWithoutAnIDTokenIsEndedAsEver() async throws {
        let world = try World { $0.takesSessions = true }
        world.desk.with { $0.families[99] = "refresh-minted" }
        let browser = world.browser()
        _ = await browser.send(.post, "/_session/handover", [.authorization: "Bearer refresh-minted"])
        let answer = await browser.send(.post, "/_session/logout", Self.form)
        #expect(answer.location == "https://id.example/logout?client_id=proxy")
        #expect(world.desk.with { $0.families.isEmpty })
    }

    @Test func nobodyTakesTheIDTokenOfASessionThatIsOver() async throws {
        let browser = try await world.signedIn()
        let copy = browser.cookies
        _ = await browser.post("/_session/logout")
        browser.cookies = copy
        let answer = await browser.send(.post, "/_session/logout", Self.form)
        #expect(answer.location == "https://id.example/logout?client_id=proxy")
    }

    @Test func whoeverIsSignedOutCanSignOut() async throws {
        let answer = await world.browser().post("/_session/logout")
        #expect(answer.status == 200 && answer.json["ended"] == 0)
    }

    /// A provider that is away keeps nobody signed in here.
    @Test func endsHereThoughTheProviderCannotBeTold() async throws {
        let browser = try await world.signedIn()
        let copy = browser.cookies
        world.desk.with { $0.failure = .unreachable }
        #expect(await browser.post("/_session/logout").status == 200)
        browser.cookies = copy
        #expect(await browser.get("/x").status == 401)
    }

    @Test func nobodyIsAskedWhereTheProviderEndsItsLogin() async throws {
        let browser = try await world.signedIn()
        world.clock.advance(by: .seconds(601))
        let answer = await browser.post("/_session/logout")
        #expect(answer.json["end_session_url"] == "https://id.example/logout?client_id=proxy")
        #expect(world.desk.with { $0.descriptions } == 1)
    }

    @Test func aProviderThatNobodyHasAskedYetIsNotAskedForALogout() async {
        let answer = await world.browser().post("/_session/logout")
        #expect(answer.status == 200 && answer.json["end_session_url"] == nil)
        #expect(world.desk.with { $0.descriptions } == 0)
    }

    /// R6: a refresh that outlives the sign-out brings nothing back, and what it brought is given back.
    @Test func aRefreshThatIsOnItsWayBringsNobodyBack() async throws {
        let browser = try await world.signedIn()
        let copy = browser.cookies
        world.clock.advance(by: .seconds(301))
        let gate = Gate()
        world.desk.with { $0.gate = gate }
        async let late = browser.get("/x")
        await gate.holds()
        _ = await browser.post("/_session/logout")
        gate.open()
        #expect(await late.status == 401)
        #expect(world.shop.requests.isEmpty)
        browser.cookies = copy
        #expect(await browser.get("/x").status == 401)
        try await eventually { world.desk.with { $0.families.isEmpty } }
    }

    /// What was asked before the sign-out is not asked again after it.
    @Test func aRequestThatIsRefusedAfterASignOutIsNotSentAgain() async throws {
        let browser = try await world.signedIn()
        let gate = Gate()
        world.shop.answers { _, _ in
            await gate.pass()
            return Shop.answer(.unauthorized, "no")
        }
        async let late = browser.get("/x")
        await gate.holds()
        _ = await browser.post("/_session/logout")
        gate.open()
        #expect(await late.status == 401)
        #expect(world.shop.requests.count == 1)
    }
}

import HTTPMessages
import Primitives
import SessionProxy
import TestSupport
import Testing

/// S10: the requests of all pages share a session, and none of them ends it for the others.
@Suite struct RefreshTests {
    let world: World

    init() throws { world = try World() }

    private var refreshes: Int { world.desk.with { $0.refreshes } }

    private func load(_ browser: Browser, _ count: Int = 50) async -> [Int: Int] {
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { await browser.get("/page/\(number)").status } }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
    }

    @Test func manyRequestsAfterTheEndOfATokenRefreshOnce() async throws {
        let browser = try await world.signedIn()
        for round in 1...4 {
            world.clock.advance(by: .seconds(301))
            #expect(await load(browser) == [200: 50])
            #expect(refreshes == round)
        }
        #expect(world.desk.with { $0.families.count } == 1)
    }

    /// R4, R5: the upstream knows of the end of a token before anybody else.
    @Test func manyRequestsThatAreRefusedRefreshOnceAndGoAgain() async throws {
        let browser = try await world.signedIn()
        world.desk.forgetAccessTokens()
        #expect(await load(browser) == [200: 50])
        #expect(refreshes == 1)
    }

    @Test func aRequestGoesAgainWithWhatItHadAndNotAThirdTime() async throws {
        let browser = try await world.signedIn()
        world.desk.forgetAccessTokens()
        #expect(await browser.post("/x", body: Array("order".utf8)).status == 200)
        #expect(world.shop.bodies == [Array("order".utf8), Array("order".utf8)])
        world.shop.answers { _, _ in Shop.answer(.unauthorized, "never") }
        let answer = await browser.get("/x")
        #expect(answer.status == 401 && answer.text == "never")
        #expect(world.shop.requests.count == 4)
    }

    // MARK: 401 to what changes something

    private static let unsafe: [HTTPRequest.Method] = [.post, .put, .patch, .delete, HTTPRequest.Method("PURGE")!]

    private func send(_ method: HTTPRequest.Method, from browser: Browser) async -> Answer {
        await browser.send(method, "/x", [.origin: World.origin, .secFetchSite: "same-origin"])
    }

    /// RFC 6750 section 3: what refuses a token says Bearer. All else is the upstream's own, and the page's.
    @Test(
        arguments: [
            nil, "", "Basic realm=\"x\"", "Negotiate", "DPoP error=\"invalid_token\"", "Bearish",
            "Basic realm=\"Bearer\"",
            "Basic realm=\"x, Bearer\"", "=Bearer",
        ] as [String?])
    func whatChangesSomethingIsNotDoneTwice(_ challenge: String?) async throws {
        let browser = try await world.signedIn()
        var fields: HTTPFields = [:]
        fields[.wwwAuthenticate] = challenge
        world.shop.answers { [fields] _, _ in Shop.answer(.unauthorized, "wrong password", fields) }
        for method in Self.unsafe {
            let answer = await send(method, from: browser)
            #expect(answer.status == 401 && answer.text == "wrong password")
        }
        #expect(world.shop.requests.count == Self.unsafe.count && refreshes == 0)
    }

    @Test(
        arguments: [
            ["Bearer"], ["bearer error=\"invalid_token\""], ["Basic realm=\"x\", Bearer realm=\"y\""],
            ["Basic realm=\"x\"", "BEARER"],
        ])
    func aRefusedTokenIsReplacedForWhatChangesSomethingToo(_ challenges: [String]) async throws {
        let browser = try await world.signedIn()
        let (shop, fields) = (world.shop, HTTPFields(challenges.map { HTTPField(name: .wwwAuthenticate, value: $0) }))
        shop.answers { _, _ in
            shop.requests.count % 2 == 1 ? Shop.answer(.unauthorized, "no", fields) : Shop.answer(.ok, "goods")
        }
        for method in Self.unsafe { #expect(await send(method, from: browser).status == 200) }
        #expect(shop.requests.count == 2 * Self.unsafe.count && refreshes == Self.unsafe.count)
    }

    /// A 401 of the upstream's own says nothing of the token, not even the second time.
    @Test func a401WithoutAChallengeMakesNoTokenUnwelcome() async throws {
        let browser = try await world.signedIn()
        let shop = world.shop
        shop.answers { _, _ in
            Shop.answer(.unauthorized, "no", shop.requests.count == 1 ? Shop.challenge : [:])
        }
        #expect(await send(.post, from: browser).status == 401)
        #expect(await send(.post, from: browser).status == 401)
        #expect(shop.requests.count == 3 && refreshes == 1)
        shop.answers { _, _ in
            shop.requests.count == 4 ? Shop.answer(.unauthorized, "no", Shop.challenge) : Shop.answer(.ok, "goods")
        }
        #expect(await send(.post, from: browser).status == 200)
        #expect(refreshes == 2)
    }

    @Test func whatOnlyReadsGoesAgainThoughNobodySaysWhy() async throws {
        let browser = try await world.signedIn()
        let shop = world.shop
        shop.answers { _, _ in
            shop.requests.count % 2 == 1 ? Shop.answer(.unauthorized, "no") : Shop.answer(.ok, "goods")
        }
        for method: HTTPRequest.Method in [.get, .head, .options] {
            #expect(await browser.send(method, "/x").status == 200)
        }
        #expect(refreshes == 3)
    }

    /// A page with many requests that its upstream refuses for a reason of its own must not hammer the provider.
    @Test func anUpstreamThatRefusesEveryTokenCostsOneRefresh() async throws {
        let browser = try await world.signedIn()
        world.shop.answers { _, _ in Shop.answer(.unauthorized, "never") }
        for _ in 0..<20 { #expect(await browser.get("/x").status == 401) }
        #expect(refreshes == 1)
        #expect(await browser.isSignedIn())
    }

    @Test(arguments: [HTTPResponse.Status.forbidden, .notFound, .internalServerError, .badGateway])
    func whatIsNoRefusalOfTheTokenReplacesNone(status: HTTPResponse.Status) async throws {
        let browser = try await world.signedIn()
        world.shop.answers { _, _ in Shop.answer(status, "no") }
        #expect(await browser.get("/x").status == status.code)
        #expect(refreshes == 0 && world.shop.requests.count == 1)
    }

    // MARK: When there is no token

    /// R9: the session stays, and nobody is sent to sign in.
    @Test(arguments: [OutboundFailure.unreachable, .timedOut, .notTrusted])
    func aProviderThatIsAwayEndsNothing(failure: OutboundFailure) async throws {
        let browser = try await world.signedIn()
        world.clock.advance(by: .seconds(301))
        world.desk.with { $0.failure = failure }
        let answer = await browser.get("/x")
        #expect(answer.status == 503 && answer["Retry-After"] != nil && answer.error == "provider_unavailable")
        #expect(await browser.visit("/x").status == 503)
        world.desk.with { $0.failure = nil }
        world.clock.advance(by: .seconds(120))
        #expect(await browser.get("/x").status == 200)
    }

    @Test func aRefusedTokenThatCannotBeReplacedNowIsNoSignOut() async throws {
        let browser = try await world.signedIn()
        world.desk.forgetAccessTokens()
        world.desk.with { $0.status = .serviceUnavailable }
        #expect(await browser.get("/x").status == 503)
        world.desk.with { $0.status = nil }
        world.clock.advance(by: .seconds(120))
        #expect(await browser.get("/x").status == 200)
    }

    @Test func aSessionThatTheProviderHasEndedIsOver() async throws {
        let browser = try await world.signedIn()
        world.desk.endFamilies()
        world.clock.advance(by: .seconds(301))
        #expect(await load(browser, 10) == [401: 10])
        #expect(world.proxy.sessionCount == 0 && refreshes == 1)
        #expect(await browser.visit("/x").status == 303)
    }

    /// C10: browsers know cookies by their names alone, and a late answer would take that of the next session.
    @Test func noAnswerTakesACookieAwayButThatOfALogout() async throws {
        let browser = try await world.signedIn()
        world.desk.endFamilies()
        world.clock.advance(by: .seconds(301))
        #expect(await browser.get("/x")["Set-Cookie"] == nil)
        #expect(await browser.get("/x")["Set-Cookie"] == nil)
        #expect(await browser.visit("/x")["Set-Cookie"] == nil)
    }

    /// S16 and more: no page ever has a token, nor anybody who reads the log.
    @Test func noTokenIsInAnythingThatLeavesTheProxy() async throws {
        let browser = try await world.signedIn()
        world.clock.advance(by: .seconds(301))
        _ = await load(browser, 5)
        let secrets = world.desk.secrets
        _ = await browser.get("/_session")
        world.shop.fails(with: .unreachable)
        _ = await browser.get("/x")
        world.shop.fails(with: nil)
        let session = try #require(browser.cookies["__Host-pawl_session"])
        world.clock.advance(by: .seconds(301))
        world.desk.with { $0.failure = .unreachable }
        _ = await browser.get("/x")
        world.desk.with { $0.failure = nil }
        _ = await browser.post("/_session/logout")
        let log = world.log.lines.joined()
        #expect(secrets.count >= 2 && log.contains("signed out"))
        for secret in secrets {
            #expect(!browser.seen.contains(secret))
            #expect(!log.contains(secret))
        }
        for word in ["secret street", "eyJ", "access-token", "refresh-token"] { #expect(!browser.seen.contains(word)) }
        #expect(!log.contains(session) && !log.contains("code-") && !log.contains("alice"))
    }
}

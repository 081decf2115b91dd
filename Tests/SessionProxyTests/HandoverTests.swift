import HTTPMessages
import Primitives
import SessionProxy
import Testing

/// S18: an app has a second session minted for its web view.
@Suite struct HandoverTests {
    let world: World

    init() throws { world = try World { $0.takesSessions = true } }

    /// What token exchange gives an app (RFC 8693).
    private func minted() -> String {
        world.desk.with { state in
            state.families[99] = "refresh-minted"
            return "refresh-minted"
        }
    }

    private func hand(_ token: String?, _ fields: HTTPFields = [:]) async -> (Browser, Answer) {
        let app = world.browser()
        var fields = fields
        fields[.authorization] = token
        let answer = await app.send(.post, "/_session/handover", fields)
        return (app, answer)
    }

    @Test func theWebViewHasACookieAndASessionOfItsOwn() async throws {
        let token = minted()
        let (webView, answer) = await hand("Bearer " + token)
        #expect(answer.status == 200 && answer.json["cookie"] == "__Host-pawl_session")
        #expect(await webView.get("/x").status == 200)
        #expect(!webView.seen.contains("token") || !webView.seen.contains(token))
        // Whoever saw the token has nothing.
        #expect(await hand("Bearer " + token).1.status == 401)
        #expect(await webView.get("/x").status == 200)
        _ = await webView.post("/_session/logout")
        #expect(world.desk.with { $0.families.isEmpty })
    }

    @Test(arguments: [nil, "Basic eDp5", "Bearer", "Bearer a b", "DPoP refresh-minted", "refresh-minted"])
    func wantsTheTokenAsOne(_ field: String?) async {
        _ = minted()
        let (app, answer) = await hand(field)
        #expect(answer.status == 401 && app.cookies.isEmpty)
        #expect(world.desk.with { $0.refreshes } == 0)
    }

    /// Any API is shown access tokens, and must not make of one what lasts.
    @Test func takesNoAccessToken() async throws {
        _ = try await world.signedIn()
        let access = try #require(world.desk.with { $0.accessTokens.keys.first })
        let (app, answer) = await hand("Bearer " + access)
        #expect(answer.status == 401 && app.cookies.isEmpty)
    }

    @Test(
        arguments: [
            [.origin: "https://evil.example"], [.origin: World.origin], [.origin: "null"],
            [.secFetchSite: "cross-site"],
            [.secFetchSite: "same-origin"], [.secFetchSite: "none"], [.secFetchMode: "no-cors"],
        ] as [HTTPFields])
    func noPageSignsAUserInAsSomebodyElse(_ fields: HTTPFields) async {
        let (browser, answer) = await hand("Bearer " + minted(), fields)
        #expect(answer.status == 403 && browser.cookies.isEmpty)
        #expect(world.desk.with { $0.refreshes } == 0)
    }

    @Test func takesNoTokenThatStaysGood() async {
        world.desk.with { $0.rotates = false }
        let (app, answer) = await hand("Bearer " + minted())
        #expect(answer.status == 502 && app.cookies.isEmpty)
    }

    @Test func aProviderThatIsAwayCanBeTriedAgain() async {
        let token = minted()
        world.desk.with { $0.failure = .unreachable }
        #expect(await hand("Bearer " + token).1.status == 503)
        world.desk.with { $0.failure = nil }
        world.clock.advance(by: .seconds(2))
        #expect(await hand("Bearer " + token).1.status == 200)
    }

    /// Anybody can send tokens here, and each has the provider asked, who is needed for refreshes.
    @Test func soManyAreHandedOverAtOnceAndNoMore() async throws {
        let world = try World {
            $0.takesSessions = true
            $0.limits.handoversAtOnce = 2
        }
        world.desk.with { state in for number in 1...3 { state.families[90 + number] = "refresh-minted-\(number)" } }
        let gate = Gate()
        world.desk.with { $0.gate = gate }
        let hand = { @Sendable (number: Int) in
            await world.browser().send(
                .post, "/_session/handover", [.authorization: "Bearer refresh-minted-\(number)"])
        }
        let over = Signal()
        async let first = hand(1)
        async let second = hand(2)
        async let late = {
            await gate.holds(2)
            let answer = await hand(3)
            over.give()
            return answer
        }()
        defer { gate.open() }
        // The provider is not asked: if it were, the gate would hold this one, too.
        try await eventually { over.isGiven }
        let third = await late
        #expect(third.status == 503 && third.error == "too_busy" && third["Retry-After"] == "1")
        gate.open()
        #expect(await first.status == 200)
        #expect(await second.status == 200)
        // The token was not spent, and the places are free.
        #expect(await hand(3).status == 200)
        // What is refused gives its place back, too.
        for _ in 0..<3 { #expect(await hand(9).status == 401) }
    }

    @Test func whatIsNotAHandoverTakesNoPlace() async throws {
        let world = try World {
            $0.takesSessions = true
            $0.limits.handoversAtOnce = 1
        }
        world.desk.with { $0.families[99] = "refresh-minted" }
        let gate = Gate()
        world.desk.with { $0.gate = gate }
        async let held = world.browser().send(
            .post, "/_session/handover", [.authorization: "Bearer refresh-minted"])
        await gate.holds()
        #expect(await world.browser().send(.post, "/_session/handover", [:]).status == 401)
        gate.open()
        #expect(await held.status == 200)
    }

    @Test func isOffUnlessSomebodyWantsIt() async throws {
        let world = try World()
        world.desk.with { $0.families[99] = "refresh-minted" }
        let answer = await world.browser().send(.post, "/_session/handover", [.authorization: "Bearer refresh-minted"])
        #expect(answer.status == 404 && world.desk.with { $0.refreshes } == 0)
    }
}

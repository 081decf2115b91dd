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

    @Test func isOffUnlessSomebodyWantsIt() async throws {
        let world = try World()
        world.desk.with { $0.families[99] = "refresh-minted" }
        let answer = await world.browser().send(.post, "/_session/handover", [.authorization: "Bearer refresh-minted"])
        #expect(answer.status == 404 && world.desk.with { $0.refreshes } == 0)
    }
}

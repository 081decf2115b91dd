import Cookies
import HTTPMessages
import Primitives
import SessionClient
import Synchronization
import Testing

/// The race (S10, R4): app and page refresh the same session at the same time.
@Suite struct WebRaceTests {
    @Test func whoSharesTheRefreshTokenSpendsItTwice() async throws {
        let time = WebAlarm()
        let server = RotatingServer(alarm: time)
        let view = view(time, server)
        view.store.setByNeighbour(
            Cookie(
                name: "refresh", value: "r1", domain: "app.example", isSecure: true, isHTTPOnly: true, at: time.now()))
        let side = WebStrategy.webStoreAsTruth.begin(
            sides(time, view, PageSessionFake(time: time, site: SiteFake(alarm: time))))
        view.load(WebWorld.page)
        time.pass(.seconds(1))
        let page = try #require(view.page)
        _ = time.begin {
            var request = HTTPRequest(method: .post, scheme: "https", authority: "app.example", path: "/refresh")
            request.headerFields[.cookie] = await side.nativeCookies().map(\.pair).joined(separator: "; ")
            _ = try? await server.send(request, body: [])
        }
        _ = time.begin { await page.fetch(WebWorld.page + "refresh") }
        time.pass(.seconds(1))
        #expect(server.isRevoked)
    }

    @Test func whereTheAppOwnsTheSessionItIsSpentOnce() throws {
        let time = WebAlarm()
        let site = SiteFake(alarm: time)
        let view = view(time, site)
        let session = PageSessionFake(time: time, site: site)
        session.signIn()
        let side = WebStrategy.nativeOwned.begin(sides(time, view, session))
        _ = time.result { try? await side.open(WebWorld.page) }
        time.pass(.seconds(1))
        let page = try #require(view.page)
        _ = time.begin { try? await session.pageCookies(replacing: 1) }
        let outcome = time.begin { await page.post(["type": "refresh", "generation": 1]) }
        time.pass(.seconds(1))
        #expect(session.refreshCount == 1)
        #expect(outcome.value == .signedIn(2))
        #expect(time.result { await page.fetch(WebWorld.page) }??.status == 200)
        #expect(!page.documentCookie.contains("REFRESH"))
        withExtendedLifetime(side) {}
    }

    private func view(_ time: WebAlarm, _ network: any OutboundRequests) -> SimulatedWebView {
        let environment = SimulatedWebEnvironment(
            clock: time, alarm: time, random: SeededRandom(seed: 1), network: network, launch: time.launch)
        return SimulatedWebView(
            store: SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment).sharedStore)
    }

    private func sides(_ time: WebAlarm, _ view: SimulatedWebView, _ session: PageSessionFake) -> WebSides {
        WebSides(
            native: NativeCookies(clock: time), surface: view, session: session, configuration: WebWorld.configuration,
            clock: time, alarm: time, launch: time.launch)
    }
}

/// Takes each refresh token once, and ends the session of one that comes again.
private final class RotatingServer: OutboundRequests {
    private let state = Mutex((current: 1, isRevoked: false))
    private let alarm: any Alarm

    init(alarm: any Alarm) {
        self.alarm = alarm
    }

    var isRevoked: Bool { state.withLock { $0.isRevoked } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        await withCheckedContinuation { continuation in
            alarm.ring(after: .milliseconds(10)) { continuation.resume() }
        }
        guard request.path == "/refresh" else { return (HTTPResponse(status: .ok), []) }
        let token = RequestCookies(request.headerFields)[values: "refresh"].first.map(String.init)
        return state.withLock { state in
            guard token == "r\(state.current)" else {
                state.isRevoked = true
                return (HTTPResponse(status: .unauthorized), [])
            }
            state.current += 1
            let field = "refresh=r\(state.current); Path=/; Secure; HttpOnly"
            return (HTTPResponse(status: .ok, headerFields: [.setCookie: field]), [])
        }
    }
}

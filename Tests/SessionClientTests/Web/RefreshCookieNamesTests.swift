import Cookies
import SessionClient
import Testing

/// Which cookies no web view may have is said once.
@Suite struct RefreshCookieNamesTests {
    /// S16: who forgets to name them has what the session itself knows.
    @Test func S16_theSessionNamesItsRefreshCookiesItself() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = WebSessionBridge(
            session: NamingSession(inner: world.session()), surface: surface,
            configuration: WebBridgeConfiguration(origins: WebWorld.configuration.origins), clock: world.time,
            alarm: world.time, launch: world.time.launch)
        world.open(bridge)
        for case .set(let cookie) in surface.writes.joined() { #expect(!cookie.value.contains("REFRESH")) }
        world.view.store.setByNeighbour(world.cookie("__Host-refresh", "REFRESH"))
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }
}

/// One that knows the names of its own refresh cookies.
private struct NamingSession: PageSession {
    let inner: PageSessionFake
    let refreshCookies = ["__Host-refresh"]

    func pageCookies() async throws(PageSessionError) -> PageCookies { try await inner.pageCookies() }
    func pageCookies(replacing generation: UInt64) async throws(PageSessionError) -> PageCookies {
        try await inner.pageCookies(replacing: generation)
    }
    var pageCookieUpdates: AsyncStream<PageCookies> { inner.pageCookieUpdates }
}

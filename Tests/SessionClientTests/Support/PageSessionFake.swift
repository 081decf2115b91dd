import Cookies
import Primitives
import SessionClient
import Synchronization

/// A session of which the test says what it is, and which gives its refresh token away, so that others have to keep it.
final class PageSessionFake: PageSession {
    enum Failure: Hashable, Sendable {
        case none, offline, never, signedOut
    }

    private struct State {
        var generation: UInt64 = 0
        var login: UInt64 = 1
        var isSignedIn = false
        var failure = Failure.none
        var delay = Duration.milliseconds(20)
        var refreshCount = 0
        var flight: UInt64?
        var listeners: [AsyncStream<PageCookies>.Continuation] = []
        var isSilent = false
    }
    private let state = Mutex(State())
    private let time: any Alarm
    private let site: SiteFake

    init(time: any Alarm, site: SiteFake) {
        self.time = time
        self.site = site
    }

    static let identity = Cookie.Identity(name: "session", domain: "app.example")
    static let refreshIdentity = Cookie.Identity(name: "__Host-refresh", domain: "app.example")

    var generation: UInt64 { state.withLock { $0.generation } }
    var isSignedIn: Bool { state.withLock { $0.isSignedIn } }
    var refreshCount: Int { state.withLock { $0.refreshCount } }
    var current: PageCookies { state.withLock { Self.cookies($0) } }

    func fail(_ failure: Failure) { state.withLock { $0.failure = failure } }
    func delay(_ delay: Duration) { state.withLock { $0.delay = delay } }
    /// Nothing is told to those who listen from now on.
    func silence() { state.withLock { $0.isSilent = true } }

    /// Says again what was so, as one does who was long under way.
    func tell(_ state: PageCookies) {
        for listener in self.state.withLock({ $0.listeners }) { listener.yield(state) }
    }

    func signIn() { change { $0.isSignedIn = true } }
    /// Somebody else signs in.
    func signInAnother() {
        change { state in
            state.isSignedIn = true
            state.login += 1
        }
    }
    func signOut() { change { $0.isSignedIn = false } }

    private func change(_ body: (inout State) -> Void) {
        let (cookies, listeners) = state.withLock { state in
            body(&state)
            state.generation += 1
            // The server forgets the state before when it knows the next.
            if state.isSignedIn { site.accept("access-\(state.generation)") } else { site.accept() }
            return (Self.cookies(state), state.isSilent ? [] : state.listeners)
        }
        for listener in listeners { listener.yield(cookies) }
    }

    private static func cookies(_ state: State) -> PageCookies {
        guard state.isSignedIn else {
            return PageCookies(
                generation: state.generation, isSignedIn: false, cookies: [],
                gone: [identity, refreshIdentity])
        }
        let names = [("session", "access"), ("__Host-refresh", "REFRESH")]
        return PageCookies(
            generation: state.generation, login: state.login, isSignedIn: true,
            cookies: names.map { name, value in
                Cookie(
                    name: name, value: "\(value)-\(state.generation)", domain: "app.example", isSecure: true,
                    isHTTPOnly: true, sameSite: .lax, at: Timestamp(secondsSinceEpoch: 1_700_000_000))
            })
    }

    func pageCookies() async throws(PageSessionError) -> PageCookies {
        if state.withLock({ $0.failure == .never }) { await pause(.seconds(1_000_000)) }
        try check()
        let state = current
        guard state.isSignedIn else { throw .signedOut }
        return state
    }

    func pageCookies(replacing generation: UInt64) async throws(PageSessionError) -> PageCookies {
        let (delay, isNever) = state.withLock { ($0.delay, $0.failure == .never) }
        await pause(isNever ? .seconds(1_000_000) : delay)
        try check()
        let isDue = state.withLock { state in
            let isDue = state.isSignedIn && state.generation == generation
            if isDue { state.refreshCount += 1 }
            return isDue
        }
        if isDue { change { _ in } }
        let state = current
        guard state.isSignedIn else { throw .signedOut }
        return state
    }

    private func pause(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            time.ring(after: duration) { continuation.resume() }
        }
    }

    private func check() throws(PageSessionError) {
        switch state.withLock({ $0.failure }) {
        case .offline: throw .unavailable(reason: "offline")
        case .signedOut: throw .signedOut
        case .none, .never: break
        }
    }

    var pageCookieUpdates: AsyncStream<PageCookies> {
        let (stream, continuation) = AsyncStream.makeStream(of: PageCookies.self)
        let cookies = state.withLock { state in
            state.listeners.append(continuation)
            return state.generation > 0 && !state.isSilent ? Self.cookies(state) : nil
        }
        if let cookies { continuation.yield(cookies) }
        return stream
    }
}

extension WebWorld {
    static let configuration = WebBridgeConfiguration(
        origins: [WebOrigin(WebWorld.origin)!], refreshCookies: ["__host-refresh", "refresh_token"])

    func bridge(
        to surface: (any WebSurface)? = nil, _ session: PageSessionFake,
        _ configuration: WebBridgeConfiguration = WebWorld.configuration
    ) -> WebSessionBridge {
        WebSessionBridge(
            session: session, surface: surface ?? view, configuration: configuration, clock: time, alarm: time,
            launch: time.launch)
    }

    func session(signedIn: Bool = true) -> PageSessionFake {
        let session = PageSessionFake(time: time, site: site)
        if signedIn { session.signIn() }
        return session
    }

    /// Opens a page, and waits until it is there.
    @discardableResult
    func open(_ bridge: WebSessionBridge, _ url: String = WebWorld.page) -> Result<PageState, WebBridgeError>? {
        let result = time.result { () async -> Result<PageState, WebBridgeError> in
            do throws(WebBridgeError) { return .success(try await bridge.open(url)) } catch { return .failure(error) }
        }
        time.pass(.milliseconds(100))
        return result
    }

    var values: [String] { view.store.cookies.map(\.value) }

    /// What the surface was told with whatever came of it.
    func refresh(_ page: SimulatedPage?, generation: UInt64? = nil) -> SimulatedPage.Outcome? {
        guard let page else { return nil }
        var body: JSONObject = ["type": "refresh"]
        if let generation { body["generation"] = .number(JSONNumber(Int64(generation))) }
        let message = JSON.object(body)
        return time.result { await page.post(message) }
    }
}

extension SimulatedPage.Outcome {
    static func signedIn(_ generation: Int64) -> Self {
        .replied(.value(["status": "signed_in", "generation": .number(JSONNumber(generation))]))
    }

    static func signedOut(_ generation: Int64) -> Self {
        .replied(.value(["status": "signed_out", "generation": .number(JSONNumber(generation))]))
    }

    static let unavailable = Self.replied(.value(["status": "unavailable"]))
}

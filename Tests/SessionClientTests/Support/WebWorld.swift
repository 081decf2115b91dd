import Cookies
import HTTPMessages
import Primitives
import SessionClient
import Synchronization

/// A site, a device with a web view, and time that the test moves on.
final class WebWorld: Sendable {
    static let origin = "https://app.example"
    static let page = origin + "/"

    let time = WebAlarm()
    let site: SiteFake
    let disk = SimulatedWebDisk()
    let environment: SimulatedWebEnvironment
    private let launched: Mutex<(pool: SimulatedProcessPool, view: SimulatedWebView)>

    init(seed: UInt64 = 1, _ change: (inout SimulatedWebBehaviour) -> Void = { _ in }) {
        var behaviour = SimulatedWebBehaviour()
        change(&behaviour)
        site = SiteFake(alarm: time)
        environment = SimulatedWebEnvironment(
            clock: time, alarm: time, random: SeededRandom(seed: seed), network: site, behaviour: behaviour,
            launch: time.launch)
        let pool = SimulatedProcessPool(disk: disk, environment: environment)
        launched = Mutex((pool, SimulatedWebView(store: pool.sharedStore)))
    }

    var pool: SimulatedProcessPool { launched.withLock { $0.pool } }
    var view: SimulatedWebView { launched.withLock { $0.view } }

    /// The app is killed and started again.
    func relaunch() {
        let old = pool
        old.end()
        let pool = SimulatedProcessPool(disk: disk, environment: environment)
        launched.withLock { $0 = (pool, SimulatedWebView(store: pool.sharedStore)) }
    }

    func cookie(
        _ name: String, _ value: String, expiresIn: Duration? = nil, isHTTPOnly: Bool = true
    ) -> Cookie {
        Cookie(
            name: name, value: value, domain: "app.example", expires: expiresIn.map { time.now() + $0 },
            isSecure: true, isHTTPOnly: isHTTPOnly, sameSite: .lax, at: time.now())
    }

    /// What the app is told by the store.
    func read() -> WebCookies? {
        let answer = Pending<WebCookies>()
        view.readCookies { answer.set($0) }
        time.pass(.milliseconds(20))
        return answer.value
    }

    /// Goes to a page and waits until it is there.
    @discardableResult
    func visit(_ url: String = WebWorld.page) -> SimulatedPage? {
        view.load(url)
        time.pass(.milliseconds(500))
        return view.page
    }
}

/// The site whose pages are shown: whoever brings the cookie of the newest state is signed in.
final class SiteFake: OutboundRequests {
    private struct State {
        var accepted: Set<String> = []
        var setCookies: [String] = []
        var delay = Duration.milliseconds(10)
        var fields: [String] = []
    }
    private let state = Mutex(State())
    private let alarm: any Alarm

    init(alarm: any Alarm) {
        self.alarm = alarm
    }

    /// The values of the cookie `session` that are good from now on.
    func accept(_ values: String...) {
        state.withLock { $0.accepted = Set(values) }
    }

    /// What the answers to requests that come from now on set.
    func set(_ fields: String..., after delay: Duration = .milliseconds(10)) {
        state.withLock { state in
            state.setCookies = fields
            state.delay = delay
        }
    }

    /// Every `Cookie` field that came.
    var fields: [String] { state.withLock { $0.fields } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let (isSignedIn, setCookies, delay) = state.withLock { state in
            let session = RequestCookies(request.headerFields)[values: "session"].first.map(String.init)
            state.fields += request.headerFields[values: .cookie]
            return (session.map(state.accepted.contains) ?? false, state.setCookies, state.delay)
        }
        await withCheckedContinuation { continuation in
            alarm.ring(after: delay) { continuation.resume() }
        }
        var response = HTTPResponse(status: isSignedIn ? .ok : .unauthorized)
        response.headerFields[values: .setCookie] = setCookies
        return (response, [])
    }
}

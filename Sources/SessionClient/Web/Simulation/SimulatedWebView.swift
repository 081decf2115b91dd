import Cookies
import HTTPMessages
import Primitives
import Synchronization

/// A model of a web view: a page in a process of its own, over a cookie store in another.
///
/// It is for tests, and for showing what goes wrong where nothing is done about it. What it models, and each is tested:
/// writes that land late, a store that is not loaded at first, session cookies that end with the process pool, expiring
/// ones that stay, the content process that is killed with what was under way, cookies that get lost, completions that
/// never come, observers that are forgotten, and pages whose requests bring what is there at that moment. It renders
/// nothing and runs no JavaScript: scripts are calls of ``SimulatedPage``.
///
///     let view = SimulatedWebView(store: pool.sharedStore)
///     view.load("https://app.example/")
///     view.killContentProcess()
///     print(view.loads, view.sentFields)
public final class SimulatedWebView: WebSurface {
    struct State {
        var handler: (@Sendable (WebEvent) -> Void)?
        var page: SimulatedPage?
        var lastURL: String?
        /// Of the navigations that were begun, for the last wins.
        var navigation: UInt64 = 0
        /// Whether the last one is still under way, and who waits for its end.
        var isNavigating = false
        var waiters: [CheckedContinuation<SimulatedPage?, Never>] = []
        var sentFields: [String] = []
        var loads: [String] = []
    }

    /// Where its cookies are. Web views may share one.
    public let store: SimulatedCookieStore
    let number: UInt64
    let state = Mutex(State())

    /// A web view with no page in it.
    public init(store: SimulatedCookieStore) {
        self.store = store
        number = store.number()
    }

    var environment: SimulatedWebEnvironment { store.environment }

    /// `nil`: none was loaded, or the content process is gone.
    public var page: SimulatedPage? { state.withLock { $0.page } }

    /// The page that stands there when the navigation that is under way is over; at once where none is.
    ///
    ///     try await bridge.open("https://app.example/account")
    ///     let page = await view.settledPage()
    public func settledPage() async -> SimulatedPage? {
        await withCheckedContinuation { waiter in
            let (isNavigating, page) = state.withLock { state in
                if state.isNavigating { state.waiters.append(waiter) }
                return (state.isNavigating, state.page)
            }
            if !isNavigating { waiter.resume(returning: page) }
        }
    }

    /// Every URL that was gone to, the reloads included.
    public var loads: [String] { state.withLock { $0.loads } }

    /// Every `Cookie` field that ever left this web view.
    public var sentFields: [String] { state.withLock { $0.sentFields } }

    // MARK: WebSurface

    /// Answers later, and says where the store is not loaded yet.
    public func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) {
        store.read(completion)
    }

    /// Lands later, in the order of the calls, and completes later still.
    public func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        store.write(changes, by: number, completion)
    }

    /// The handler hears of everything from now on.
    public func connect(_ handler: (@Sendable (WebEvent) -> Void)?) {
        state.withLock { $0.handler = handler }
        if handler == nil { store.observe(number, nil) }
    }

    /// The handler hears of changes to the store from now on.
    public func observeCookies() {
        store.observe(number) { [weak self] in self?.tell(.cookiesChanged) }
    }

    /// Sends a request, with the cookies that are there at this moment; the page is there when the answer is.
    public func load(_ url: String) {
        let navigation = state.withLock { state in
            state.loads.append(url)
            state.lastURL = url
            state.navigation += 1
            state.isNavigating = true
            return state.navigation
        }
        _ = environment.launch { [self] in await navigate(to: url, navigation) }
    }

    /// Loads the last URL again.
    public func reload() {
        if let url = state.withLock({ $0.lastURL }) { load(url) }
    }

    func tell(_ event: WebEvent) {
        state.withLock { $0.handler }?(event)
    }

    // MARK: Pages

    private func navigate(to url: String, _ navigation: UInt64) async {
        let answer = await request(url)
        let next = answer.map { SimulatedPage(url: url, answer: $0, view: self) }
        let old: SimulatedPage? = state.withLock { state in
            guard state.navigation == navigation, let next else { return nil }
            defer { state.page = next }
            return state.page
        }
        old?.leave()
        endNavigation(navigation)
    }

    private func endNavigation(_ navigation: UInt64) {
        let (waiters, page) = state.withLock { state in
            defer { if state.navigation == navigation { (state.isNavigating, state.waiters) = (false, []) } }
            return (state.navigation == navigation ? state.waiters : [], state.page)
        }
        for waiter in waiters { waiter.resume(returning: page) }
    }

    /// Sends what a page sends: with the cookies that are there now, and takes those of the answer when it comes, however
    /// late that is and whatever became of the page.
    ///
    /// - Parameter page: whose script sends it; `nil`: nobody's, for it is a navigation.
    func request(
        _ url: String, _ method: HTTPRequest.Method = .get, from page: WebOrigin? = nil
    ) async -> SimulatedPage.Answer? {
        guard let target = CookieURL(url), let origin = WebOrigin(url) else { return nil }
        let context = CookieContext(url: target)
        let now = environment.clock.now()
        var request = HTTPRequest(
            method: method, scheme: target.isEncrypted ? "https" : "http",
            authority: origin.authority, path: target.path)
        let field = store.state.withLock { $0.jar.field(for: context, at: now) }
        if let field {
            request.headerFields[.cookie] = field
            state.withLock { $0.sentFields.append(field) }
        }
        // Fetch section 3.1: what a script sends by a method that may change something says whose script that is.
        if let page, method != .get, method != .head { request.headerFields[.origin] = page.description }
        guard let (response, body) = try? await environment.network.send(request, body: []) else { return nil }
        store.change { jar, now in
            for field in response.headerFields[values: .setCookie] {
                _ = try? jar.receive(field, from: context, at: now)
            }
        }
        return SimulatedPage.Answer(status: response.status.code, body: body)
    }

    /// The process that has the page in it is killed, by the system for memory or by a fault (S21).
    public func killContentProcess() {
        let (page, navigation) = state.withLock { state in
            defer { state.page = nil }
            state.navigation += 1
            return (state.page, state.navigation)
        }
        page?.leave()
        endNavigation(navigation)
        store.dropWrites(of: number)
        store.lose(percent: environment.behaviour.lossAtKill)
        environment.after(environment.behaviour.terminating) { [weak self] in self?.tell(.contentProcessTerminated) }
    }
}

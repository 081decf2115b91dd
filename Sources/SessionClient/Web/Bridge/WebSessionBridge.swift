import Cookies
import Primitives
import Synchronization

/// Keeps a web view signed in as the session is: the app refreshes, and the web view gets what comes of it.
///
/// A page is gone to when its cookies are there, and not before. A page that was refused asks (`{"type":"refresh"}`, with
/// the `generation` of the last answer) and is answered when the new cookies are there. What the web view loses is put back;
/// what was signed out stays out; the refresh token is never in it.
///
///     let bridge = WebSessionBridge(
///         session: pages, surface: surface, configuration: configuration, clock: clock, alarm: alarm)
///     let page = try await bridge.open("https://app.example/account")
///     bridge.close()
///
/// It can be called from anywhere, also from within what it calls: nothing is locked meanwhile (R19).
public final class WebSessionBridge: Sendable {
    private struct State {
        var machine: BridgeMachine
        var outbox: [BridgeAction] = []
        var isDelivering = false
        var lastID: UInt64 = 0
        var replies: [UInt64: @Sendable (ScriptReply) -> Void] = [:]
        var openings: [UInt64: CheckedContinuation<Result<PageState, WebBridgeError>, Never>] = [:]
        var following: Task<Void, Never>?
    }

    private let session: any PageSession
    private let surface: any WebSurface
    private let clock: any WallClock
    private let alarm: any Alarm
    private let launch: TaskLaunch
    private let state: Mutex<State>

    /// - Parameters:
    ///   - session: what the web view is to have: ``SessionPages``, as a rule.
    ///   - surface: the web view. One bridge has it for itself.
    ///   - configuration: whose pages may ask, and what they never get.
    ///   - clock: that of the device.
    ///   - alarm: rings when a wait is over.
    ///   - launch: begins a task; a test that moves its own clock has a list of them.
    public init(
        session: any PageSession, surface: any WebSurface, configuration: WebBridgeConfiguration,
        clock: any WallClock, alarm: any Alarm, launch: @escaping TaskLaunch = { Task(operation: $0) }
    ) {
        self.session = session
        self.surface = surface
        self.clock = clock
        self.alarm = alarm
        self.launch = launch
        var configuration = configuration
        configuration.refreshCookies += session.refreshCookies
        state = Mutex(State(machine: BridgeMachine(configuration, at: clock.now())))
        surface.connect { [weak self] in self?.heard($0) }
        surface.observeCookies()
        let updates = session.pageCookieUpdates
        let following = launch { [weak self] in
            for await update in updates { self?.feed(.session(update)) }
        }
        state.withLock { $0.following = following }
    }

    deinit { end() }

    /// Goes to a page as soon as its cookies are there.
    ///
    /// - Returns: whether the page is gone to signed in.
    @discardableResult
    public func open(_ url: String) async throws(WebBridgeError) -> PageState {
        let id = nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.openings[id] = continuation }
                feed(.open(id: id, url: url))
                if Task.isCancelled { feed(.giveUpOpening(id: id)) }
            }
        } onCancel: {
            feed(.giveUpOpening(id: id))
        }
        return try result.get()
    }

    /// Ends it: nothing is put into the web view any more. Whoever waits is answered.
    public func close() {
        feed(.close)
        state.withLock { $0.following }?.cancel()
    }

    /// Refresh cookies that the session has offered to the web view, and that were not put there: its configuration is wrong.
    public var refusedCookies: Set<Cookie.Identity> { state.withLock { $0.machine.plan.refused } }

    private func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func heard(_ event: WebEvent) {
        switch event {
        case .cookiesChanged: feed(.cookiesChanged)
        case .contentProcessTerminated: feed(.contentProcessTerminated)
        case .message(let message):
            let id = nextID()
            state.withLock { $0.replies[id] = message.reply }
            feed(.message(id: id, origin: message.origin, isMainFrame: message.isMainFrame, body: message.body))
        }
    }

    /// Whoever comes first carries out what others decide meanwhile, too: so actions happen one after the other, in the
    /// order in which they were decided, and none of them under the lock.
    private func feed(_ input: BridgeInput) {
        let now = clock.now()
        let isFirst = state.withLock { state in
            state.outbox += state.machine.handle(input, at: now)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let action = nextAction() { perform(action) }
    }

    private func nextAction() -> BridgeAction? {
        state.withLock { state in
            guard state.outbox.isEmpty else { return state.outbox.removeFirst() }
            state.isDelivering = false
            return nil
        }
    }

    private func perform(_ action: BridgeAction) {
        switch action {
        case .ask(let flight): ask(flight)
        case .read(let step): surface.readCookies { [weak self] in self?.feed(.read(step: step, $0)) }
        case .apply(let step, let changes):
            surface.apply(changes) { [weak self] in self?.feed(.applied(step: step)) }
        case .observe: surface.observeCookies()
        case .load(let url): surface.load(url)
        case .reload: surface.reload()
        case .reply(let id, let reply): state.withLock { $0.replies.removeValue(forKey: id) }?(reply)
        case .finishOpening(let id, let result):
            state.withLock { $0.openings.removeValue(forKey: id) }?.resume(returning: result)
        case .ring(let timer, let delay): alarm.ring(after: delay) { [weak self] in self?.feed(.rang(timer)) }
        case .disconnect: surface.connect(nil)
        }
    }

    /// The flight is nobody's child: it goes on whatever becomes of the page that wanted it (R10, C8).
    private func ask(_ flight: BridgeFlight) {
        _ = launch { [weak self, session] in
            let result: Result<PageCookies, PageSessionError>
            do throws(PageSessionError) {
                if let generation = flight.replacing {
                    result = .success(try await session.pageCookies(replacing: generation))
                } else {
                    result = .success(try await session.pageCookies())
                }
            } catch {
                result = .failure(error)
            }
            self?.feed(.answered(flight, result))
        }
    }

    private func end() {
        let (following, replies) = state.withLock { state in
            defer { state.replies = [:] }
            return (state.following, state.replies)
        }
        following?.cancel()
        surface.connect(nil)
        for reply in replies.values { reply(.failure("closed")) }
    }
}

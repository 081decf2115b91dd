import Cookies
import Primitives
import Synchronization

/// The cookies of web views as their network process has them: far away from the app, which asks, waits and is told.
///
/// Requests and scripts see the jar as it is at their moment; whoever writes from the app sees his write land later.
///
///     view.store.setByNeighbour(cookie)
///     view.store.lose(percent: 50)
///     view.store.clearByNeighbour()
///     view.store.forgetObservers()
///     view.store.killNetworkProcess()
///     view.store.flush()
public final class SimulatedCookieStore: Sendable {
    struct State {
        var jar = CookieJar()
        var isLoaded = false
        var hasEnded = false
        /// Nobody is told of anything any more, whoever registers.
        var isSilent = false
        var isFlushing = false
        /// Not landed yet.
        var writes: [UInt64: Write] = [:]
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var nextNumber: UInt64 = 0
        /// Writes land in order.
        var lastLanding: Timestamp?
    }

    struct Write {
        let changes: [CookieChange]
        let writer: UInt64
        let completion: @Sendable () -> Void
    }

    let environment: SimulatedWebEnvironment
    let state = Mutex(State())
    /// `nil`: a private one.
    let disk: SimulatedWebDisk?

    init(disk: SimulatedWebDisk?, environment: SimulatedWebEnvironment) {
        self.disk = disk
        self.environment = environment
        let now = environment.clock.now()
        state.withLock { state in
            for cookie in disk?.cookies ?? [] { try? state.jar.apply(.set(cookie), at: now) }
        }
        environment.after(environment.behaviour.loading) { [weak self] in self?.load() }
    }

    func load() {
        state.withLock { $0.isLoaded = true }
    }

    /// What is there now, as requests see it; for tests, which may look where the app cannot.
    public var cookies: [Cookie] {
        let now = environment.clock.now()
        return state.withLock { $0.jar.all }.filter { !$0.isExpired(at: now) }
    }

    func number() -> UInt64 {
        state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
    }

    // MARK: The app's side

    func read(_ completion: @escaping @Sendable (WebCookies) -> Void) {
        environment.after(environment.behaviour.reading) { [self] in
            let now = environment.clock.now()
            let answer: WebCookies? = state.withLock { state in
                guard !state.hasEnded else { return nil }
                guard state.isLoaded else { return .notLoaded }
                let readsExpired = environment.behaviour.readsExpired
                return .loaded(state.jar.all.filter { readsExpired || !$0.isExpired(at: now) })
            }
            if let answer { completion(answer) }
        }
    }

    func write(_ changes: [CookieChange], by writer: UInt64, _ completion: @escaping @Sendable () -> Void) {
        let now = environment.clock.now()
        let delay = environment.delay(environment.behaviour.writing)
        let number = number()
        let landing = state.withLock { state in
            state.writes[number] = Write(changes: changes, writer: writer, completion: completion)
            let landing = max(state.lastLanding ?? now, now + delay)
            state.lastLanding = landing
            return landing
        }
        environment.alarm.ring(after: landing - now) { [self] in land(number) }
    }

    private func land(_ number: UInt64) {
        guard let write = state.withLock({ $0.hasEnded ? nil : $0.writes.removeValue(forKey: number) }) else { return }
        change(isWrite: write.changes.contains { if case .set = $0 { true } else { false } }) { jar, now in
            // One that no user agent may have is dropped without a word, as the real ones do.
            for change in write.changes { try? jar.apply(change, at: now) }
        }
        guard !environment.happens(percent: environment.behaviour.lostCompletions) else { return }
        environment.after(environment.behaviour.completing, write.completion)
    }

    /// The content process of `writer` is gone: what it had under way does not arrive, and nobody is told.
    func dropWrites(of writer: UInt64) {
        state.withLock { state in state.writes = state.writes.filter { $0.value.writer != writer } }
    }

    func observe(_ number: UInt64, _ observer: (@Sendable () -> Void)?) {
        state.withLock { $0.observers[number] = $0.isSilent ? nil : observer }
    }

    // MARK: Changes

    /// Changes the jar at once, and tells the observers later, if anything is different.
    @discardableResult
    func change<Result>(isWrite: Bool = false, _ body: (inout CookieJar, Timestamp) -> Result) -> Result {
        let now = environment.clock.now()
        let (result, isDifferent) = state.withLock { state in
            let before = state.jar.all
            let result = body(&state.jar, now)
            return (result, !CookieChange.changes(from: before, to: state.jar.all).isEmpty)
        }
        guard isDifferent || isWrite && environment.behaviour.tellsOfIdenticalWrites else { return result }
        flushLater()
        for observer in state.withLock({ Array($0.observers.sorted { $0.key < $1.key }.map(\.value)) }) {
            environment.after(environment.behaviour.notifying, observer)
        }
        return result
    }

    private func flushLater() {
        guard disk != nil,
            state.withLock({ state in
                defer { state.isFlushing = true }
                return !state.isFlushing && !state.hasEnded
            })
        else { return }
        environment.after(environment.behaviour.flushing) { [self] in flush() }
    }

    /// Writes what persists to the disk; the system does it by itself a while after a change.
    public func flush() {
        let cookies: [Cookie]? = state.withLock { state in
            state.isFlushing = false
            return state.hasEnded ? nil : state.jar.all.filter(\.isPersistent)
        }
        if let cookies { disk?.save(cookies) }
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.jar.removeAll()
            state.writes = [:]
            state.observers = [:]
        }
    }
}

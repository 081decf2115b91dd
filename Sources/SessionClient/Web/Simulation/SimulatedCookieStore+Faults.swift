import Cookies
import Primitives
import Synchronization

extension SimulatedCookieStore {
    /// Other code in the app clears the store, for reasons of its own (S17).
    public func clearByNeighbour() {
        change { jar, _ in jar.removeAll() }
    }

    /// Other code in the app, or a server, puts a cookie there.
    public func setByNeighbour(_ cookie: Cookie) {
        change { jar, now in try? jar.apply(.set(cookie), at: now) }
    }

    /// Cookies go without anybody having done anything (S11).
    public func lose(percent: Int) {
        change { jar, now in
            for cookie in jar.all where environment.happens(percent: percent) {
                try? jar.apply(.expire(cookie.identity), at: now)
            }
        }
    }

    /// Every registration is forgotten, and nobody hears of that either (C5).
    public func forgetObservers() {
        state.withLock { $0.observers = [:] }
    }

    /// The process that the store lives in is killed: session cookies are gone and what is on the disk is read anew, what was under
    /// way is lost, and nobody hears of anything any more, whoever registers again. So WebKitGTK was seen to do.
    public func killNetworkProcess() {
        let now = environment.clock.now()
        state.withLock { state in
            state.jar.removeAll()
            for cookie in disk?.cookies ?? [] { try? state.jar.apply(.set(cookie), at: now) }
            state.isLoaded = false
            state.writes = [:]
            state.observers = [:]
            state.isSilent = true
        }
        environment.after(environment.behaviour.loading) { [weak self] in self?.load() }
    }
}

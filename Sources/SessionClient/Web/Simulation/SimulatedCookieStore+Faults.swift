import Cookies
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
}

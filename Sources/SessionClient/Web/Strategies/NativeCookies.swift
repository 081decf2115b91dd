import Cookies
import Primitives
import Synchronization

/// The cookies of the app's own requests, and who wants to hear of their changes.
///
///     let native = NativeCookies(clock: clock)
///     native.apply([.set(cookie)], by: .app)
///     print(native.cookies)
public final class NativeCookies: Sendable {
    /// Who has made a change.
    public enum Writer: Hashable, Sendable {
        /// The app, or an answer to one of its requests.
        case app
        /// The strategy, after a look at the web view.
        case web
    }

    package typealias Listener = @Sendable ([CookieChange], Writer) -> Void

    private struct State {
        var jar = CookieJar()
        var listener: Listener?
    }
    private let state = Mutex(State())
    private let clock: any WallClock

    /// An empty jar.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// Those that are good now.
    public var cookies: [Cookie] {
        let now = clock.now()
        return state.withLock { $0.jar.all }.filter { !$0.isExpired(at: now) }
    }

    package func listen(_ listener: Listener?) {
        state.withLock { $0.listener = listener }
    }

    /// Makes changes, and tells of those that made a difference.
    public func apply(_ changes: [CookieChange], by writer: Writer) {
        let now = clock.now()
        let (made, listener) = state.withLock { state in
            let before = state.jar.all
            for change in changes { try? state.jar.apply(change, at: now) }
            return (CookieChange.changes(from: before, to: state.jar.all), state.listener)
        }
        if !made.isEmpty { listener?(made, writer) }
    }
}

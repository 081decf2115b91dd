import Cookies
import SessionClient
import Synchronization

/// Writes down what a bridge does to a web view, and can get in its way.
final class RecordingSurface: WebSurface {
    private let base: SimulatedWebView
    private let changed: (@Sendable (Cookie) -> Cookie)?
    private let written = Mutex<[[CookieChange]]>([])
    private let loading = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ base: SimulatedWebView, changing changed: (@Sendable (Cookie) -> Cookie)? = nil) {
        self.base = base
        self.changed = changed
    }

    var writes: [[CookieChange]] { written.withLock { $0 } }

    func onLoad(_ body: @escaping @Sendable () -> Void) { loading.withLock { $0 = body } }

    func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) { base.readCookies(completion) }

    func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        written.withLock { $0.append(changes) }
        base.apply(
            changes.map { change in
                if case .set(let cookie) = change, let changed { .set(changed(cookie)) } else { change }
            }, completion)
    }

    func connect(_ handler: (@Sendable (WebEvent) -> Void)?) { base.connect(handler) }
    func observeCookies() { base.observeCookies() }

    func load(_ url: String) {
        loading.withLock { $0 }?()
        base.load(url)
    }

    func reload() { base.reload() }
}

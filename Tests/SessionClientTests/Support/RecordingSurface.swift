import Cookies
import SessionClient
import Synchronization

/// Writes down what a bridge does to a web view, and can get in its way.
final class RecordingSurface: WebSurface {
    private let base: SimulatedWebView
    private let changed: (@Sendable (Cookie) -> Cookie)?
    private let written = Mutex<[[CookieChange]]>([])
    private let loading = Mutex<(@Sendable () -> Void)?>(nil)
    private let called = Mutex<[String]>([])
    private let isUnloaded = Mutex(false)
    private let held = Mutex<[@Sendable () -> Void]?>(nil)
    private let losesNextRead = Mutex(false)
    private let handler = Mutex<(@Sendable (WebEvent) -> Void)?>(nil)

    init(_ base: SimulatedWebView, changing changed: (@Sendable (Cookie) -> Cookie)? = nil) {
        self.base = base
        self.changed = changed
    }

    var writes: [[CookieChange]] { written.withLock { $0 } }

    /// From now on, the store says that it has read nothing yet.
    func unload() { isUnloaded.withLock { $0 = true } }

    /// What is read from now on is read at once, and told when it is let go.
    func holdReads() { held.withLock { $0 = [] } }

    /// Tells what was read by now, and holds what is read after it.
    func tellReads() {
        let told = held.withLock { held in
            defer { held = [] }
            return held ?? []
        }
        for tell in told { tell() }
    }

    func letReadsGo() {
        tellReads()
        held.withLock { $0 = nil }
    }

    /// The next one is never answered.
    func loseNextRead() { losesNextRead.withLock { $0 = true } }

    /// What was called, in its order, and when it was over.
    var calls: [String] { called.withLock { $0 } }

    func tell(_ event: WebEvent) { handler.withLock { $0 }?(event) }

    func onLoad(_ body: @escaping @Sendable () -> Void) { loading.withLock { $0 = body } }

    func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) {
        called.withLock { $0.append("read") }
        let isUnloaded = isUnloaded.withLock { $0 }
        let isLost = losesNextRead.withLock { loses in
            defer { loses = false }
            return loses
        }
        base.readCookies { [self] cookies in
            guard !isLost else { return }
            let tell: @Sendable () -> Void = { completion(isUnloaded ? .notLoaded : cookies) }
            let isHeld = self.held.withLock { held in
                held?.append(tell)
                return held != nil
            }
            if !isHeld { tell() }
        }
    }

    func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        written.withLock { $0.append(changes) }
        base.apply(
            changes.map { change in
                if case .set(let cookie) = change, let changed { .set(changed(cookie)) } else { change }
            }, completion)
    }

    func connect(_ handler: (@Sendable (WebEvent) -> Void)?) {
        self.handler.withLock { $0 = handler }
        base.connect(handler)
    }

    func observeCookies() { base.observeCookies() }

    func load(_ url: String) {
        called.withLock { $0.append("load") }
        loading.withLock { $0 }?()
        base.load(url)
        called.withLock { $0.append("loaded") }
    }

    func reload() { base.reload() }
}

import Cookies
import Primitives
import Synchronization

/// Carries out what a rule says about two stores.
final class CookieMirror: WebSide {
    private struct State {
        var rule: any MirrorRule
        var isClosed = false
    }

    private static let pause: Duration = .milliseconds(25)

    private let sides: WebSides
    private let state: Mutex<State>

    init(_ sides: WebSides, _ rule: any MirrorRule) {
        self.sides = sides
        state = Mutex(State(rule: rule))
        sides.native.listen { [weak self] in self?.nativeChanged($0, by: $1) }
        sides.surface.connect { [weak self] in self?.heard($0) }
        sides.surface.observeCookies()
        nativeChanged(sides.native.cookies.map { .set($0) }, by: .app)
        look()
    }

    private func ask<Answer>(_ body: (inout any MirrorRule) -> Answer) -> Answer? {
        state.withLock { $0.isClosed ? nil : body(&$0.rule) }
    }

    private func nativeChanged(_ changes: [CookieChange], by writer: NativeCookies.Writer) {
        writeWeb(ask { $0.nativeChanged(changes, by: writer) } ?? [])
    }

    private func writeWeb(_ changes: [CookieChange]) {
        if !changes.isEmpty { sides.surface.apply(changes) {} }
    }

    private func heard(_ event: WebEvent) {
        switch event {
        case .cookiesChanged: look()
        case .contentProcessTerminated:
            writeWeb(ask { $0.webRestarted() } ?? [])
            whenWelcome { [sides] isWelcome in if isWelcome { sides.surface.reload() } }
        case .message(let message): message.reply(.failure("not allowed"))
        }
    }

    private func look(_ then: @escaping @Sendable () -> Void = {}) {
        sides.surface.readCookies { [weak self] view in
            guard let self, let changes = ask({ $0.webShows(view, native: self.sides.native.cookies) }) else { return }
            sides.native.apply(changes.native, by: .web)
            writeWeb(changes.web)
            then()
        }
    }

    func open(_ url: String) async throws(WebBridgeError) {
        let isWelcome = await withCheckedContinuation { continuation in
            let once = Once<Bool> { continuation.resume(returning: $0) }
            whenWelcome { once.call($0) }
        }
        guard isWelcome else { throw .cookiesNotVisible }
        sides.surface.load(url)
    }

    /// Looks, until the rule has nothing against a page any more.
    private func whenWelcome(_ then: @escaping @Sendable (Bool) -> Void) {
        guard ask({ (rule: inout any MirrorRule) in rule.looksBeforePages }) ?? true else { return then(true) }
        let once = Once(then)
        sides.alarm.ring(after: sides.configuration.limits.opening) { once.call(false) }
        poll(once)
    }

    private func poll(_ once: Once<Bool>) {
        guard !once.isOver else { return }
        look { [weak self] in
            if self?.ask({ $0.isPageWelcome }) ?? false { once.call(true) }
        }
        sides.alarm.ring(after: Self.pause) { [weak self] in
            if let self { poll(once) } else { once.call(false) }
        }
    }

    func nativeCookies() async -> [Cookie] { sides.native.cookies }

    func nativeReceived(_ changes: [CookieChange]) { sides.native.apply(changes, by: .app) }

    func close() {
        state.withLock { $0.isClosed = true }
        sides.native.listen(nil)
        sides.surface.connect(nil)
    }
}

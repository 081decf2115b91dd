#if canImport(WebKit)
import Cookies
import Dispatch
import Foundation
import Primitives
import SessionClient
import WebKit

/// A `WKWebView` for a bridge.
///
/// The page asks by `await webkit.messageHandlers.session.postMessage({type: "refresh", generation})`. The web view's
/// navigation delegate has to hear of the end of its content process: let the surface be that delegate, or forward
/// `webViewWebContentProcessDidTerminate` to ``contentProcessDidTerminate()``.
///
///     let configuration = WKWebViewSurface.privateConfiguration()
///     let webView = WKWebView(frame: .zero, configuration: configuration)
///     let surface = WKWebViewSurface(webView, delegation: .takeOver)
///
/// On Linux this is type-checked against stubs of the API that it uses, and run by nobody.
@MainActor
public final class WKWebViewSurface: NSObject, WebSurface {
    /// Who is told of the end of the content process.
    public enum Delegation: Hashable, Sendable {
        /// The surface becomes the navigation delegate of the web view.
        case takeOver
        /// The app is, and calls ``WKWebViewSurface/contentProcessDidTerminate()``.
        case appForwards
    }

    /// So many empty answers of a store that has shown nothing yet are taken for "not loaded", and not the next (C3): an
    /// empty store gives the same answer for ever.
    private static let emptyAnswersInDoubt = 5

    private weak var webView: WKWebView?
    private let store: WKHTTPCookieStore
    private let clock: any WallClock
    private let relay = WebKitRelay()
    private var handler: (@Sendable (WebEvent) -> Void)?
    private var doubtsLeft = WKWebViewSurface.emptyAnswersInDoubt
    private var lastURL: URL?

    /// - Parameter messageName: under which pages find the app in `webkit.messageHandlers`.
    public init(
        _ webView: WKWebView, delegation: Delegation, messageName: String = "session",
        clock: any WallClock = SystemWallClock()
    ) {
        self.webView = webView
        self.clock = clock
        store = webView.configuration.websiteDataStore.httpCookieStore
        super.init()
        relay.surface = self
        // The controller keeps its handler alive, and with it whatever the handler keeps: hence the relay.
        let controller = webView.configuration.userContentController
        // Two under one name are an exception, and the later one is meant.
        controller.removeScriptMessageHandler(forName: messageName, contentWorld: .page)
        controller.addScriptMessageHandler(relay, contentWorld: .page, name: messageName)
        if delegation == .takeOver { webView.navigationDelegate = relay }
    }

    /// For a web view with a store of its own, which no other code of the app gets at and of which nothing is ever on the
    /// disk (S17). Web views that are to share a login share the configuration.
    public static func privateConfiguration() -> WKWebViewConfiguration {
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        return configuration
    }

    /// In the order of the calls, on the one thread that WebKit is used from.
    private nonisolated func onMain(_ body: @escaping @MainActor @Sendable (WKWebViewSurface) -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated { body(self) } }
    }

    // MARK: WebSurface

    /// What the store shows. The first few empty answers are taken for a store that is not loaded yet.
    public nonisolated func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) {
        onMain { surface in
            surface.store.getAllCookies { cookies in completion(surface.answer(cookies)) }
        }
    }

    private func answer(_ cookies: [HTTPCookie]) -> WebCookies {
        if cookies.isEmpty, doubtsLeft > 0 {
            doubtsLeft -= 1
            return .notLoaded
        }
        doubtsLeft = 0
        let now = clock.now()
        return .loaded(cookies.compactMap { Cookie($0, at: now) })
    }

    /// One change after the other.
    public nonisolated func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {
        onMain { $0.apply(changes[...], completion) }
    }

    /// One after the other: several at once arrive in any order.
    private func apply(_ changes: ArraySlice<CookieChange>, _ completion: @escaping @Sendable () -> Void) {
        guard let change = changes.first else { return completion() }
        let next: @MainActor @Sendable () -> Void = { [self] in
            // Whoever takes a write has read what he has.
            doubtsLeft = 0
            apply(changes.dropFirst(), completion)
        }
        switch change {
        case .set(let cookie):
            guard let cookie = cookie.httpCookie() else { return next() }
            store.setCookie(cookie, completionHandler: next)
        case .expire(let identity):
            guard let cookie = identity.httpCookie() else { return next() }
            store.delete(cookie, completionHandler: next)
        }
    }

    /// The handler hears of everything from now on.
    public nonisolated func connect(_ handler: (@Sendable (WebEvent) -> Void)?) {
        onMain { surface in
            surface.handler = handler
            if handler == nil { surface.store.remove(surface.relay) }
        }
    }

    /// Registers with the store, anew where that was done before.
    public nonisolated func observeCookies() {
        onMain { surface in
            // The store does not keep its observers alive, and tells one that is there twice twice (C5).
            surface.store.remove(surface.relay)
            surface.store.add(surface.relay)
        }
    }

    /// Goes there.
    public nonisolated func load(_ url: String) {
        onMain { surface in
            guard let url = URL(string: url) else { return }
            surface.lastURL = url
            _ = surface.webView?.load(URLRequest(url: url))
        }
    }

    /// After the content process has died, the web view may not know any more where it was.
    public nonisolated func reload() {
        onMain { surface in
            guard let webView = surface.webView else { return }
            if webView.url != nil {
                _ = webView.reload()
            } else if let url = surface.lastURL {
                _ = webView.load(URLRequest(url: url))
            }
        }
    }

    // MARK: What happens

    /// To be called by the app's own navigation delegate.
    ///
    ///     func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
    ///         surface.contentProcessDidTerminate()
    ///     }
    public func contentProcessDidTerminate() { handler?(.contentProcessTerminated) }

    func cookiesDidChange() {
        doubtsLeft = 0
        handler?(.cookiesChanged)
    }

    func received(_ message: WKScriptMessage, _ replyHandler: @escaping @MainActor (Any?, String?) -> Void) {
        let frame = message.frameInfo
        let reply: @Sendable (ScriptReply) -> Void = { reply in
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    switch reply {
                    case .value(let value): replyHandler(value.scriptValue, nil)
                    case .failure(let text): replyHandler(nil, text)
                    }
                }
            }
        }
        guard let handler, let body = JSON(scriptValue: message.body) else { return reply(.failure("not understood")) }
        handler(
            .message(
                ScriptMessage(
                    origin: WebOrigin(frame.securityOrigin), isMainFrame: frame.isMainFrame, body: body, reply: reply)))
    }
}
#endif

// What the adapters for Apple platforms use of WebKit, declared as Apple's headers declare it and as far as it is used.
// Nothing here does anything: it is there for the compiler alone, where there is no WebKit of Apple's.

import Foundation

@MainActor
package class WKWebView: NSObject {
    package var configuration: WKWebViewConfiguration { fatalError() }
    package weak var navigationDelegate: (any WKNavigationDelegate)?
    package var url: URL? { fatalError() }
    @discardableResult package func load(_ request: URLRequest) -> WKNavigation? { fatalError() }
    @discardableResult package func reload() -> WKNavigation? { fatalError() }
}

@MainActor
package class WKNavigation: NSObject {}

@MainActor
package class WKWebViewConfiguration: NSObject {
    package override init() {}
    package var websiteDataStore: WKWebsiteDataStore {
        get { fatalError() }
        set {}
    }
    package var userContentController: WKUserContentController { fatalError() }
}

@MainActor
package class WKWebsiteDataStore: NSObject {
    package class func nonPersistent() -> WKWebsiteDataStore { fatalError() }
    package var httpCookieStore: WKHTTPCookieStore { fatalError() }
}

@MainActor
package class WKHTTPCookieStore: NSObject {
    package func getAllCookies(_ completionHandler: @escaping @MainActor ([HTTPCookie]) -> Void) {}
    package func setCookie(_ cookie: HTTPCookie, completionHandler: (@MainActor () -> Void)? = nil) {}
    package func delete(_ cookie: HTTPCookie, completionHandler: (@MainActor () -> Void)? = nil) {}
    package func add(_ observer: any WKHTTPCookieStoreObserver) {}
    package func remove(_ observer: any WKHTTPCookieStoreObserver) {}
}

@MainActor
package protocol WKHTTPCookieStoreObserver: AnyObject {
    func cookiesDidChange(in cookieStore: WKHTTPCookieStore)
}

@MainActor
package protocol WKNavigationDelegate: AnyObject {
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor
package class WKUserContentController: NSObject {
    package func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
    ) {}
    package func removeScriptMessageHandler(forName name: String, contentWorld: WKContentWorld) {}
}

@MainActor
package class WKContentWorld: NSObject {
    package static var page: WKContentWorld { fatalError() }
}

@MainActor
package protocol WKScriptMessageHandlerWithReply: AnyObject {
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor (Any?, String?) -> Void)
}

@MainActor
package class WKScriptMessage: NSObject {
    package var body: Any { fatalError() }
    package var frameInfo: WKFrameInfo { fatalError() }
}

@MainActor
package class WKFrameInfo: NSObject {
    package var isMainFrame: Bool { fatalError() }
    package var securityOrigin: WKSecurityOrigin { fatalError() }
}

@MainActor
package class WKSecurityOrigin: NSObject {
    package var `protocol`: String { fatalError() }
    package var host: String { fatalError() }
    package var port: Int { fatalError() }
}

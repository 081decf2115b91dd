// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the adapters for Apple platforms use of WebKit, declared as Apple's headers declare it and as far as it is used.
// Nothing here does anything: it is there for the compiler alone, where there is no WebKit of Apple's.

import Foundation

@MainActor
public class WKWebView: NSObject {
    public var configuration: WKWebViewConfiguration { fatalError() }
    public weak var navigationDelegate: (any WKNavigationDelegate)?
    public var url: URL? { fatalError() }
    @discardableResult public func load(_ request: URLRequest) -> WKNavigation? { fatalError() }
    @discardableResult public func reload() -> WKNavigation? { fatalError() }
}

@MainActor
public class WKNavigation: NSObject {}

@MainActor
public class WKWebViewConfiguration: NSObject {
    public override init() {}
    public var websiteDataStore: WKWebsiteDataStore {
        get { fatalError() }
        set {}
    }
    public var userContentController: WKUserContentController { fatalError() }
}

@MainActor
public class WKWebsiteDataStore: NSObject {
    public class func nonPersistent() -> WKWebsiteDataStore { fatalError() }
    public var httpCookieStore: WKHTTPCookieStore { fatalError() }
}

@MainActor
public class WKHTTPCookieStore: NSObject {
    public func getAllCookies(_ completionHandler: @escaping @MainActor ([HTTPCookie]) -> Void) {}
    public func setCookie(_ cookie: HTTPCookie, completionHandler: (@MainActor () -> Void)? = nil) {}
    public func delete(_ cookie: HTTPCookie, completionHandler: (@MainActor () -> Void)? = nil) {}
    public func add(_ observer: any WKHTTPCookieStoreObserver) {}
    public func remove(_ observer: any WKHTTPCookieStoreObserver) {}
}

@MainActor
public protocol WKHTTPCookieStoreObserver: AnyObject {
    func cookiesDidChange(in cookieStore: WKHTTPCookieStore)
}

@MainActor
public protocol WKNavigationDelegate: AnyObject {
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

@MainActor
public class WKUserContentController: NSObject {
    public func addScriptMessageHandler(
        _ scriptMessageHandlerWithReply: any WKScriptMessageHandlerWithReply, contentWorld: WKContentWorld, name: String
    ) {}
    public func removeScriptMessageHandler(forName name: String, contentWorld: WKContentWorld) {}
}

@MainActor
public class WKContentWorld: NSObject {
    public static var page: WKContentWorld { fatalError() }
}

@MainActor
public protocol WKScriptMessageHandlerWithReply: AnyObject {
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor (Any?, String?) -> Void)
}

@MainActor
public class WKScriptMessage: NSObject {
    public var body: Any { fatalError() }
    public var frameInfo: WKFrameInfo { fatalError() }
}

@MainActor
public class WKFrameInfo: NSObject {
    public var isMainFrame: Bool { fatalError() }
    public var securityOrigin: WKSecurityOrigin { fatalError() }
}

@MainActor
public class WKSecurityOrigin: NSObject {
    public var `protocol`: String { fatalError() }
    public var host: String { fatalError() }
    public var port: Int { fatalError() }
}

#if canImport(WebKit)
import Foundation
import WebKit

/// Stands between WebKit and a surface, so that neither keeps the other alive.
@MainActor
final class WebKitRelay: NSObject, WKScriptMessageHandlerWithReply, WKHTTPCookieStoreObserver, WKNavigationDelegate {
    weak var surface: WKWebViewSurface?

    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor (Any?, String?) -> Void
    ) {
        guard let surface else { return replyHandler(nil, "closed") }
        surface.received(message, replyHandler)
    }

    func cookiesDidChange(in cookieStore: WKHTTPCookieStore) {
        surface?.cookiesDidChange()
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        surface?.contentProcessDidTerminate()
    }
}
#endif

// Compiled where there is a WebKit, and read by whoever looks for an example elsewhere.
#if canImport(WebKit)
import Foundation
import Primitives
import SessionClient
import SessionClientFoundation
import WebKit

@MainActor
private final class WebViewOwner: NSObject, WKNavigationDelegate {
    private var surface: WKWebViewSurface!

    func begin(clock: any WallClock) {
        let configuration = WKWebViewSurface.privateConfiguration()
        let webView = WKWebView(frame: .zero, configuration: configuration)
        let surface = WKWebViewSurface(webView, delegation: .takeOver)
        self.surface = surface
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        surface.contentProcessDidTerminate()
    }
}
#endif

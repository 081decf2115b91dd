// Compiled where there is a WebKit or a Keychain, and read by whoever looks for an example elsewhere.
#if canImport(WebKit)
import Primitives
import SessionClient
import WebKit

@MainActor
private final class WebViewOwner: NSObject, WKNavigationDelegate {
    private var surface: WKWebViewSurface!

    func begin(clock: any WallClock) {
        let configuration = WKWebViewSurface.privateConfiguration()
        let webView = WKWebView(frame: .zero, configuration: configuration)
        let surface = WKWebViewSurface(webView, delegation: .takeOver, clock: clock)
        self.surface = surface
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        surface.contentProcessDidTerminate()
    }
}
#endif

#if canImport(Security)
import Primitives
import SessionClient

private func stores(path: String, clock: any WallClock) -> [any SessionStore] {
    func inTheKeychain() -> any SessionStore {
        let store = KeychainStore(service: "example.app", accessGroup: "TEAM.example.shared", clock: clock)
        return store
    }
    func inAFile() -> any SessionStore {
        let key = KeychainKey(service: "example.app", accessGroup: "TEAM.example.shared")
        let store = EncryptedFileStore(directory: path, key: .keychain(key), clock: clock)
        return store
    }
    return [inTheKeychain(), inAFile()]
}
#endif

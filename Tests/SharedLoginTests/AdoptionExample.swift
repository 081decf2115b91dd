import Cookies
import HTTPMessages
import SessionClient
import SessionClientFoundation

/// The lines that the demonstration prints for whoever wants to adopt the library: here they compile.
enum AdoptionExample {
    fileprivate static func adopt(
        login: HTTPRequest, response: HTTPResponse, body: [UInt8], request: HTTPRequest, origin: WebOrigin,
        webView: String
    ) async throws -> (HTTPResponse, [UInt8]) {
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-access", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(cookies: cookies, store: EncryptedFileStore(group: "team.example.app"))
        try await session.signIn(by: response, body: body, to: login)  // what the login was answered with
        let (answer, data) = try await session.send(request)  // in the app: refreshes when due, once for everybody
        let surface = WKWebViewSurface(webView, delegation: .takeOver)
        let bridge = WebSessionBridge(
            session: SessionPages(session), surface: surface,
            configuration: WebBridgeConfiguration(origins: [origin]))
        try await bridge.open("https://app.example/account")  // in the web view: as soon as its cookies are there
        return (answer, data)
    }
}

/// In the place of the one that Apple's platforms have.
private struct WKWebViewSurface: WebSurface {
    enum Delegation { case takeOver }

    init(_ webView: String, delegation: Delegation) {}

    func readCookies(_ completion: @escaping @Sendable (WebCookies) -> Void) {}
    func apply(_ changes: [CookieChange], _ completion: @escaping @Sendable () -> Void) {}
    func connect(_ handler: (@Sendable (WebEvent) -> Void)?) {}
    func observeCookies() {}
    func load(_ url: String) {}
    func reload() {}
}

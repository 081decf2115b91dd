import Cookies

/// A web view that a strategy keeps as the app is.
///
///     try await side.open("https://app.example/")
///     side.nativeReceived([.set(cookie)])
///     print(await side.nativeCookies())
///     side.close()
public protocol WebSide: Sendable {
    /// Goes to a page, after whatever the strategy does before.
    func open(_ url: String) async throws(WebBridgeError)

    /// What a request of the app itself brings now.
    func nativeCookies() async -> [Cookie]

    /// An answer to a request of the app itself has made these changes.
    func nativeReceived(_ changes: [CookieChange])

    func close()
}

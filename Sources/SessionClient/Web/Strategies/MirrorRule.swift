import Cookies

/// What a change of one store means for the other. It does nothing itself.
protocol MirrorRule: Sendable {
    /// For the web view, after a change of the app's cookies.
    mutating func nativeChanged(_ changes: [CookieChange], by writer: NativeCookies.Writer) -> [CookieChange]

    /// For both, after a look at the web view's store.
    mutating func webShows(_ view: WebCookies, native: [Cookie]) -> MirrorChanges

    /// For the web view, after its content process has died.
    mutating func webRestarted() -> [CookieChange]

    /// Whether the store is looked at before a page is gone to, until the page is welcome.
    var looksBeforePages: Bool { get }
    /// Whether a page has all that it should, after what was seen last.
    var isPageWelcome: Bool { get }
}

struct MirrorChanges: Hashable, Sendable {
    var native: [CookieChange] = []
    var web: [CookieChange] = []
}

import Cookies

/// Copies what is there (S5, S6). What is not there any more is in no copy (S14), and nobody waits for a copy to arrive.
struct NaiveCopying: MirrorRule {
    mutating func nativeChanged(_ changes: [CookieChange], by writer: NativeCookies.Writer) -> [CookieChange] {
        guard writer == .app else { return [] }
        return changes.filter { if case .set = $0 { true } else { false } }
    }

    mutating func webShows(_ view: WebCookies, native: [Cookie]) -> MirrorChanges {
        guard case .loaded(let cookies) = view else { return MirrorChanges() }
        return MirrorChanges(native: cookies.map { .set($0) })
    }

    mutating func webRestarted() -> [CookieChange] { [] }

    var looksBeforePages: Bool { false }
    var isPageWelcome: Bool { true }
}

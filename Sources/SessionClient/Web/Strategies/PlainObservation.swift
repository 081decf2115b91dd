import Cookies

/// Has each side follow the other (S7). Both follow what the other was some time ago: an old value comes back and
/// overwrites a new one, the copies chase each other, and a store that is not loaded yet empties the app's.
struct PlainObservation: MirrorRule {
    mutating func nativeChanged(_ changes: [CookieChange], by writer: NativeCookies.Writer) -> [CookieChange] {
        changes
    }

    mutating func webShows(_ view: WebCookies, native: [Cookie]) -> MirrorChanges {
        let cookies = if case .loaded(let cookies) = view { cookies } else { [Cookie]() }
        return MirrorChanges(native: CookieChange.changes(from: native, to: cookies))
    }

    mutating func webRestarted() -> [CookieChange] { [] }

    var looksBeforePages: Bool { false }
    var isPageWelcome: Bool { true }
}

import Cookies
import Primitives

/// What the store of a web view has to show, and what has to change for that.
struct WebCookiePlan: Sendable {
    private let origins: [WebOrigin]
    /// In lower case: a server that writes a name otherwise means the same token.
    private let refreshCookies: Set<ExactText>
    private(set) var target: PageCookies?
    /// Whether `target` was made up here, because the session had nothing to show.
    private var isProvisional = false
    /// Who was signed in last, and with which state.
    private var lastSignedIn: (login: UInt64, generation: UInt64)?
    /// The last state of another login than that.
    private var lastOfAnother: UInt64?
    /// What was ever part of the session. Whatever of it is not part of it now must not come back (C4, S22).
    private var managed: Set<Cookie.Identity> = []
    /// What the session has offered although it is a refresh token.
    private(set) var refused: Set<Cookie.Identity> = []

    init(_ configuration: WebBridgeConfiguration) {
        origins = configuration.origins
        refreshCookies = Set(configuration.refreshCookies.map { ExactText($0.lowercased()) })
    }

    /// Takes a state, unless one that is as new is known.
    mutating func adopt(_ state: PageCookies) -> Bool {
        if let target, !isProvisional || state.generation < target.generation {
            guard state.generation > target.generation else { return false }
        }
        isProvisional = false
        let (refreshing, cookies) = state.cookies.partitioned(by: isRefreshCookie)
        refused.formUnion(refreshing.map(\.identity))
        managed.formUnion(cookies.map(\.identity) + state.gone)
        if state.isSignedIn {
            if let last = lastSignedIn, last.login != state.login { lastOfAnother = last.generation }
            lastSignedIn = (state.login, state.generation)
        }
        target = PageCookies(
            generation: state.generation, login: state.login, isSignedIn: state.isSignedIn,
            cookies: state.isSignedIn ? cookies : [], gone: state.gone)
        return true
    }

    /// Whether a page that was loaded with this state belongs to a login that has ended.
    func isOfAnotherLogin(_ generation: UInt64) -> Bool { lastOfAnother.map { generation <= $0 } ?? false }

    /// The session has said that nobody is signed in, as of the state that was known when it was asked.
    mutating func signOut(asOf known: UInt64?) {
        guard target?.generation == known, target?.isSignedIn ?? true else { return }
        isProvisional = target == nil
        target = PageCookies(generation: known ?? 0, isSignedIn: false, cookies: [], gone: Array(managed))
    }

    /// The removals first. Empty: the store is as it should be.
    func changes(from view: [Cookie], at now: Timestamp) -> [CookieChange] {
        let wanted = (target?.cookies ?? []).filter { !$0.isExpired(at: now) }
        let identities = Set(wanted.map(\.identity))
        let removals = view.filter { cookie in
            !identities.contains(cookie.identity) && !cookie.isExpired(at: now) && isUnwanted(cookie, wanted)
        }
        // Stores were seen to read out what has expired: that goes out with no request.
        let shown = Dictionary(
            view.filter { !$0.isExpired(at: now) }.map { ($0.identity, $0) }, uniquingKeysWith: { $1 })
        let missing = wanted.filter { cookie in !(shown[cookie.identity].map(cookie.isShown) ?? false) }
        return removals.map { .expire($0.identity) } + missing.map { .set($0) }
    }

    private func isUnwanted(_ cookie: Cookie, _ wanted: [Cookie]) -> Bool {
        if managed.contains(cookie.identity) { return true }
        guard origins.contains(where: { $0.isSent(cookie) }) else { return false }
        // Under the name of a managed one, it would be sent beside it, and the server takes either.
        return isRefreshCookie(cookie) || wanted.contains { sameText($0.name, cookie.name) }
    }

    private func isRefreshCookie(_ cookie: Cookie) -> Bool {
        refreshCookies.contains(ExactText(cookie.name.lowercased()))
    }
}

extension Cookie {
    /// Whether a store shows this cookie when it shows `other`. Stores keep whole seconds, may shorten a life, and do not
    /// give back a `SameSite` as they have got it: a difference that cannot be mended is none, or one writes for ever.
    func isShown(as other: Cookie) -> Bool {
        guard identity == other.identity, sameText(value, other.value), isSecure == other.isSecure,
            isHTTPOnly == other.isHTTPOnly
        else { return false }
        switch (expires, other.expires) {
        case (nil, nil): return true
        case (let mine?, let shown?): return shown < mine + .seconds(1)
        default: return false
        }
    }
}

extension Array {
    fileprivate func partitioned(by isWanted: (Element) -> Bool) -> (wanted: [Element], others: [Element]) {
        (filter(isWanted), filter { !isWanted($0) })
    }
}

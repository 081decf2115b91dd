import Primitives

extension CookieJar {
    /// What goes with a request, or what a script sees, in the order of RFC 6265bis section 5.8.3: longer paths first, and
    /// of those alike the ones that were created first.
    ///
    ///     let names = jar.cookies(for: CookieContext(url: url, access: .script), at: now).map(\.name)
    public mutating func cookies(for context: CookieContext, at now: Timestamp) -> [Cookie] {
        var found: [Entry] = []
        for domain in context.url.host.domains {
            let domain = String(domain)
            guard let shelf = shelves[domain] else { continue }
            for (index, entry) in shelf.enumerated() where isWanted(entry.cookie, for: context, at: now) {
                found.append(entry)
                noteUse(of: domain, at: index, now)
            }
        }
        return found.sorted { one, other in
            let (length, otherLength) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            return length == otherLength ? Self.isOlder(one, other) : length > otherLength
        }.map(\.cookie)
    }

    /// The value of the `Cookie` field; `nil` where there is nothing to send.
    ///
    ///     let field = jar.field(for: CookieContext(url: url), at: now)            // "sid=31d4; theme=dark"
    public mutating func field(for context: CookieContext, at now: Timestamp) -> String? {
        let cookies = cookies(for: context, at: now)
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    private func isWanted(_ cookie: Cookie, for context: CookieContext, at now: Timestamp) -> Bool {
        guard !cookie.isExpired(at: now), !cookie.isHostOnly || cookie.domain == context.url.host.text,
            CookiePath.matches(context.url.path, cookiePath: cookie.path),
            !cookie.isSecure || policy.isSecure(context.url), !cookie.isHTTPOnly || context.access == .http
        else { return false }
        // A page that has come to fill the window is its own site, however it has come.
        let isPage = context.access == .script && context.origin != .crossSite
        switch (cookie.sameSite, isPage ? .sameSite : context.origin) {
        case (.none, _), (_, .sameSite): return true
        case (.strict, _), (_, .crossSite): return false
        case (.lax, .topLevelNavigation(let isSafe)), (.unspecified, .topLevelNavigation(let isSafe)): return isSafe
        }
    }
}

import Primitives

extension CookieJar {
    /// Takes what a `Set-Cookie` field or a script says (RFC 6265bis section 5.7).
    ///
    ///     let change = try jar.receive("sid=31d4; Path=/; HttpOnly", from: context, at: now)
    ///
    /// - Returns: what has come of it. A cookie that is over already is a removal, whether or not there was one: whoever
    ///   keeps a copy elsewhere has to hear of it.
    @discardableResult
    public mutating func receive(
        _ field: String, from context: CookieContext, at now: Timestamp
    ) throws(CookieRefusal) -> CookieChange {
        try receive(SetCookie(parsing: field), from: context, at: now)
    }

    /// Takes a field that has been taken apart.
    ///
    ///     let set = try SetCookie(parsing: "theme=dark; Max-Age=3600")
    ///     if set.name == "theme" { try jar.receive(set, from: context, at: now) }
    @discardableResult
    public mutating func receive(
        _ set: SetCookie, from context: CookieContext, at now: Timestamp
    ) throws(CookieRefusal) -> CookieChange {
        let (domain, isHostOnly) = try place(of: set, context.url.host)
        let cookie = Cookie(
            name: set.name, value: set.value, domain: domain, isHostOnly: isHostOnly,
            path: set.path ?? CookiePath.defaultPath(of: context.url.path), expires: set.expiry(at: now),
            isSecure: set.isSecure, isHTTPOnly: set.isHTTPOnly, sameSite: set.sameSite, at: now)
        try check(cookie, context)
        // Section 5.7, step 20: the path counts if it was said. Step 21: what is HttpOnly has come by HTTP.
        if let refusal = cookie.attributeRefusal(hasRootPath: set.path == "/") { throw refusal }
        let old = self[cookie.identity]
        // Step 23: a script does not replace what it cannot see.
        guard context.access == .http || !(old?.isHTTPOnly ?? false) else { throw .coversHTTPOnlyCookie }
        guard !cookie.isExpired(at: now) else {
            remove(cookie.identity)
            return .expire(cookie.identity)
        }
        // One that is over was not there any more.
        let created = old.flatMap { $0.isExpired(at: now) ? nil : $0.created } ?? now
        let kept = cookie.with(expires: cookie.expires, created: created)
        insert(kept, at: now)
        return .set(kept)
    }

    /// Section 5.7, steps 7 to 9: for which hosts it is meant.
    private func place(
        of set: SetCookie, _ host: CookieHost
    ) throws(CookieRefusal) -> (domain: String, isHostOnly: Bool) {
        guard let attribute = set.domain, !attribute.isEmpty else { return (host.text, true) }
        guard let domain = CookieHost(attribute)?.text else { throw .domainIsNoHost }
        if policy.publicSuffixes.contains(domain) {
            // Whoever is a public suffix himself may have cookies of his own.
            guard domain == host.text else { throw .domainIsPublicSuffix }
            return (domain, true)
        }
        guard host.matches(domain: domain) else { throw .domainIsOfOthers }
        return (domain, false)
    }

    private func check(_ cookie: Cookie, _ context: CookieContext) throws(CookieRefusal) {
        let isSecure = policy.isSecure(context.url)
        // Steps 12 and 14.
        guard isSecure || !cookie.isSecure else { throw .needsEncryption }
        guard context.access == .http || !cookie.isHTTPOnly else { throw .needsHTTP }
        guard isSecure || !coversSecureCookie(cookie) else { throw .coversSecureCookie }
        // Step 17: a page that fills the window is its own site.
        guard cookie.sameSite == .none || context.origin != .crossSite else { throw .crossSite }
    }

    /// Step 15: over a connection that is not encrypted, nothing comes before a cookie that is.
    private func coversSecureCookie(_ cookie: Cookie) -> Bool {
        guard let host = CookieHost(cookie.domain) else { return false }
        return shelves.values.joined().contains { entry in
            let other = entry.cookie
            return other.isSecure && sameText(other.name, cookie.name)
                && (host.matches(domain: other.domain)
                    || CookieHost(other.domain)?.matches(domain: cookie.domain) ?? false)
                && CookiePath.matches(cookie.path, cookiePath: other.path)
        }
    }
}

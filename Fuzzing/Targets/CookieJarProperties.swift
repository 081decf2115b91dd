import Cookies
import Primitives

/// Whatever servers and scripts set: what a jar holds is what a user agent may hold, and it goes only where it may go.
///
/// The input is lines. The first is the URL of the server. Each other begins with a byte that says who sets what follows:
/// 1 a script, 2 another site, 4 without encryption, 8 an hour later, 16 at a host below.
enum CookieJarProperties {
    static func check(_ input: Span<UInt8>) {
        guard let text = String(validating: input.array(), as: UTF8.self) else { return }
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).prefix(mostLines)
        guard let first = lines.first, let url = CookieURL(String(Substring(first))) else { return }
        var policy = CookiePolicy()
        (policy.cookiesPerDomain, policy.cookiesInAll) = (4, 6)
        var jar = CookieJar(policy: policy)
        var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        for line in lines.dropFirst() {
            guard let mode = line.first else { continue }
            let context = context(mode, url)
            if mode & 8 != 0 { now = now + .seconds(3600) }
            let field = String(Substring(line.dropFirst()))
            checkFolding(field)
            let before = jar.all
            do throws(CookieRefusal) {
                check(try jar.receive(field, from: context, at: now), context, before, jar)
            } catch {
                require(jar.all == before, "what is refused changes nothing")
            }
            checkHeld(jar, policy)
        }
        checkSent(jar, url, now)
    }

    /// Enough to fill a small jar several times.
    private static let mostLines = 24

    private static func context(_ mode: UInt8, _ url: CookieURL) -> CookieContext {
        var host = url.host
        if mode & 16 != 0, let below = CookieHost("x." + url.host.text) { host = below }
        return CookieContext(
            url: CookieURL(isEncrypted: mode & 4 == 0, host: host, path: url.path),
            origin: mode & 2 == 0 ? .sameSite : .crossSite, access: mode & 1 == 0 ? .http : .script)
    }

    private static func check(
        _ change: CookieChange, _ context: CookieContext, _ before: [Cookie], _ after: CookieJar
    ) {
        guard case .set(let cookie) = change else {
            return require(after[change.identity] == nil, "what is deleted is gone")
        }
        require(after[cookie.identity] == cookie, "what was set is there")
        require(context.url.host.matches(domain: cookie.domain), "nobody sets cookies for others")
        require(context.url.isEncrypted || !cookie.isSecure, "a secure cookie comes over an encrypted connection")
        if context.access == .script {
            require(!cookie.isHTTPOnly, "no script sets what it cannot see")
            require(!before.contains { $0.identity == cookie.identity && $0.isHTTPOnly }, "nor replaces it")
        }
        if context.origin == .crossSite { require(cookie.sameSite == .none, "another site sets what is for it alone") }
    }

    private static func checkHeld(_ jar: CookieJar, _ policy: CookiePolicy) {
        let all = jar.all
        require(all.count == jar.count && all.count <= policy.cookiesInAll, "a jar has an end")
        require(Set(all.map(\.identity)).count == all.count, "an identity is there once")
        for cookie in all {
            require(cookie.refusal == nil, "what is held may be held")
            require(cookie.isHostOnly || !policy.publicSuffixes.contains(cookie.domain), "no cookie is for everybody")
            require(all.filter { $0.domain == cookie.domain }.count <= policy.cookiesPerDomain, "nobody fills the jar")
        }
    }

    private static func checkSent(_ jar: CookieJar, _ url: CookieURL, _ now: Timestamp) {
        var jar = jar
        for isEncrypted in [true, false] {
            for access in [CookieContext.Access.http, .script] {
                for origin in [CookieContext.Origin.sameSite, .topLevelNavigation(isSafe: true), .crossSite] {
                    let url = CookieURL(isEncrypted: isEncrypted, host: url.host, path: url.path)
                    let context = CookieContext(url: url, origin: origin, access: access)
                    for cookie in jar.cookies(for: context, at: now) {
                        require(isEncrypted || !cookie.isSecure, "secure cookies stay off plain connections")
                        require(access == .http || !cookie.isHTTPOnly, "scripts do not see them")
                        require(origin != .crossSite || cookie.sameSite == .none, "other sites do not send them")
                        require(!cookie.isExpired(at: now), "what is over is not sent")
                    }
                    let field = jar.field(for: context, at: now) ?? ""
                    require(!field.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a field stays on its line")
                }
            }
        }
        guard let stranger = CookieURL("https://stranger.invalid/"), url.host != stranger.host else { return }
        require(jar.field(for: CookieContext(url: stranger), at: now) == nil, "no stranger gets any")
    }

    /// Nothing is lost or made up where a line is taken apart but commas and blanks.
    private static func checkFolding(_ text: String) {
        let isLeftOut = { (byte: UInt8) in byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09 }
        let fields = SetCookie.fields(folded: text)
        require(
            fields.joined().utf8.filter { !isLeftOut($0) } == text.utf8.filter { !isLeftOut($0) },
            "fields are the line they came in")
    }
}

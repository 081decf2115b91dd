import HTTPMessages
import OAuth
import Primitives

/// What is wrong with the settings of a cookie whatever the provider is called: what browsers would not keep, or would take
/// for something else.
extension SessionCookieSettings {
    /// A member, and what is wrong with it.
    struct Nonsense: Error, Equatable {
        let member: String
        let problem: String

        init(_ member: String, _ problem: String) {
            self.member = member
            self.problem = problem
        }
    }

    /// RFC 6265bis section 5.5: beyond 400 days, a browser takes 400 days.
    static let longestLifetime = Duration.seconds(400 * 86_400)
    /// RFC 6265bis section 4.1.3, without regard to case; browsers know more of them than stand in `prefix`.
    private static let prefixes = ["__host-", "__secure-", "__http-"]
    /// Bytes; what is longer takes the room of the token.
    static let longestName = 256

    func check() throws(Nonsense) {
        try checkName()
        try checkScope()
        try checkProtection()
        if persistence == .session, lifetime != nil {
            throw Nonsense("lifetime", "is for a cookie that outlives the browser, and persistence is session")
        }
        if let lifetime, lifetime > Self.longestLifetime {
            throw Nonsense("lifetime", "is longer than 400 days, and browsers cut it there (RFC 6265bis section 5.5)")
        }
    }

    /// RFC 6265 section 4.1.1: a name is a token.
    private func checkName() throws(Nonsense) {
        guard let name else { return }
        guard !name.isEmpty, name.utf8.count <= Self.longestName, name.utf8.allSatisfy(Self.isTokenByte) else {
            throw Nonsense(
                "name",
                "must be 1 to \(Self.longestName) letters, digits and !#$%&'*+-.^_`|~: browsers cut a name at other characters, or ignore the cookie"
            )
        }
        let lowered = name.lowercased()
        guard !Self.prefixes.contains(where: lowered.hasPrefix) else {
            throw Nonsense("name", "begins like a prefix, which browsers hold to its rules; say it in prefix")
        }
        guard !BrowserCookies.ownNames.contains(where: lowered.hasPrefix) else {
            throw Nonsense(
                "name", "begins like a cookie of the provider's own pages, which a browser would take the place of")
        }
    }

    private func checkScope() throws(Nonsense) {
        if let path {
            guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= ResponseCookie.attributeLimit,
                path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") })
            else {
                throw Nonsense(
                    "path",
                    "must begin with a slash, in ASCII without spaces and semicolons: browsers would take the directory of the request instead"
                )
            }
        }
        guard let domain else { return }
        guard domain.utf8.first != UInt8(ascii: ".") else {
            throw Nonsense("domain", "begins with a dot, which browsers ignore; leave it out")
        }
        guard domain.utf8.contains(UInt8(ascii: ".")), domain.utf8.last != UInt8(ascii: "."),
            domain.utf8.count <= ResponseCookie.attributeLimit, ResponseCookie.isDomain(domain),
            let authority = Authority(domain), authority.port == nil
        else {
            throw Nonsense(
                "domain",
                "must be a host name of letters, digits, hyphens and dots below a top-level domain: browsers refuse a cookie for a whole one"
            )
        }
        guard !IPAddressText.isIPv4(authority.host.utf8.span) else {
            throw Nonsense(
                "domain",
                "is an address, and addresses have no neighbours; leave it out, and the cookie is for the host")
        }
    }

    /// RFC 6265bis section 4.1.3, section 4.1.2.7.
    private func checkProtection() throws(Nonsense) {
        if prefix == .host {
            guard domain == nil else {
                throw Nonsense("domain", "is there, and browsers refuse a __Host- cookie with a Domain")
            }
            guard path == nil || path == "/" else {
                throw Nonsense("path", "is not /, and browsers refuse a __Host- cookie with any other")
            }
        }
        if let prefix, prefix != .none, isSecure == false {
            throw Nonsense("secure", "is false, and browsers refuse a \(prefix.text) cookie without Secure")
        }
        if sameSite == ResponseCookie.SameSite.none, isSecure == false {
            throw Nonsense("secure", "is false, and browsers refuse a cookie with SameSite=None and without Secure")
        }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension CookieSessionSettings {
    /// What is wrong, with the path of the member.
    func check(at path: JSONPath) throws(ClientMetadataError) {
        for (name, settings) in [("access_cookie", accessCookie), ("refresh_cookie", refreshCookie)] {
            do throws(SessionCookieSettings.Nonsense) { try settings.check() } catch {
                throw ClientMetadataError(error.problem, at: path[name][error.member])
            }
        }
        if let name = accessCookie.name, let other = refreshCookie.name, sameText(name, other) {
            throw ClientMetadataError(
                "is that of access_cookie: a request would bring two cookies of one name, and nobody can tell which is which",
                at: path["refresh_cookie"]["name"])
        }
    }
}

import Crypto
import HTTPMessages
import OAuth
import Primitives

/// One of the two cookies of a client's sessions, with everything that a browser is told about it.
///
/// What nobody has chosen is, over TLS: `Secure`, `HttpOnly`, and the prefix that says the most. The access token's cookie
/// is for the whole host and begins with `__Host-`, so that no neighbour on the domain can set it; `SameSite=Lax`, so
/// that whoever follows a link arrives signed in. The refresh token's is `Strict`, for only requests of the application's
/// own pages need it, and goes to `/session` and below alone; with that path `__Host-` is out of reach (RFC 6265bis section
/// 4.1.3.2), so it begins with `__Secure-`. Below a path, as a tenant is, both stay below it.
///
/// **Loopback without TLS:** no prefix and no `Secure`, which not every browser would keep there; and the port is in the
/// name, because cookies do not tell ports apart (RFC 6265 section 8.5).
struct SessionCookie: Hashable, Sendable {
    /// Which token is in it.
    enum Kind: Hashable, Sendable, CaseIterable { case access, refresh }

    let name: String
    let path: String
    let domain: String?
    let isSecure: Bool
    let isHTTPOnly: Bool
    let sameSite: ResponseCookie.SameSite
    private let persistence: SessionCookieSettings.Persistence
    private let lifetime: Duration?

    init(_ kind: Kind, _ settings: SessionCookieSettings, of clientID: String, by transport: SessionTransport) {
        let path = settings.path ?? Self.path(of: kind, settings.prefix, transport)
        let isSecure = Self.isSecure(settings, transport)
        let prefix = Self.prefix(settings, path: path, isSecure: isSecure && transport.isEncrypted)
        name = prefix.text + (settings.name ?? Self.name(of: kind, clientID, transport))
        self.path = path
        domain = settings.domain
        self.isSecure = isSecure
        isHTTPOnly = settings.isHTTPOnly
        sameSite = settings.sameSite ?? (kind == .access ? .lax : .strict)
        persistence = settings.persistence
        lifetime = settings.lifetime
    }

    private static func path(
        of kind: Kind, _ prefix: SessionCookieSettings.Prefix?, _ transport: SessionTransport
    ) -> String {
        let base = transport.basePath
        let below = kind == .refresh ? base + SessionEndpoint.location : base.isEmpty ? "/" : base
        // A semicolon, which a path may have, would end the attribute; and what is too long browsers ignore.
        let isPossible = ResponseCookie.isPath(below) && below.utf8.count <= ResponseCookie.attributeLimit
        return prefix == .host || !isPossible ? "/" : below
    }

    /// `SameSite=None` and the prefixes are nothing without it; browsers keep such a cookie from this machine, if from any
    /// place that is not encrypted.
    private static func isSecure(_ settings: SessionCookieSettings, _ transport: SessionTransport) -> Bool {
        if let isSecure = settings.isSecure { return isSecure }
        let isNeeded = settings.sameSite == ResponseCookie.SameSite.none || (settings.prefix ?? .none) != .none
        return transport.isEncrypted || isNeeded
    }

    private static func prefix(
        _ settings: SessionCookieSettings, path: String, isSecure: Bool
    ) -> SessionCookieSettings.Prefix {
        if let prefix = settings.prefix { return prefix }
        guard isSecure else { return .none }
        return path == "/" && settings.domain == nil ? .host : .secure
    }

    /// Another one for each client, so that an application and what it forks for can live in one browser.
    private static func name(of kind: Kind, _ clientID: String, _ transport: SessionTransport) -> String {
        let port = transport.port.map { "_\($0)" } ?? ""
        return (kind == .access ? "pawl_access_" : "pawl_refresh_") + label(of: clientID) + port
    }

    private static let longestLabel = 64

    /// The identifier where it is fit for a name; else a digest of it.
    private static func label(of clientID: String) -> String {
        let isPlain = clientID.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
        }
        if isPlain, clientID.utf8.count <= longestLabel { return clientID }
        return Base64URL.encode(Array(HashFunction.sha256.digest(Array(clientID.utf8).span).prefix(12)))
    }
}

// MARK: - Setting

extension SessionCookie {
    /// - Parameter validity: how long the token in it is good; `nil`: nobody knows an end.
    func setting(
        _ value: String, for validity: Duration?, at now: Timestamp
    ) throws(ResponseCookieError) -> ResponseCookie {
        let longest = SessionCookieSettings.longestLifetime
        // Less than a second must not become zero, which takes the cookie away.
        let seconds = max(1, min(lifetime ?? validity ?? longest, longest).inSeconds)
        let saysAge = persistence == .maxAge || persistence == .both
        let saysMoment = persistence == .expires || persistence == .both
        return try cookie(
            value, maxAge: saysAge ? .seconds(seconds) : nil, expires: saysMoment ? now + .seconds(seconds) : nil)
    }

    /// Takes it away, in the words of every browser. `nil`: no browser could have it.
    var expired: ResponseCookie? { try? cookie("", maxAge: .zero, expires: Timestamp(secondsSinceEpoch: 0)) }

    private func cookie(
        _ value: String, maxAge: Duration?, expires: Timestamp?
    ) throws(ResponseCookieError) -> ResponseCookie {
        try ResponseCookie(
            name: name, value: value, path: path, domain: domain, maxAge: maxAge, expires: expires,
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite)
    }
}

// MARK: - What browsers would do

extension SessionCookie {
    /// Refuses what a browser would not keep from a provider that is reached like this.
    func check(_ transport: SessionTransport) throws(OAuthError) {
        let prefix = ["__Host-", "__Secure-"].first(where: name.hasPrefix)
        if let prefix, !transport.isEncrypted {
            throw Self.unusable("browsers drop a \(prefix) cookie that comes over plain http")
        }
        if isSecure, !transport.isEncrypted, !transport.isLoopback {
            throw Self.unusable("browsers drop a Secure cookie that comes over plain http")
        }
        if let domain, transport.host != domain.lowercased(), !transport.host.hasSuffix("." + domain.lowercased()) {
            throw Self.unusable("browsers drop a cookie for the domain \(domain), of which this host is no part")
        }
    }

    /// Refuses a path on which the cookie would never come back to `target`.
    func checkPath(_ target: String) throws(OAuthError) {
        guard isSent(to: target) else {
            throw Self.unusable("a browser would never send a cookie with the path \(path) to \(target)")
        }
    }

    /// RFC 6265 section 5.1.4.
    func isSent(to target: String) -> Bool {
        guard target.utf8.starts(with: path.utf8) else { return false }
        return target.utf8.count == path.utf8.count || path.utf8.last == UInt8(ascii: "/")
            || target.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }

    private static func unusable(_ problem: String) -> OAuthError {
        OAuthError(.unusableCookie, problem, cause: "the settings of the client")
    }
}

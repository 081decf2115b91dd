import Primitives

/// What one cookie of a session looks like. What is `nil` is safe, and works on this machine without encryption.
///
///     var cookie = TestSessionCookie()
///     cookie.name = "sid"
///     cookie.persistence = .session
///     cookie.sameSite = .strict
public struct TestSessionCookie: Hashable, Sendable {
    /// Without its prefix.
    public var name: String?
    /// What its name begins with; `nil`: the strictest that fits.
    public var prefix: Prefix?
    /// `nil`: for the host alone.
    public var domain: String?
    /// `nil`: `/`, or `/session` for the refresh token.
    public var path: String?
    /// Whether it outlives the browser.
    public var persistence = Persistence.maxAge
    /// In whole seconds; `nil`: as long as the token in it.
    public var lifetime: Duration?
    /// `nil`: wherever there is encryption.
    public var isSecure: Bool?
    /// `false`: scripts of the page read the token.
    public var isHTTPOnly = true
    /// `nil`: `lax`, or `strict` for the refresh token.
    public var sameSite: SameSite?

    /// One about which nothing is said.
    ///
    ///     let cookie = TestSessionCookie()
    public init() {}

    /// What browsers promise about a name (RFC 6265bis section 4.1.3).
    ///
    ///     cookie.prefix = .secure
    public enum Prefix: Hashable, Sendable { case host, secure, none }

    /// How a cookie says when it ends; `session`: with the browser.
    ///
    ///     cookie.persistence = .both
    public enum Persistence: Hashable, Sendable { case maxAge, expires, both, session }

    /// With which requests of other sites it comes (RFC 6265bis section 4.1.2.7).
    ///
    ///     cookie.sameSite = TestSessionCookie.SameSite.none
    public enum SameSite: Hashable, Sendable { case strict, lax, none }
}

extension TestSessionCookie {
    var json: JSON {
        var json: JSONObject = ["http_only": .bool(isHTTPOnly), "persistence": .string(persistence.word)]
        json["name"] = name.map { .string($0) }
        json["prefix"] = prefix.map { .string($0.word) }
        json["domain"] = domain.map { .string($0) }
        json["path"] = path.map { .string($0) }
        json["lifetime"] = lifetime.map { .number(JSONNumber($0.inSeconds)) }
        json["secure"] = isSecure.map { .bool($0) }
        json["same_site"] = sameSite.map { .string($0.word) }
        return .object(json)
    }
}

extension TestSessionCookie.Prefix {
    fileprivate var word: String {
        switch self {
        case .host: "__Host-"
        case .secure: "__Secure-"
        case .none: "none"
        }
    }
}

extension TestSessionCookie.Persistence {
    fileprivate var word: String {
        switch self {
        case .maxAge: "max-age"
        case .expires: "expires"
        case .both: "both"
        case .session: "session"
        }
    }
}

extension TestSessionCookie.SameSite {
    fileprivate var word: String {
        switch self {
        case .strict: "Strict"
        case .lax: "Lax"
        case .none: "None"
        }
    }
}

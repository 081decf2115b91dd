import HTTPMessages
import Primitives

/// What one of the two cookies of a session looks like, as far as somebody has said it. What is `nil` follows from the
/// rest, and from how the provider is reached; see ``SessionCookie``.
package struct SessionCookieSettings: Hashable, Sendable {
    /// Without its prefix.
    package var name: String?
    /// `nil`: the strictest that fits.
    package var prefix: Prefix?
    /// `nil`: for the host that sets it alone.
    package var domain: String?
    package var path: String?
    package var persistence = Persistence.maxAge
    /// `nil`: as long as the token in it.
    package var lifetime: Duration?
    /// `nil`: wherever there is encryption.
    package var isSecure: Bool?
    package var isHTTPOnly = true
    package var sameSite: ResponseCookie.SameSite?

    package init() {}

    /// What a browser promises about a cookie whose name begins like that (RFC 6265bis section 4.1.3).
    package enum Prefix: String, Hashable, Sendable, CaseIterable {
        /// Set by this host over TLS, for this host alone, for every path.
        case host = "__Host-"
        /// Set over TLS.
        case secure = "__Secure-"
        case none

        var text: String { self == .none ? "" : rawValue }
    }

    /// Whether a cookie survives the browser, and how that is said.
    package enum Persistence: String, Hashable, Sendable, CaseIterable {
        case maxAge = "max-age"
        /// By the clock of the provider, which a test may have moved.
        case expires
        case both
        /// It goes when the browser does.
        case session
    }
}

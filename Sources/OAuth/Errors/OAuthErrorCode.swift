/// What an error is called on the wire, and the status it comes with at the token endpoint.
///
/// A value and not an enumeration: each extension of OAuth registers codes of its own and adds them beside itself.
package struct OAuthErrorCode: Sendable {
    /// The value of `error`.
    package let rawValue: String
    /// The HTTP status at an endpoint that answers its client directly.
    package let status: Int

    package init(_ rawValue: StaticString, status: Int) {
        self.rawValue = rawValue.description
        self.status = status
    }

    /// A code that somebody has chosen: of the characters that a code may have (RFC 6749 section 5.2).
    package init(named name: String, status: Int) {
        precondition(name.utf8.allSatisfy(OAuthCharacters.isDescriptionByte), "a code of RFC 6749 section 5.2")
        self.init(rawValue: name, status: status)
    }

    init(rawValue: String, status: Int) {
        self.rawValue = rawValue
        self.status = status
    }
}

extension OAuthErrorCode: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// RFC 6749 section 5.2.
extension OAuthErrorCode {
    /// Malformed, a parameter missing or repeated, or two ways of authentication at once.
    package static let invalidRequest = Self("invalid_request", status: 400)
    /// The client is unknown, or did not prove that it is itself.
    package static let invalidClient = Self("invalid_client", status: 401)
    /// The code, refresh token or other grant is not good (any more), or not this client's.
    package static let invalidGrant = Self("invalid_grant", status: 400)
    /// The client is known, and may not use this grant.
    package static let unauthorizedClient = Self("unauthorized_client", status: 400)
    /// No such grant here.
    package static let unsupportedGrantType = Self("unsupported_grant_type", status: 400)
    /// The scope is malformed, unknown, or more than this client may have.
    package static let invalidScope = Self("invalid_scope", status: 400)
}

/// RFC 6749 section 4.1.2.1 defines them for redirects; whoever is answered directly gets the status with them.
extension OAuthErrorCode {
    package static let serverError = Self("server_error", status: 500)
    package static let temporarilyUnavailable = Self("temporarily_unavailable", status: 503)
}

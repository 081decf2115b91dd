import Primitives

/// What an authorization server says about itself: RFC 8414 section 2 and OpenID Connect Discovery section 3.
///
/// One document serves both. Whatever adds an ability adds its line here, so that what is advertised works and what
/// works is advertised.
///
///     var metadata = ServerMetadata(issuer: issuer)
///     metadata[.tokenEndpoint] = .string(issuer.url(of: "/token"))
///     metadata.append("client_credentials", to: .grantTypesSupported)
package struct ServerMetadata: Sendable {
    package let issuer: Issuer
    private var members: JSONObject = [:]

    /// RFC 8414 section 3.2: members with zero elements MUST be omitted. Its section 2 makes one of the lists REQUIRED,
    /// `response_types_supported`, and a server without an authorization endpoint has none to put there: of the two rules
    /// the one that readers check counts, for they refuse a document that lacks a required member, and take an empty list
    /// for what it says.
    package init(issuer: Issuer) {
        self.issuer = issuer
        self[.issuer] = .string(issuer.identifier)
        self[.responseTypesSupported] = .array([])
    }

    package subscript(member: Member) -> JSON? {
        get { members[member.rawValue] }
        set { members[member.rawValue] = newValue }
    }

    /// Adds to a list, and begins it where it is missing. What is in it already is not said twice.
    package mutating func append(_ value: String, to member: Member) {
        var list = self[member]?.array ?? []
        guard !list.contains(.string(value)) else { return }
        list.append(.string(value))
        self[member] = .array(list)
    }

    /// Adds several to a list, each once.
    package mutating func append(contentsOf values: some Sequence<String>, to member: Member) {
        for value in values { append(value, to: member) }
    }

    /// Puts members over those that are there; null takes one away. For documents that are to be other than true.
    package mutating func override(by others: JSONObject) {
        for (name, value) in others { members[name] = value == .null ? Optional.none : value }
    }

    package var json: JSON { .object(members) }
}

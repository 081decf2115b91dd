import IdentityProvider
import Primitives

/// Somebody who can log in.
///
///     let carol = TestUser("carol", claims: ["email": "carol@example.com", "roles": ["admin"]])
///     try idp.users.add(carol)
public struct TestUser: Hashable, Sendable {
    /// What he types.
    public var username: String
    /// The `sub` of his tokens; the username, unless it is chosen.
    public var subject: String?
    /// `nil`: any password will do.
    public var password: String?
    /// What is known of him: by the names of OpenID Connect Core section 5.1, which go where the scope says, and any
    /// others, which go into every token.
    public var claims: [String: JSONValue]

    /// A user.
    ///
    ///     let dora = TestUser("dora", subject: "u-1", password: "correct horse", claims: ["given_name": "Dora"])
    public init(
        _ username: String, subject: String? = nil, password: String? = nil, claims: [String: JSONValue] = [:]
    ) {
        self.username = username
        self.subject = subject
        self.password = password
        self.claims = claims
    }

    func user() throws(IdentityProviderTestingError) -> User {
        do {
            return try User(
                username: username, id: subject, password: password.map { Secret(utf8: $0) },
                claims: JSONObject(claims))
        } catch {
            throw IdentityProviderTestingError(.badUser, error.description)
        }
    }
}

extension TestUser {
    /// As the provider knows him; his password it does not give.
    init(_ user: User) {
        self.init(user.username, subject: user.id, claims: [String: JSONValue](user.claims))
    }
}

import OAuth
import Primitives

/// An application that asks for tokens (RFC 6749 section 2).
package final class Client: Sendable {
    package let id: String
    package let secret: ClientSecret
    /// The values of `grant_type` that it may use.
    package let grants: Set<String>
    package let scopes: AllowedScopes
    /// What it gets when it asks for no scope (RFC 6749 section 3.3).
    package let defaultScope: Scope

    /// RFC 6749 sections A.1 and A.2: identifier and secret are printable ASCII. Neither is ever empty, for an empty
    /// parameter counts as one that was not sent.
    package init(
        id: String, secret: Secret, grants: Set<String>, scopes: AllowedScopes = .any, defaultScope: Scope = .empty
    ) throws(ProviderConfigurationError) {
        guard !id.isEmpty, id.utf8.allSatisfy(OAuthCharacters.isVisible) else { throw .badClientID }
        guard secret.count > 0, secret.withBytes({ $0.allSatisfy(OAuthCharacters.isVisible) }) else {
            throw .badClientSecret(client: id)
        }
        if case .listed(let allowed) = scopes, !defaultScope.isSubset(of: allowed) {
            throw .defaultScopeNotAllowed(client: id)
        }
        self.id = id
        self.secret = ClientSecret(secret)
        self.grants = grants
        self.scopes = scopes
        self.defaultScope = defaultScope
    }
}

import OAuth
import Primitives

/// An application that asks for tokens (RFC 6749 section 2).
package final class Client: Sendable {
    package let id: String
    /// `nil`: a public client, or one that proves itself by a key.
    package let secret: SharedSecret?
    package let metadata: ClientMetadata
    package let origin: Origin
    /// Numbers the stays of clients of this name: what was given to one that was removed is not for one that comes back.
    /// Who was there from the beginning has the same number at every start.
    package let stay: Int
    /// Numbers what was registered of it, one after the other (RFC 7592).
    package let revision: Int

    /// How the provider came to know a client.
    package enum Origin: Sendable, Equatable {
        case configured
        /// RFC 7591. The token that manages the registration (RFC 7592) is known by its digest; the secret, if there is one,
        /// is the client's own of this number: one that it gave up does not come back.
        case registered(accessTokenDigest: TokenDigest, at: Timestamp, secretNumber: Int)
        /// Nobody said anything about it; it was accepted as it came.
        case assumed
    }

    /// RFC 6749 sections A.1 and A.2: identifier and secret are printable ASCII. Neither is ever empty, for an empty
    /// parameter counts as one that was not sent.
    package init(
        id: String, secret: Secret?, metadata: ClientMetadata, origin: Origin = .configured
    ) throws(ProviderConfigurationError) {
        guard !id.isEmpty, id.utf8.allSatisfy(OAuthCharacters.isVisible) else { throw .badClientID }
        if let secret {
            guard secret.count > 0, secret.withBytes({ $0.allSatisfy(OAuthCharacters.isVisible) }) else {
                throw .badClientSecret(client: id)
            }
        }
        if case .listed(let allowed) = metadata.scopes, !metadata.defaultScope.isSubset(of: allowed) {
            throw .defaultScopeNotAllowed(client: id)
        }
        self.id = id
        self.secret = secret.map(SharedSecret.init)
        self.metadata = metadata
        self.origin = origin
        stay = 0
        revision = 0
    }

    private init(_ client: Client, in stay: Int, _ revision: Int) {
        id = client.id
        secret = client.secret
        metadata = client.metadata
        origin = client.origin
        self.stay = stay
        self.revision = revision
    }

    /// The same client in this stay.
    func staying(_ stay: Int, revision: Int = 0) -> Client {
        stay == self.stay && revision == self.revision ? self : Client(self, in: stay, revision)
    }

    /// A confidential client that asks on its own behalf.
    package convenience init(
        id: String, secret: Secret, grants: Set<String>, scopes: AllowedScopes = .any, defaultScope: Scope = .empty
    ) throws(ProviderConfigurationError) {
        var metadata = ClientMetadata()
        metadata.grants = grants
        metadata.scopes = scopes
        metadata.defaultScope = defaultScope
        try self.init(id: id, secret: secret, metadata: metadata)
    }

    /// RFC 6749 section 2.1: one that cannot prove who it is.
    package var isPublic: Bool {
        // Keys may be there for request objects alone (RFC 9101).
        metadata.authenticationMethod == "none"
            || (secret == nil && metadata.keys == nil && metadata.keysURI == nil && metadata.certificateSubject == nil)
    }

    package func mayUse(_ grant: String) -> Bool { metadata.grants.contains(grant) }
}

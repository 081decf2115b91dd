import OAuth
import Primitives

/// Revokes a token without its client: for whoever runs the provider.
package struct DirectRevocation: Sendable {
    private let context: ProviderContext

    package init(context: ProviderContext) { self.context = context }

    /// What was revoked.
    package enum Revoked: Hashable, Sendable {
        /// The family has ended, whichever of its refresh tokens was shown.
        case refreshToken(FamilyID)
        /// The access token alone, by its `jti`.
        case accessToken(String)
    }

    /// `nil`: it is no token of this provider, or no good any more.
    package func revoke(_ token: String) async throws(OAuthError) -> Revoked? {
        let now = context.clock.now()
        if let (id, _) = context.refreshTokens.read(token) {
            let wasAlive = try await context.storing { store throws(StoreError) in
                try await store.judge(id) { family in
                    let wasAlive = !family.isOver
                    family.end(.revoked, at: now)
                    return wasAlive
                }
            }
            return wasAlive == true ? .refreshToken(id) : nil
        }
        guard let facts = try await AccessTokenReader(context: context).facts(of: token, at: now) else { return nil }
        try await context.storing { store throws(StoreError) in
            try await store.revokeAccessToken(facts.identifier, expiring: facts.expires, at: now)
        }
        return .accessToken(facts.identifier)
    }
}

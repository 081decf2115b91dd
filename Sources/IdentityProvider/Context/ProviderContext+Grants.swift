import OAuth
import Primitives

extension ProviderContext {
    /// Ends what else a client was authorised to in the login of a family whose refresh token was reused.
    ///
    /// The family itself has ended by then, and remembers that the others have to: should the store fail in between, the
    /// next request with a token of the family goes on with it.
    func endGrant(of family: Family, at now: Timestamp) async throws(OAuthError) {
        try await storing { store throws(StoreError) in
            if let loginID = family.terms.loginID {
                try await store.endFamilies(of: family.terms.clientID, in: loginID, .refreshTokenReused, at: now)
            }
            _ = try await store.judge(family.id) { family in
                if family.ended?.reach == .grant { family.ended?.reach = .everything }
            }
        }
    }
}

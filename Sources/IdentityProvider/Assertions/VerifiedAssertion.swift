import OAuth
import Primitives

/// An assertion with a valid signature that says what the policy asked for. Whether it was used before is for the store
/// to say: see `ProviderContext.spend`.
struct VerifiedAssertion: Sendable {
    /// `iss`: the client, or whoever is trusted to speak for users.
    let issuer: String
    /// `sub`.
    let subject: String
    /// `jti`.
    let identifier: String?
    /// From when on it is refused, so that nothing about it has to be remembered any more.
    let goodUntil: Timestamp
    let claims: JSONObject
}

extension ProviderContext {
    /// Notes that an assertion was used; `false`: it was used before (RFC 7523 section 3 item 7). The same assertion
    /// proves a client or stands for a user, not both: there is one memory for the two uses.
    func spend(_ assertion: VerifiedAssertion, at now: Timestamp) async throws(OAuthError) -> Bool {
        guard let name = assertion.identifier else { return true }
        return try await storing { store throws(StoreError) in
            try await store.spend(
                OneTimeIdentifier(.assertion, of: assertion.issuer, named: name), until: assertion.goodUntil, at: now)
        }
    }
}

import OAuth
import Primitives

/// A request for tokens, as far as it is the same for every grant.
struct TokenRequest: Sendable {
    /// The client that has proven itself.
    let client: Client
    let form: FormParameters
    let issuer: PreparedIssuer
    let now: Timestamp
    let asker: Asker
    /// The key that the sender has proven to have, by a proof or by its certificate.
    var confirmation: Confirmation?
    var override: TokenOverride?
    /// For what is found out about families on the way.
    let trace: FamilyTrace
}

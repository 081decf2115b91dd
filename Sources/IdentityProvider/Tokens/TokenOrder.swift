import OAuth
import Primitives

/// Which tokens a user's client is to get. Handed on, and never copied: it is large.
struct TokenOrder: ~Copyable, Sendable {
    let client: Client
    let family: Family
    /// That of the family, or less.
    let scope: Scope
    /// The grant that it was asked by, for rules that tell them apart.
    let grant: String
    var audience: [String] = []
    var confirmation: Confirmation?
    /// The number of the refresh token; `nil`: the current one of the family.
    var refreshNode: UInt32?
    /// Whether there is a refresh token in the answer, if the family has one.
    var givesRefreshToken = true
    /// One that was made, and kept, already.
    var accessToken: AccessToken?
    var nonce: String?
    /// Shorter than usual, such as that of a token that was exchanged.
    var latestExpiry: Timestamp?
    /// Whether an ID token comes with the access token when the scope says so.
    var givesIDToken = true
    var override: TokenOverride?
    /// What rules for claims may read of it.
    var request = FormParameters()
    let issuer: PreparedIssuer
    let now: Timestamp

    /// The number of the refresh token in the answer; 0: there is none.
    var givenRefreshNode: UInt32 { givesRefreshToken ? refreshNode ?? family.rotation.current : 0 }
}

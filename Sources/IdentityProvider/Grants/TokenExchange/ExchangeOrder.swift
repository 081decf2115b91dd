import OAuth
import Primitives

/// An exchange that has been found right: what is to be issued.
struct ExchangeOrder: Sendable {
    let request: TokenRequest
    let subject: ExchangedToken
    let scope: Scope
    let targets: [String]
    /// `act`.
    let actor: JSON?

    var client: Client { request.client }
    var now: Timestamp { request.now }

    /// What a client that proves nothing else is given is bound to the key that it has shown.
    var binding: Confirmation? { client.isPublic ? request.confirmation : nil }
}

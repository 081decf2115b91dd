import Crypto
import Primitives

/// What only this provider knows, besides its keys. Everything follows from one secret, so that one has to be kept.
package struct ProviderSecrets: Sendable {
    private let master: HMAC

    package init(master: Secret) {
        self.master = HMAC(.sha256, key: master)
    }

    /// Another secret for each purpose, so that what is made for one is worth nothing for another.
    package func derived(for purpose: StaticString) -> Secret {
        Secret(master.authenticate(Array(purpose.description.utf8).span))
    }
}

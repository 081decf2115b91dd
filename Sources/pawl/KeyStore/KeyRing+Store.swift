import IdentityProvider
import JOSE
import Primitives

extension KeyRingPolicy {
    /// For a change from outside a server: which lifetimes the keys were used for stands beside them.
    static let fromOutside = KeyRingPolicy(longestTokenLifetime: .zero)
}

extension KeyStoreError {
    /// What a ring refuses is refused where it is kept.
    static func rejecting<Result>(
        _ body: () throws(KeyRingError) -> Result
    ) throws(KeyStoreError) -> Result {
        do throws(KeyRingError) { return try body() } catch { throw .rejected(reason: error.description) }
    }
}

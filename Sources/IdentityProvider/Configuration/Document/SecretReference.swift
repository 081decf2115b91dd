import Primitives

/// Where a secret is kept that does not stand in the configuration itself.
package enum SecretReference: Hashable, Sendable {
    case environment(String)
    /// As it stands in the configuration: perhaps relative to the directory of the file.
    case file(String)
}

/// Finds secrets that are kept elsewhere. This module reads neither files nor the environment: whoever does is handed in.
package typealias SecretResolver = @Sendable (SecretReference) throws(SecretReferenceError) -> Secret

/// Why a secret was not found. Says nothing of what was there.
package struct SecretReferenceError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

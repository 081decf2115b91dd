import IdentityProvider
import Networking
import OAuth

/// Why something could not be done, and what would have worked.
///
///     do throws(IdentityProviderTestingError) {
///         _ = try await idp.tokens(for: "nobody", client: "web")
///     } catch {
///         print(error.reason)             // unknownUser
///         print(error)                    // there is no user nobody; there are alice, bob, minji, haruto
///     }
public struct IdentityProviderTestingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of thing is wrong.
    ///
    ///     let reason = IdentityProviderTestingError.Reason.unknownClient
    ///     print(reason.rawValue)
    public enum Reason: String, Hashable, Sendable {
        /// No user has the username.
        case unknownUser
        /// No client has the identifier.
        case unknownClient
        /// The scope is malformed, or more than the client may have.
        case badScope
        /// A client, or its metadata, is not what a provider takes.
        case badClient
        /// A user is not what a provider takes, or there is another with his name or subject.
        case badUser
        /// What the provider was to be is impossible.
        case badConfiguration
        /// Nothing came within the time.
        case timedOut
        /// The machine did not allow it: there is no free port, thread or descriptor.
        case system
        /// The provider refused.
        case refused
    }

    /// What sort of thing is wrong.
    public let reason: Reason
    /// What is wrong, and what would be right.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

import Primitives

/// Which server a session is with, and which client it is there: for a session whose tokens the app has in its hands.
///
///     var configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
///     configuration.audience = [WebOrigin("https://api.example")!]
///     configuration.binding = .whereOffered
///
/// All else is asked of the server when it is first needed (OpenID Connect Discovery, RFC 8414).
public struct SessionConfiguration: Sendable {
    /// As the server writes it, letter by letter.
    public var issuer: String
    /// Who the app is to the server: as it is registered there.
    public var client: ClientIdentity
    /// The servers that may be shown the token; empty: any. Over `http` nobody is, but this very machine.
    public var audience: [WebOrigin] = []
    /// Whether tokens are bound to a key of this device.
    public var binding = TokenBinding.none
    /// When tokens are refreshed, and how long anybody waits.
    public var timing = SessionTiming()

    /// A public client, as an app is one: it has no secret.
    public init(issuer: String, clientID: String) {
        self.issuer = issuer
        client = ClientIdentity(clientID)
    }

    /// Whether whoever finds a token can use it.
    public enum TokenBinding: Hashable, Sendable {
        /// Bearer tokens.
        case none
        /// Tokens that are worth nothing without a key (DPoP, RFC 9449), where the metadata of the server says that it takes
        /// proofs. A choice, for an API behind it may not know them.
        case whereOffered
    }
}

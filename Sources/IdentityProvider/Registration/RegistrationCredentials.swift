import OAuth
import Primitives

extension RegistrationEndpoint {
    /// What manages a registration: 256 random bits. It is kept as a digest.
    func makeRegistrationToken() -> String { context.random.identifier(byteCount: 32) }
}

extension ClientMetadata {
    /// Whether the client proves itself by a secret, or something is signed with it (OpenID Connect Core section 10.1).
    var needsSecret: Bool {
        authenticationMethod?.hasPrefix("client_secret_") == true || !algorithmsOfSecret.isEmpty
    }
}

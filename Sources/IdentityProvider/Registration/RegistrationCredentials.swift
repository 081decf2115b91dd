import OAuth
import Primitives

extension RegistrationEndpoint {
    /// A text that is as long as the longest hash (RFC 7518 section 3.2: HS512 takes 64 bytes), and has 384 random bits.
    private static let secretByteCount = 48

    func makeSecret() -> Secret { Secret(utf8: context.random.identifier(byteCount: Self.secretByteCount)) }

    /// What manages a registration: 256 random bits. It is kept as a digest.
    func makeRegistrationToken() -> String { context.random.identifier(byteCount: 32) }
}

extension ClientMetadata {
    /// Whether the client proves itself by a secret, or something is signed with it (OpenID Connect Core section 10.1).
    var needsSecret: Bool {
        authenticationMethod?.hasPrefix("client_secret_") == true || !algorithmsOfSecret.isEmpty
    }
}

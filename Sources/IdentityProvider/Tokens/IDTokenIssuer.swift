import Crypto
import JOSE
import OAuth
import Primitives

/// Makes ID tokens (OpenID Connect Core section 2).
struct IDTokenIssuer: Sendable {
    let context: ProviderContext

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    func issue(_ order: borrowing IDTokenOrder) async throws(OAuthError) -> String {
        let policy = context.configuration.idTokens
        let algorithm = order.client.metadata.idTokenAlgorithm ?? policy.algorithm
        let issuedAt = order.now.secondsSinceEpoch
        let expiry = min(
            issuedAt + (order.client.metadata.idTokenLifetime ?? policy.lifetime).inSeconds,
            order.latestExpiry?.secondsSinceEpoch ?? .max)
        return try await context.signer.sign(
            .idToken, with: algorithm, for: order.client, expiring: Timestamp(secondsSinceEpoch: expiry), at: order.now
        ) { writer in
            writer.members(overriddenBy: order.overridingClaims) { write(order, algorithm, issuedAt, expiry, to: &$0) }
        }.text
    }

    private func write(
        _ order: borrowing IDTokenOrder, _ algorithm: SignatureAlgorithm, _ issuedAt: Int64, _ expiry: Int64,
        to writer: inout JSONWriter
    ) {
        writer.member("iss", order.issuer.identifier)
        writer.member("sub", order.subject)
        writer.member("aud", order.client.id)
        writer.member("exp", expiry)
        writer.member("iat", issuedAt)
        write(order.terms, besides: order.claims, to: &writer)
        if let nonce = order.nonce { writer.member("nonce", nonce) }
        if let token = order.accessToken { writer.member("at_hash", Self.halfHash(of: token, for: algorithm)) }
        if let code = order.code { writer.member("c_hash", Self.halfHash(of: code, for: algorithm)) }
        for (name, value) in order.claims where !Self.ownClaims.contains(name) {
            writer.name(name)
            writer.value(value)
        }
    }

    /// Which `acr` and `amr` a login has earned may be decided by rules for claims.
    private func write(_ terms: FamilyTerms, besides claims: JSONObject, to writer: inout JSONWriter) {
        if let authentication = terms.authentication {
            writer.member("auth_time", authentication.moment.secondsSinceEpoch)
            if !authentication.methods.isEmpty, !claims.contains("amr") {
                writer.member("amr", .array(authentication.methods.map { .string($0) }))
            }
            if let contextClass = authentication.contextClass, !claims.contains("acr") {
                writer.member("acr", contextClass)
            }
        }
        if let login = terms.loginID { writer.member("sid", login.text) }
    }

    private static let ownClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "sid",
    ]

    /// OpenID Connect Core sections 3.1.3.6 and 3.3.2.11: the left half of the hash that the signature's algorithm uses,
    /// in Base64URL. Ed25519 uses SHA-512 (RFC 8032 section 5.1).
    static func halfHash(of text: String, for algorithm: SignatureAlgorithm) -> String {
        let digest = algorithm.hash.digest(text.utf8.span)
        return Base64URL.encode(digest.span.extracting(0..<digest.count / 2))
    }
}

extension SignatureAlgorithm {
    /// The hash function inside the signature.
    var hash: HashFunction {
        switch self {
        case .hs256, .rs256, .ps256, .es256: .sha256
        case .hs384, .rs384, .ps384, .es384: .sha384
        case .hs512, .rs512, .ps512, .es512, .edDSA: .sha512
        }
    }
}

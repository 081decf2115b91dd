import JOSE
import OAuth
import Primitives
import Testing

/// Clients that prove themselves at an endpoint.
extension DiscoveryLab {
    private static let rsa = Result { try SigningKey.generate(.rs256).jwk.material }

    /// A key of a client. RSA keys take their time, so that all share one.
    static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: try SigningKey(JWK(rsa.get()), algorithm: algorithm)
        default: try .generate(algorithm)
        }
    }

    /// Whether a client can prove itself so, and no other way.
    func proves(_ method: String, _ algorithm: SignatureAlgorithm? = nil, at path: String) async throws -> Bool {
        var registration: JSONObject = ["token_endpoint_auth_method": .string(method)]
        let algorithm = algorithm ?? (method == "client_secret_jwt" ? .hs256 : .es256)
        let key = try Self.key(algorithm)
        if method == "private_key_jwt" {
            registration["jwks"] = ["keys": [try #require(key.publicJWK?.json(.publicOnly))]]
        }
        if method.hasSuffix("_jwt") { registration["token_endpoint_auth_signing_alg"] = .string(algorithm.name) }
        let client = try await client(registration)
        let form = path == "/token" ? "grant_type=refresh_token&refresh_token=x" : "token=x"
        switch method {
        case "none":
            return await isProven(form + "&client_id=\(client.id)", at: path)
        case "client_secret_basic", "client_secret_post":
            let secret = try #require(client.secret)
            func tries(_ secret: String) async -> Bool {
                if method == "client_secret_basic" {
                    return await isProven(form, basic: "\(client.id):\(secret)", at: path)
                }
                return await isProven(form + "&client_id=\(client.id)&client_secret=\(secret)", at: path)
            }
            let isWrongTaken = await tries(secret + "x")
            return await tries(secret) && !isWrongTaken
        case "client_secret_jwt":
            let right = JWK(.symmetric(Secret(utf8: try #require(client.secret))))
            return try await tries(SigningKey(right, algorithm: algorithm), not: key, client, form, at: path)
        case "private_key_jwt":
            return try await tries(key, not: .generate(.es256), client, form, at: path)
        default:
            return false
        }
    }

    private func tries(
        _ right: SigningKey, not wrong: SigningKey, _ client: RegisteredClient, _ form: String, at path: String
    ) async throws -> Bool {
        func tries(_ key: SigningKey, _ jti: String) async throws -> Bool {
            let assertion = try ProofClient(key: key, at: idp.clock.now()).assertion(of: client.id, jti)
            return await isProven(
                form + "&client_assertion=\(assertion)"
                    + "&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer",
                at: path)
        }
        let isWrongTaken = try await tries(wrong, "wrong")
        return try await tries(right, "right") && !isWrongTaken
    }

    private func isProven(_ form: String, basic: String? = nil, at path: String) async -> Bool {
        let answer = await idp.token(form, basic: basic, path: path)
        return answer.status == 200 || answer.error == "invalid_grant"
    }
}

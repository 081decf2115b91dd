import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// How each member of the document is proven.
extension DiscoveryLab {
    typealias Proof = @Sendable (DiscoveryLab, JSON) async throws -> Void

    static let proofs: [String: Proof] = Dictionary(
        uniqueKeysWithValues: endpoints + ofClients + ofAuthorization + ofTokens)

    private static func texts(_ value: JSON) throws -> [String] {
        try #require(value.array).map { try #require($0.string) }
    }

    private static func path(_ value: JSON) throws -> String {
        let url = try #require(value.string)
        try #require(url.hasPrefix(ProviderUnderTest.issuer + "/"))
        return String(url.dropFirst(ProviderUnderTest.issuer.count))
    }

    /// There is something that answers this method.
    private static func endpoint(_ name: String, _ method: HTTPRequest.Method, _ status: Int) -> (String, Proof) {
        (
            name,
            { lab, value in
                let answer = await lab.idp.respond(method, try path(value))
                #expect(answer.status == status, "\(name)")
            }
        )
    }

    private static let endpoints: [(String, Proof)] = [
        ("issuer", { _, value in #expect(value.string == ProviderUnderTest.issuer) }),
        endpoint("authorization_endpoint", .get, 400), endpoint("token_endpoint", .post, 400),
        endpoint("jwks_uri", .get, 200), endpoint("userinfo_endpoint", .get, 401),
        endpoint("introspection_endpoint", .post, 401), endpoint("revocation_endpoint", .post, 401),
        endpoint("device_authorization_endpoint", .post, 401),
        endpoint("pushed_authorization_request_endpoint", .post, 401), endpoint("end_session_endpoint", .get, 200),
        endpoint("cookie_session_endpoint", .get, 401),
        (
            "registration_endpoint",
            { lab, value in
                let place = try path(value)
                #expect(place == "/register")
                #expect(await lab.registers([:]))
            }
        ),
    ]

    // MARK: Clients

    private static func methods(_ name: String, at path: String) -> (String, Proof) {
        (
            name,
            { lab, value in
                for method in try texts(value) {
                    #expect(try await lab.proves(method, at: path), "\(method) at \(path)")
                }
            }
        )
    }

    private static func algorithms(_ name: String, at path: String) -> (String, Proof) {
        (
            name,
            { lab, value in
                for name in try texts(value) {
                    let algorithm = try #require(SignatureAlgorithm(rawValue: name))
                    let method = algorithm.isSymmetric ? "client_secret_jwt" : "private_key_jwt"
                    #expect(try await lab.proves(method, algorithm, at: path), "\(name) at \(path)")
                }
            }
        )
    }

    private static let ofClients: [(String, Proof)] = [
        methods("token_endpoint_auth_methods_supported", at: "/token"),
        methods("introspection_endpoint_auth_methods_supported", at: "/introspect"),
        methods("revocation_endpoint_auth_methods_supported", at: "/revoke"),
        algorithms("token_endpoint_auth_signing_alg_values_supported", at: "/token"),
        algorithms("introspection_endpoint_auth_signing_alg_values_supported", at: "/introspect"),
        algorithms("revocation_endpoint_auth_signing_alg_values_supported", at: "/revoke"),
        (
            "dpop_signing_alg_values_supported",
            { lab, value in
                for name in try texts(value) {
                    let algorithm = try #require(SignatureAlgorithm(rawValue: name))
                    let client = try await lab.client(["grant_types": ["client_credentials"]])
                    let proof = try ProofClient(key: key(algorithm), at: lab.idp.clock.now()).proof(name)
                    let answer = await lab.idp.token(
                        "grant_type=client_credentials", proofs: [proof], basic: "\(client.id):\(client.secret ?? "")")
                    #expect(answer.json?["token_type"] == "DPoP", "\(name)")
                }
            }
        ),
        (
            "grant_types_supported",
            { lab, value in
                let client = try await lab.client(["grant_types": value, "response_types": ["code", "id_token"]])
                for type in try texts(value) where type != "implicit" {
                    let type = FormParameters([("grant_type", type)]).encoded
                    let answer = await lab.idp.token(type, basic: "\(client.id):\(client.secret ?? "")")
                    #expect(!["unsupported_grant_type", "unauthorized_client"].contains(answer.error), "\(type)")
                }
            }
        ),
        (
            "subject_types_supported",
            { lab, value in
                for type in try texts(value) {
                    let client = try await lab.client(["subject_type": .string(type)])
                    let subject = try await lab.userInfo(try await lab.tokens(client)).text("sub")
                    #expect((subject == "alice") == (type == "public"), "\(type)")
                }
            }
        ),
    ]

    // MARK: Tokens

    private static let ofTokens: [(String, Proof)] = [
        (
            "id_token_signing_alg_values_supported",
            { lab, value in
                for name in try texts(value) {
                    let client = try await lab.client(["id_token_signed_response_alg": .string(name)])
                    let token = try #require(try await lab.tokens(client)["id_token"]?.string)
                    #expect(try await lab.verified(token, for: client).algorithm.name == name)
                }
            }
        ),
        (
            "userinfo_signing_alg_values_supported",
            { lab, value in
                for name in try texts(value) {
                    let client = try await lab.client(["userinfo_signed_response_alg": .string(name)])
                    let answer = try await lab.userInfo(try await lab.tokens(client))
                    let token = String(decoding: answer.body, as: UTF8.self)
                    #expect(try await lab.verified(token, for: client).algorithm.name == name)
                }
            }
        ),
        (
            "scopes_supported",
            { lab, value in
                let client = try await lab.client()
                let scope = try texts(value).joined(separator: " ")
                #expect(try await lab.tokens(client, ["scope": scope])["scope"]?.string == scope)
            }
        ),
        (
            "claims_supported",
            { lab, value in
                let client = try await lab.client()
                let scope = "openid profile email address phone"
                let tokens = try await lab.tokens(client, ["scope": scope])
                let told = try await lab.verified(try #require(tokens["id_token"]?.string), for: client).claims.members
                for name in try texts(value) { #expect(told.contains(name), "\(name)") }
            }
        ),
        (
            "claim_types_supported",
            { lab, value in
                #expect(value == ["normal"])
                let claims = try await lab.userInfo(try await lab.tokens(try await lab.client())).json?.object
                // OpenID Connect Core section 5.6.2 would point elsewhere by these.
                #expect(claims?["_claim_names"] == nil)
            }
        ),
        (
            "claims_parameter_supported",
            { lab, value in
                #expect(value == true)
                let tokens = try await lab.tokens(try await lab.client(), ["claims": #"{"userinfo":{"email":null}}"#])
                #expect(try await lab.userInfo(tokens).json?["email"] == "of alice")
            }
        ),
        (
            "acr_values_supported",
            { lab, value in
                let client = try await lab.client()
                for name in try texts(value) {
                    let tokens = try await lab.tokens(client, ["acr_values": name])
                    let token = try await lab.verified(try #require(tokens["id_token"]?.string), for: client)
                    #expect(token.claims.members["acr"]?.string == name)
                }
            }
        ),
    ]
}

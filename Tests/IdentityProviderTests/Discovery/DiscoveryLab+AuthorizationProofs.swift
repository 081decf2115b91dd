import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// How what is said of the authorization endpoint is proven.
extension DiscoveryLab {
    private static func texts(_ value: JSON) throws -> [String] {
        try #require(value.array).map { try #require($0.string) }
    }

    /// Each value of a parameter is understood, and one that is not advertised would not be.
    private static func values(_ name: String, of parameter: String) -> (String, Proof) {
        (
            name,
            { lab, value in
                let client = try await lab.client()
                for text in try texts(value) {
                    let answer = await lab.request(client, [parameter: text])
                    #expect(answer.status < 400, "\(parameter)=\(text)")
                    #expect(answer.field("Location")?.contains("error=invalid_request") != true, "\(parameter)=\(text)")
                }
            }
        )
    }

    static let ofAuthorization: [(String, Proof)] = [
        values("prompt_values_supported", of: "prompt"), values("display_values_supported", of: "display"),
        values("ui_locales_supported", of: "ui_locales"),
        (
            "response_types_supported",
            { lab, value in
                for type in try texts(value) {
                    let client = try await lab.client(["response_types": [.string(type)], "grant_types": nil])
                    let answer = try await lab.authorise(client, ["response_type": type])
                    #expect(answer["error"] == nil, "\(type)")
                    for (word, parameter) in [("code", "code"), ("token", "access_token"), ("id_token", "id_token")] {
                        let isAskedFor = type.split(separator: " ").contains { $0 == word }
                        #expect((answer[parameter] != nil) == isAskedFor, "\(parameter) for \(type)")
                    }
                }
            }
        ),
        (
            "response_modes_supported",
            { lab, value in
                let client = try await lab.client()
                for mode in try texts(value) {
                    let answer = await lab.request(client, ["response_mode": mode])
                    switch mode {
                    case "query": #expect(answer.field("Location")?.hasPrefix(redirect + "?") == true)
                    case "fragment": #expect(answer.field("Location")?.hasPrefix(redirect + "#") == true)
                    default:
                        #expect(answer.status == 200)
                        #expect(String(decoding: answer.body, as: UTF8.self).contains(#"name="code""#))
                    }
                }
            }
        ),
        (
            "code_challenge_methods_supported",
            { lab, value in
                let client = try await lab.client()
                let verifier = String(repeating: "v", count: 43)
                for method in try texts(value) {
                    let digest = Base64URL.encode(HashFunction.sha256.digest(Array(verifier.utf8).span))
                    let challenge = method == "S256" ? digest : verifier
                    for (sent, isRight) in [(verifier, true), (String(repeating: "w", count: 43), false)] {
                        let answer = try await lab.authorise(
                            client, ["code_challenge": challenge, "code_challenge_method": method])
                        let tokens = try await lab.tokens(
                            client, code: try #require(answer["code"]), also: "&code_verifier=\(sent)")
                        #expect(tokens.contains("access_token") == isRight, "\(method)")
                    }
                }
            }
        ),
        (
            "authorization_response_iss_parameter_supported",
            { lab, value in
                #expect(value == true)
                let answer = try await lab.authorise(try await lab.client())
                #expect(answer["iss"] == ProviderUnderTest.issuer)
            }
        ),
        (
            "request_object_signing_alg_values_supported",
            { lab, value in
                for name in try texts(value) { #expect(try await lab.takesRequestObject(signedWith: name), "\(name)") }
            }
        ),
        (
            "request_parameter_supported",
            { lab, value in
                let isTaken = try await lab.takesRequestObject(signedWith: "ES256")
                #expect(isTaken == (value == true))
            }
        ),
        (
            "request_uri_parameter_supported",
            { lab, value in
                // Nothing can be fetched here.
                #expect(value == false)
                let answer = await lab.request(
                    try await lab.client(), ["request_uri": "https://app.example/request"])
                #expect(
                    String(decoding: answer.body, as: UTF8.self).contains("request_uri")
                        || answer.field("Location")?.contains("error=request_uri_not_supported") == true)
            }
        ),
        logout("frontchannel_logout_supported", "frontchannel"),
        logout("frontchannel_logout_session_supported", "frontchannel"),
        logout("backchannel_logout_supported", "backchannel"),
        logout("backchannel_logout_session_supported", "backchannel"),
    ]

    /// Nothing can be sent from here, so that what needs it is not offered.
    private static func logout(_ name: String, _ kind: String) -> (String, Proof) {
        (
            name,
            { lab, value in
                #expect((value == true) == (kind == "frontchannel"))
                #expect(await lab.registersLogout(kind))
            }
        )
    }

    /// That it is sent is for the tests of logout to show.
    private func registersLogout(_ kind: String) async -> Bool {
        var change = JSONObject()
        change["\(kind)_logout_uri"] = "https://app.example/out"
        change["\(kind)_logout_session_required"] = true
        return await registers(change)
    }

    private func takesRequestObject(signedWith name: String) async throws -> Bool {
        let algorithm = try #require(SignatureAlgorithm(rawValue: name))
        var key = try Self.key(algorithm)
        var registration: JSONObject = ["request_object_signing_alg": .string(name)]
        if let publicKey = key.publicJWK?.json(.publicOnly) { registration["jwks"] = ["keys": [publicKey]] }
        let client = try await client(registration)
        if algorithm.isSymmetric {
            key = try SigningKey(JWK(.symmetric(Secret(utf8: try #require(client.secret)))), algorithm: algorithm)
        }
        let claims: JSONObject = [
            "iss": .string(client.id), "aud": .string(ProviderUnderTest.issuer), "client_id": .string(client.id),
            "response_type": "code", "redirect_uri": .string(Self.redirect), "scope": "openid",
            "state": "from the object",
            "exp": .integer(idp.clock.now().secondsSinceEpoch + 60), "nbf": .integer(idp.clock.now().secondsSinceEpoch),
        ]
        let object = try JWTSigner(key: key, type: "oauth-authz-req+jwt", namesKey: false).sign(claims)
        let answer = try await authorise(client, ["request": object, "state": nil])
        return answer["code"] != nil && answer["state"] == "from the object"
    }
}

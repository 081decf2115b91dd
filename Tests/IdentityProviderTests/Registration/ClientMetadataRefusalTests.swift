import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ClientMetadataRefusalTests {
    private func refusal(_ json: JSONObject, _ rules: ClientMetadataRules) -> ClientMetadataError? {
        do {
            _ = try ClientMetadata(json: json, by: rules)
            return nil
        } catch { return error }
    }

    private static let root = JSONPath.root

    /// Each is a good registration but for what is put over it.
    private static let registrations: [(JSONObject, JSONPath)] = [
        (["redirect_uris": nil], root["redirect_uris"]), (["redirect_uris": []], root["redirect_uris"]),
        (["redirect_uris": "https://app.example/"], root["redirect_uris"]),
        (["redirect_uris": ["https://app.example/", 1]], root["redirect_uris"][1]),
        (["redirect_uris": ["https://app.example/#x"]], root["redirect_uris"][0]),
        (["redirect_uris": ["http://app.example/"]], root["redirect_uris"][0]),
        (["redirect_uris": ["com.example.app:/callback"]], root["redirect_uris"][0]),
        (["redirect_uris": ["javascript:alert(1)"]], root["redirect_uris"][0]),
        (
            ["redirect_uris": ["http://app.example/"], "application_type": "native"],
            root["redirect_uris"][0]
        ),
        (["grant_types": "authorization_code"], root["grant_types"]),
        (["grant_types": ["authorization_code", "magic"]], root["grant_types"][1]),
        (["response_types": ["token"]], root["response_types"][0]),
        (["response_types": ["code token"]], root["response_types"][0]),
        (["response_types": ["magic"]], root["response_types"][0]),
        (["response_types": ["code"], "grant_types": ["refresh_token"]], root["response_types"]),
        (["response_types": [], "grant_types": ["authorization_code"]], root["response_types"]),
        (["redirect_uris": ["app:/callback"], "application_type": "native"], root["redirect_uris"][0]),
        (["request_uris": ["http://app.example/"]], root["request_uris"][0]),
        (
            ["redirect_uris": ["https://localhost/"], "frontchannel_logout_uri": "http://localhost/out"],
            root["frontchannel_logout_uri"]
        ),
        (
            ["redirect_uris": ["http://localhost/"], "frontchannel_logout_uri": "http://127.0.0.1/out"],
            root["frontchannel_logout_uri"]
        ),
        (["grant_types": ["password"]], root["grant_types"][0]),
        (["grant_types": ["implicit"]], root["grant_types"][0]),
        (["client_name": ""], root["client_name"]), (["client_name": 1], root["client_name"]),
        (["client_name#ko": 1], root["client_name#ko"]),
        (["logo_uri#ko": "javascript:alert(1)"], root["logo_uri#ko"]),
        (["application_type": "desktop"], root["application_type"]),
        (["client_uri": "javascript:alert(1)"], root["client_uri"]), (["logo_uri": "data:,x"], root["logo_uri"]),
        (["policy_uri": "/policy"], root["policy_uri"]), (["tos_uri": "https://a@b/"], root["tos_uri"]),
        (["token_endpoint_auth_method": "magic"], root["token_endpoint_auth_method"]),
        (["token_endpoint_auth_method": "private_key_jwt"], root["token_endpoint_auth_method"]),
        (["token_endpoint_auth_method": "self_signed_tls_client_auth"], root["token_endpoint_auth_method"]),
        (["token_endpoint_auth_method": "tls_client_auth"], root["token_endpoint_auth_method"]),
        (["tls_client_auth_san_dns": "app.example"], root["token_endpoint_auth_method"]),
        (
            ["tls_client_auth_san_dns": "app.example", "tls_client_auth_san_ip": "192.0.2.1"],
            root["tls_client_auth_san_ip"]
        ),
        (["token_endpoint_auth_signing_alg": "none"], root["token_endpoint_auth_signing_alg"]),
        (
            [
                "token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://app.example/",
                "token_endpoint_auth_signing_alg": "HS256",
            ],
            root["token_endpoint_auth_signing_alg"]
        ),
        (
            ["token_endpoint_auth_method": "client_secret_jwt", "token_endpoint_auth_signing_alg": "ES256"],
            root["token_endpoint_auth_signing_alg"]
        ),
        (["scope": ["openid"]], root["scope"]), (["scope": "openid  email"], root["scope"]),
        (["scope": "read", "default_scope": "write"], root["default_scope"]),
        (["jwks": []], root["jwks"]), (["jwks": ["keys": []]], root["jwks"]),
        (["jwks": ["keys": [["kty": "oct", "k": "AAAA"]]]], root["jwks"]),
        (["jwks_uri": "ftp://app.example/"], root["jwks_uri"]),
        (["jwks_uri": "http://app.example/"], root["jwks_uri"]),
        (["subject_type": "secret"], root["subject_type"]),
        (["sector_identifier_uri": "http://app.example/"], root["sector_identifier_uri"]),
        (
            ["subject_type": "pairwise", "redirect_uris": ["https://a.example/", "https://b.example/"]],
            root["sector_identifier_uri"]
        ),
        (["id_token_signed_response_alg": "none"], root["id_token_signed_response_alg"]),
        (["id_token_signed_response_alg": "ES256K"], root["id_token_signed_response_alg"]),
        (["userinfo_signed_response_alg": "none"], root["userinfo_signed_response_alg"]),
        (["request_object_signing_alg": "none"], root["request_object_signing_alg"]),
        (["request_uris": ["https://app.example/", "x"]], root["request_uris"][1]),
        (["default_max_age": -1], root["default_max_age"]), (["default_max_age": 1.5], root["default_max_age"]),
        (["require_auth_time": "true"], root["require_auth_time"]),
        (["default_acr_values": [1]], root["default_acr_values"][0]),
        (["initiate_login_uri": "http://app.example/"], root["initiate_login_uri"]),
        (["post_logout_redirect_uris": ["http://app.example/"]], root["post_logout_redirect_uris"][0]),
        (["backchannel_logout_uri": "https://app.example/#x"], root["backchannel_logout_uri"]),
        (["frontchannel_logout_uri": "https://elsewhere.example/"], root["frontchannel_logout_uri"]),
        (["frontchannel_logout_uri": "https://app.example:444/"], root["frontchannel_logout_uri"]),
        (["backchannel_logout_session_required": 1], root["backchannel_logout_session_required"]),
        (["token_endpoint_auth_method": "none", "require_pkce": false], root["require_pkce"]),
        (["token_endpoint_auth_method": "none", "grant_types": ["client_credentials"]], root["grant_types"]),
        (
            ["token_endpoint_auth_method": "none", "id_token_signed_response_alg": "HS256"],
            root["id_token_signed_response_alg"]
        ),
        (["access_token_format": "paseto"], root["access_token_format"]),
        (["refresh_token_issuance": "never"], root["refresh_token_issuance"]),
        (["rotation": "otka"], root["rotation"]), (["rotation": "okta,window=5"], root["rotation"]),
        (["contacts": "ops"], root["contacts"]),
        (["software_id": 1], root["software_id"]),
        (["id_token_encrypted_response_alg": "RSA-OAEP"], root["id_token_encrypted_response_alg"]),
        (["userinfo_encrypted_response_enc": "A128GCM"], root["userinfo_encrypted_response_enc"]),
        (["request_object_encryption_alg": "RSA-OAEP"], root["request_object_encryption_alg"]),
        (["access_token_lifetime": 60], root["access_token_lifetime"]),
        (["id_token_lifetime": 60], root["id_token_lifetime"]),
        (["access_token_audience": ["x"]], root["access_token_audience"]), (["consent": "implied"], root["consent"]),
        (["claims": [:]], root["claims"]),
    ]

    @Test(arguments: registrations.indices) func saysWhatIsWrongWhere(index: Int) {
        let (change, path) = Self.registrations[index]
        var json: JSONObject = ["redirect_uris": ["https://app.example/callback"]]
        #expect(refusal(json, ClientMetadataRules(.registration)) == nil)
        for (name, value) in change { json[name] = value }
        let error = refusal(json, ClientMetadataRules(.registration))
        #expect(error?.path == path, "\(error.map(String.init(describing:)) ?? "taken")")
        #expect((error?.kind == .redirectURI) == (path.steps.first == .member("redirect_uris")))
    }

    /// RFC 7591 section 2.1: a response type and its grant are there together, legacy or not.
    @Test(
        arguments: [
            ["grant_types": ["authorization_code"], "response_types": ["code", "id_token"]],
            ["grant_types": ["authorization_code"], "response_types": ["code id_token"]],
            ["grant_types": ["implicit"], "response_types": []], ["grant_types": ["implicit"]],
            ["grant_types": ["implicit"], "response_types": ["code token"]],
        ] as [JSONObject])
    func refusesAResponseTypeWithoutItsGrant(change: JSONObject) {
        var json = change
        json["redirect_uris"] = ["https://app.example/callback"]
        let rules = ClientMetadataRules(.registration, legacy: Set(LegacyFeature.allCases))
        #expect(refusal(json, rules)?.path == .root["response_types"])
    }

    /// Names in so many languages and no more.
    @Test func refusesOneLanguageTooMany() {
        for (count, isTaken) in [(64, true), (65, false)] {
            var json: JSONObject = ["redirect_uris": ["https://app.example/callback"]]
            for number in 0..<count { json["client_name#x\(number)"] = "App" }
            #expect((refusal(json, ClientMetadataRules(.registration)) == nil) == isTaken)
        }
    }

    /// RFC 7591 section 2: MUST NOT both be there.
    @Test func refusesKeysInTwoPlaces() throws {
        let key = try #require(try SigningKey.generate(.es256).publicJWK?.json(.publicOnly))
        let json: JSONObject = [
            "redirect_uris": ["https://app.example/"], "jwks": ["keys": [key]], "jwks_uri": "https://app.example/keys",
        ]
        #expect(refusal(json, ClientMetadataRules(.registration))?.path == .root["jwks_uri"])
    }

    /// OpenID Connect Registration section 2: MUST NOT be told.
    @Test func refusesAPrivateKey() throws {
        let key = try #require(try SigningKey.generate(.es256).jwk.json(.includingPrivate))
        let json: JSONObject = ["redirect_uris": ["https://app.example/"], "jwks": ["keys": [key]]]
        let error = refusal(json, ClientMetadataRules(.registration))
        #expect(error?.path == .root["jwks"])
        #expect(!(try #require(error?.description).contains(try #require(key["d"]?.string))))
    }

    /// RFC 7591 section 3.2.2 has an error for each.
    @Test func refusesSoftwareStatements() throws {
        let signed = try JWTSigner(key: .generate(.es256), type: nil).sign(["software_id": "x"])
        for (statement, kind): (JSON, ClientMetadataError.Kind) in [
            (.string(signed), .unapprovedSoftwareStatement), ("x", .malformedSoftwareStatement),
            (1, .malformedSoftwareStatement),
        ] {
            let json: JSONObject = ["redirect_uris": ["https://app.example/"], "software_statement": statement]
            #expect(refusal(json, ClientMetadataRules(.registration))?.kind == kind)
        }
    }

    /// Each limit, and what is just within it.
    @Test func everythingHasALimit() {
        func json(_ name: String, _ value: JSON) -> JSONObject {
            var json: JSONObject = ["redirect_uris": ["https://app.example/"]]
            json[name] = value
            return json
        }
        let rules = ClientMetadataRules(.registration)
        for (count, isTaken) in [(64, true), (65, false)] {
            let uris = JSON.array((0..<count).map { .string("https://app.example/\($0)") })
            #expect((refusal(json("redirect_uris", uris), rules) == nil) == isTaken)
            #expect((refusal(json("contacts", uris), rules) == nil) == isTaken)
        }
        for (count, isTaken) in [(2048, true), (2049, false)] {
            let text = JSON.string(String(repeating: "x", count: count))
            #expect((refusal(json("client_name", text), rules) == nil) == isTaken)
        }
    }

    private static let configurations: [(JSONObject, JSONPath)] = [
        (["client_id": nil], root["client_id"]), (["client_id": 1], root["client_id"]),
        (["client_id": ""], root["client_id"]), (["client_id": "caf\u{E9}"], root["client_id"]),
        (["client_secret": 1], root["client_secret"]), (["client_secret": ""], root["client_secret"]),
        (["client_secret": "a\u{7F}"], root["client_secret"]),
        (
            ["client_secret": nil, "token_endpoint_auth_method": "client_secret_basic"],
            root["token_endpoint_auth_method"]
        ),
        (["token_endpoint_auth_method": "none"], root["token_endpoint_auth_method"]),
        (["access_token_lifetime": 0], root["access_token_lifetime"]),
        (["id_token_lifetime": "60"], root["id_token_lifetime"]),
        (["access_token_audience": [""]], root["access_token_audience"][0]),
        (["consent": "never"], root["consent"]), (["claims": []], root["claims"]),
        (["id_token_signed_response_alg": "HS256"], root["id_token_signed_response_alg"]),
        (["redirect_uri": "https://app.example/"], root["redirect_uri"]),
        // RFC 7518 section 3.2: HS256, the shortest of them, takes 32 bytes.
        (["token_endpoint_auth_method": "client_secret_jwt"], root["token_endpoint_auth_method"]),
        (
            [
                "token_endpoint_auth_method": "client_secret_jwt",
                "client_secret": .string(String(repeating: "x", count: 31)),
            ],
            root["token_endpoint_auth_method"]
        ),
        (
            [
                "token_endpoint_auth_method": "client_secret_jwt", "token_endpoint_auth_signing_alg": "HS384",
                "client_secret": .string(String(repeating: "x", count: 47)),
            ],
            root["token_endpoint_auth_signing_alg"]
        ),
    ]

    /// RFC 7518 section 3.2, from the other side of the edge.
    @Test(arguments: [(nil, 32), ("HS256", 32), ("HS384", 48), ("HS512", 64)] as [(String?, Int)])
    func takesASecretThatIsJustLongEnough(algorithm: String?, count: Int) {
        var json: JSONObject = [
            "client_id": "app", "client_secret": .string(String(repeating: "x", count: count)),
            "redirect_uris": ["https://app.example/callback"], "token_endpoint_auth_method": "client_secret_jwt",
        ]
        if let algorithm { json["token_endpoint_auth_signing_alg"] = .string(algorithm) }
        #expect(throws: Never.self) { try Client(json: json, by: ClientMetadataRules(.configuration)) }
    }

    @Test(arguments: configurations.indices) func saysWhatIsWrongInAConfiguration(index: Int) throws {
        let (change, path) = Self.configurations[index]
        var json: JSONObject = [
            "client_id": "app", "client_secret": "short", "redirect_uris": ["https://app.example/callback"],
        ]
        let rules = ClientMetadataRules(.configuration)
        _ = try Client(json: json, by: rules)
        for (name, value) in change { json[name] = value }
        do {
            _ = try Client(json: json, by: rules)
            Issue.record("\(path) was taken")
        } catch { #expect(error.path == path, "\(error)") }
    }

    /// RFC 7518 section 3.2: as long as the output of the hash.
    @Test(arguments: [("HS256", 32), ("HS384", 48), ("HS512", 64)])
    func aSecretThatSignsIsLongEnough(algorithm: String, least: Int) throws {
        for (count, isTaken) in [(least - 1, false), (least, true)] {
            let json: JSONObject = [
                "client_id": "app", "client_secret": .string(String(repeating: "k", count: count)),
                "redirect_uris": ["https://app.example/"], "id_token_signed_response_alg": .string(algorithm),
            ]
            let client = try? Client(json: json, by: ClientMetadataRules(.configuration))
            #expect((client != nil) == isTaken)
        }
    }
}

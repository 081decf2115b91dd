import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ClientMetadataTests {
    static let redirects: JSON = ["https://app.example/callback"]

    /// Every member, as a confidential client might register it.
    static let everything: JSONObject = [
        "redirect_uris": ["https://app.example/callback", "https://app.example/other?x=1"],
        "grant_types": ["authorization_code", "client_credentials", "implicit", "refresh_token"],
        "response_types": ["code", "code id_token"],
        "client_name": "An application",
        "client_name#ko": "앱",
        "client_uri": "https://app.example/", "client_uri#ja-JP": "https://app.example/ja",
        "logo_uri": "https://app.example/logo.png", "policy_uri": "https://app.example/policy#top",
        "tos_uri": "https://app.example/terms",
        "contacts": ["ops@app.example"],
        "application_type": "web",
        "token_endpoint_auth_method": "private_key_jwt", "token_endpoint_auth_signing_alg": "ES256",
        "scope": "openid email read",
        "jwks_uri": "https://app.example/jwks.json",
        "subject_type": "pairwise", "sector_identifier_uri": "https://app.example/sector.json",
        "id_token_signed_response_alg": "ES384", "userinfo_signed_response_alg": "EdDSA",
        "request_object_signing_alg": "PS256", "request_uris": ["https://app.example/request#abc"],
        "default_max_age": 0, "require_auth_time": true, "default_acr_values": ["urn:pawl:acr:password"],
        "initiate_login_uri": "https://app.example/login",
        "post_logout_redirect_uris": ["https://app.example/bye"],
        "backchannel_logout_uri": "https://app.example/back", "backchannel_logout_session_required": true,
        "frontchannel_logout_uri": "https://app.example/front", "frontchannel_logout_session_required": true,
        "require_pushed_authorization_requests": true, "require_signed_request_object": true,
        "dpop_bound_access_tokens": true, "tls_client_certificate_bound_access_tokens": false,
        "software_id": "4NRB1-0XZABZI9E6-5SM3R", "software_version": "2.1",
        "require_pkce": true, "access_token_format": "opaque", "access_token_signed_response_alg": "PS512",
        "refresh_token_issuance": "offline_access", "default_scope": "openid",
    ]

    /// What a client that registers itself has no say in.
    static let ofOperators: JSONObject = [
        "access_token_lifetime": 60, "id_token_lifetime": 61, "access_token_audience": ["https://api.example"],
        "consent": "remembered", "claims": ["roles": ["reader"]], "rotation": "okta,window=5s",
    ]

    static func rules(_ source: ClientMetadataRules.Source) -> ClientMetadataRules {
        ClientMetadataRules(source, legacy: Set(LegacyFeature.allCases))
    }

    /// RFC 7591 section 3.2.1: what is registered is told; nothing is lost on the way.
    @Test func everyMemberComesBackAsItWent() throws {
        var json = Self.everything
        var told = json
        // A client that registers itself has its users asked.
        told["consent"] = "remembered"
        #expect(JSON.object(try ClientMetadata(json: json, by: Self.rules(.registration)).json).differences(told) == [])
        for (name, value) in Self.ofOperators { json[name] = value }
        let read = try ClientMetadata(json: json, by: Self.rules(.configuration))
        #expect(JSON.object(read.json).differences(json).filter { $0 != "token_endpoint_auth_method" } == [])
    }

    @Test func whatWasWrittenReadsTheSame() throws {
        for minimal: JSONObject in [
            ["redirect_uris": Self.redirects], ["redirect_uris": Self.redirects, "token_endpoint_auth_method": "none"],
            ["grant_types": []], Self.everything,
        ] {
            let once = try ClientMetadata(json: minimal, by: Self.rules(.registration)).json
            var again = once
            // What only whoever runs the provider decides is told, and not taken back.
            again["consent"] = nil
            #expect(try ClientMetadata(json: again, by: Self.rules(.registration)).json == once)
        }
    }

    /// RFC 7591 section 2, OpenID Connect Registration section 2.
    @Test func whatIsLeftOutIsTheDefaultOfTheStandard() throws {
        let metadata = try ClientMetadata(
            json: ["redirect_uris": Self.redirects, "client_name": nil], by: Self.rules(.registration))
        #expect(metadata.grants == ["authorization_code"])
        #expect(metadata.responseTypes == [.code])
        #expect(metadata.authenticationMethod == "client_secret_basic")
        #expect(metadata.kind == .web)
        #expect(metadata.idTokenAlgorithm == .rs256)
        #expect(metadata.userInfoAlgorithm == nil)
        #expect(metadata.subjectType == .shared)
        #expect(metadata.name == nil)
        #expect(!metadata.requiresPKCE)
        #expect(!metadata.requiresAuthenticationTime)
        guard case .any = metadata.scopes else { return #expect(Bool(false)) }
    }

    @Test func whoeverRunsTheProviderNeedNotSayHowAClientProvesItself() throws {
        for (json, method, isPublic): (JSONObject, String?, Bool) in [
            (["client_secret": "s"], nil, false), ([:], "none", true),
            (["jwks_uri": "https://app.example/keys"], nil, false),
            (["tls_client_auth_san_dns": "app.example"], nil, false),
        ] {
            var json = json
            json["client_id"] = "app"
            json["redirect_uris"] = Self.redirects
            let client = try Client(json: json, by: Self.rules(.configuration))
            #expect(client.metadata.authenticationMethod == method)
            #expect(client.isPublic == isPublic)
            // RFC 9700 section 2.1.1.
            #expect(client.metadata.requiresPKCE == isPublic)
            #expect(client.metadata.idTokenAlgorithm == nil)
        }
    }

    /// RFC 7591 section 2.1.
    @Test func theGrantsFollowFromTheResponseTypesAndTheOtherWayRound() throws {
        for (json, grants, types): (JSONObject, Set<String>, Set<ResponseType>) in [
            (["response_types": ["id_token"]], ["implicit"], [.idToken]),
            (["response_types": ["code id_token"]], ["authorization_code", "implicit"], [[.code, .idToken]]),
            (["grant_types": ["client_credentials"]], ["client_credentials"], []),
            (
                ["grant_types": ["authorization_code", "refresh_token"]], ["authorization_code", "refresh_token"],
                [.code]
            ),
        ] {
            var json = json
            json["redirect_uris"] = Self.redirects
            let metadata = try ClientMetadata(json: json, by: Self.rules(.registration))
            #expect(metadata.grants == grants)
            #expect(metadata.responseTypes == types)
        }
    }

    /// RFC 8252 section 7.
    @Test func nativeApplicationsHaveSchemesOfTheirOwnAndThisMachine() throws {
        let redirects: JSON = [
            "com.example.app:/callback", "http://127.0.0.1/callback", "http://[::1]:1234/",
            "https://app.example/claimed",
        ]
        let metadata = try ClientMetadata(
            json: ["redirect_uris": redirects, "application_type": "native"], by: Self.rules(.registration))
        #expect(metadata.redirectURIs.map { JSON.string($0.text) } == redirects.array)
    }

    @Test func aConfigurationMayLeadAnywhere() throws {
        let json: JSONObject = ["redirect_uris": ["http://app:3000/callback", "com.example.app:/callback"]]
        #expect(throws: ClientMetadataError.self) { try ClientMetadata(json: json, by: Self.rules(.registration)) }
        #expect(try ClientMetadata(json: json, by: Self.rules(.configuration)).redirectURIs.count == 2)
        let lenient = ClientMetadataRules(.registration, redirects: .any)
        #expect(try ClientMetadata(json: json, by: lenient).redirectURIs.count == 2)
    }

    /// RFC 7591 section 2: MUST ignore what is not understood. A configuration that says it is mistaken.
    @Test(arguments: ["unknown", "Redirect_uris", "client_nam", "redirect_uris#ko", "client_name#", "client_name#한"])
    func whatNobodyKnowsIsIgnoredOrAMistake(name: String) throws {
        var json: JSONObject = ["redirect_uris": Self.redirects]
        json[name] = "x"
        #expect(!(try ClientMetadata(json: json, by: Self.rules(.registration)).json.contains(name)))
        do {
            _ = try ClientMetadata(json: json, by: Self.rules(.configuration), at: .root["clients"][1])
            Issue.record("\(name) was taken")
        } catch { #expect(error.path == .root["clients"][1][name]) }
    }

    @Test func aClientIsWrittenWithoutItsSecret() throws {
        let json: JSONObject = ["client_id": "app", "client_secret": "hidden", "redirect_uris": Self.redirects]
        let client = try Client(json: json, by: Self.rules(.configuration))
        #expect(client.registrationJSON["client_id"] == "app")
        #expect(!JSON.object(client.registrationJSON).text().contains("hidden"))
    }

    /// RFC 7591 section 2: the set is told, and no private key ever.
    @Test func keysComeBackAsTheyWent() throws {
        let key = try #require(try SigningKey.generate(.es256, keyID: "k").publicJWK?.json(.publicOnly))
        let json: JSONObject = [
            "redirect_uris": Self.redirects, "token_endpoint_auth_method": "private_key_jwt", "jwks": ["keys": [key]],
        ]
        let metadata = try ClientMetadata(json: json, by: Self.rules(.registration))
        #expect(metadata.keys?.keys.count == 1)
        #expect(metadata.json["jwks"] == ["keys": [key]])
    }

    @Test(arguments: [
        ("tls_client_auth_subject_dn", "CN=app"), ("tls_client_auth_san_dns", "app.example"),
        ("tls_client_auth_san_uri", "https://app.example/"), ("tls_client_auth_san_ip", "192.0.2.1"),
        ("tls_client_auth_san_email", "app@example.com"),
    ])
    func theSubjectOfACertificateComesBackAsItWent(name: String, value: String) throws {
        var json: JSONObject = ["redirect_uris": Self.redirects, "token_endpoint_auth_method": "tls_client_auth"]
        json[name] = .string(value)
        let metadata = try ClientMetadata(json: json, by: Self.rules(.registration))
        #expect(metadata.certificateSubject != nil)
        #expect(metadata.json[name] == .string(value))
    }
}

extension JSON {
    /// The names of the members that are not the same here and there, whichever lacks them.
    func differences(_ other: JSONObject) -> [String] {
        let own = object ?? [:]
        return Set(own.names + other.names).filter { own[$0] != other[$0] }.sorted()
    }
}

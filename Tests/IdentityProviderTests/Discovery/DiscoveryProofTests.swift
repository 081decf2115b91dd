import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What is advertised works, and what works is advertised: a walk through the document that tries each member.
@Suite struct DiscoveryProofTests {
    @Test func everyMemberIsProven() async throws {
        let lab = try await DiscoveryLab()
        for (name, value) in try await lab.document() {
            guard let proof = DiscoveryLab.proofs[name] else {
                Issue.record("nothing proves \(name)")
                continue
            }
            do {
                try await proof(lab, value)
            } catch {
                Issue.record("\(name): \(error)")
            }
        }
    }

    /// OpenID Connect Discovery section 3, RFC 8414 section 2.
    @Test func whatIsRequiredIsThere() async throws {
        let document = try await DiscoveryLab().document()
        for name in [
            "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "response_types_supported",
            "subject_types_supported", "id_token_signing_alg_values_supported",
        ] {
            #expect(document.contains(name), "\(name)")
        }
        // OpenID Connect Discovery section 3: RS256 MUST be included.
        #expect(document["id_token_signing_alg_values_supported"]?.array?.contains("RS256") == true)
    }

    /// RFC 8414 section 3.2: members with zero elements MUST be omitted.
    @Test func noListIsEmpty() async throws {
        for (name, value) in try await DiscoveryLab().document() { #expect(value != [], "\(name)") }
    }

    @Test func everyEndpointIsAdvertised() async throws {
        let lab = try await DiscoveryLab()
        let advertised = try await lab.document().compactMap(\.value.string)
        for path in [
            "/authorize", "/token", "/jwks.json", "/userinfo", "/introspect", "/revoke", "/register", "/par",
            "/device_authorization", "/end_session", "/session", "/logout",
        ] {
            let isThere = await lab.idp.respond(.options, path).status != 404
            #expect(isThere == advertised.contains(ProviderUnderTest.issuer + path), "\(path)")
        }
    }

    /// What can be registered is what is advertised, legacy features on or off.
    @Test(arguments: [[], LegacyFeature.allCases])
    func whatCanBeRegisteredIsAdvertised(legacy: [LegacyFeature]) async throws {
        let lab = try await DiscoveryLab(legacy: Set(legacy))
        let document = try await lab.document()
        for method in ClientMetadataRules.everyAuthenticationMethod {
            let isTaken = await lab.registers([
                "token_endpoint_auth_method": .string(method), "jwks_uri": "https://app.example/keys",
                "tls_client_auth_san_dns": method == "tls_client_auth" ? "app.example" : nil,
            ])
            let isAdvertised =
                document["token_endpoint_auth_methods_supported"]?.array?.contains(.string(method)) == true
            #expect(isTaken == isAdvertised, "\(method)")
        }
        for rawValue in UInt8(1)...7 {
            let type = ResponseType(rawValue: rawValue).text
            let isTaken = await lab.registers(["response_types": [.string(type)], "grant_types": nil])
            let isAdvertised = document["response_types_supported"]?.array?.contains(.string(type)) == true
            #expect(isTaken == isAdvertised, "\(type)")
        }
        for grant in [
            "authorization_code", "refresh_token", "client_credentials", "password", "implicit",
            "urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:token-exchange",
            "urn:ietf:params:oauth:grant-type:jwt-bearer", "urn:ietf:params:oauth:grant-type:saml2-bearer",
        ] {
            var change: JSONObject = ["grant_types": [.string(grant)]]
            if grant == "implicit" { change["response_types"] = ["id_token"] }
            let isAdvertised = document["grant_types_supported"]?.array?.contains(.string(grant)) == true
            #expect(await lab.registers(change) == isAdvertised, "\(grant)")
        }
    }

    /// For a test of what a client makes of it: what is said there need not be so.
    @Test func theConfigurationHasTheLastWord() async throws {
        for issuer in [IssuerPolicy.followsHost, .fixed(try Issuer(ProviderUnderTest.issuer))] {
            let idp = try await ProviderUnderTest(issuer: issuer) {
                $0.metadataOverrides = ["issuer": "https://elsewhere.example", "jwks_uri": nil, "my_own": ["a": 1]]
            }
            let document = await idp.get("/.well-known/openid-configuration").json
            #expect(document?["issuer"] == "https://elsewhere.example")
            #expect(document?["jwks_uri"] == nil)
            #expect(document?["my_own"] == ["a": 1])
            #expect(document?["token_endpoint"] == "http://localhost:8080/token")
            // The document alone: tokens still say who made them.
            let token = try await idp.accessToken()
            #expect(try await idp.verified(token).claims.issuer == ProviderUnderTest.issuer)
        }
    }

    @Test func aChangeIsSaidAtOnce() async throws {
        for issuer in [IssuerPolicy.followsHost, .fixed(try Issuer(ProviderUnderTest.issuer))] {
            let idp = try await ProviderUnderTest(issuer: issuer)
            let before = await idp.get("/.well-known/openid-configuration")
            #expect(before.json?["my_own"] == nil)
            try idp.context.configure { $0.metadataOverrides = ["my_own": true] }
            let after = await idp.get("/.well-known/openid-configuration")
            #expect(after.json?["my_own"] == true)
            #expect(after.field("ETag") != before.field("ETag"))
            try idp.context.clients.add(
                Client(id: "late", secret: Secret(utf8: "s"), grants: [], scopes: .listed(Scope(parsing: "late"))))
            let scopes = await idp.get("/.well-known/openid-configuration").json?["scopes_supported"]?.array
            #expect(scopes?.contains("late") == true)
            idp.context.clients.remove("late")
            let without = await idp.get("/.well-known/openid-configuration").json?["scopes_supported"]?.array
            #expect(without?.contains("late") == false)
        }
    }
}

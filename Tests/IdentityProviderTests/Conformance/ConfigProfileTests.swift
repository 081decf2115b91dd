import Foundation
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The module of the foundation's Config profile. The Dynamic profile runs it again.
@Suite struct ConfigProfileTests {
    static let issuer = "https://id.example"

    private func provider(
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(
            issuer: .fixed(Issuer(Self.issuer)), clients: StandardClients.all(), users: StandardUsers.all(),
            outbound: RelyingPartyServer(), configure: configure)
    }

    private func document(of idp: ProviderUnderTest) async throws -> JSONObject {
        let answer = await idp.get("/.well-known/openid-configuration", host: "id.example")
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "application/json")
        return try #require(answer.json?.object)
    }

    @Test func discoveryEndpointVerification() async throws {
        let idp = try await provider()
        let document = try await document(of: idp)
        #expect(document["issuer"] == .string(Self.issuer))
        for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "registration_endpoint"] {
            #expect(document[name]?.string?.hasPrefix(Self.issuer + "/") == true, "\(name)")
        }
        let lists: [(String, [String])] = [
            ("response_types_supported", ["code"]), ("subject_types_supported", ["public", "pairwise"]),
            ("id_token_signing_alg_values_supported", ["RS256"]),
            ("userinfo_signing_alg_values_supported", ["RS256"]),
            ("request_object_signing_alg_values_supported", ["RS256"]),
            ("grant_types_supported", ["authorization_code"]), ("scopes_supported", ["openid"]),
            ("claims_supported", ["sub", "iss", "name"]), ("code_challenge_methods_supported", ["S256"]),
            ("response_modes_supported", ["query", "fragment", "form_post"]),
            (
                "token_endpoint_auth_methods_supported",
                ["client_secret_basic", "client_secret_post", "private_key_jwt"]
            ),
        ]
        for (name, expected) in lists {
            let list = try #require(document[name]?.array?.compactMap { $0.string }, "\(name)")
            #expect(Set(expected).isSubset(of: list), "\(name): \(list)")
            #expect(Set(list).count == list.count, "\(name): \(list)")
        }
        #expect(document["claims_parameter_supported"] == true)
        #expect(document["request_parameter_supported"]?.bool != nil)
        #expect(document["request_uri_parameter_supported"]?.bool != nil)
        checkEndpoints(document)
        try checkWords(document)
    }

    /// Every endpoint of a provider whose issuer has TLS has it too.
    private func checkEndpoints(_ document: JSONObject) {
        for (name, value) in document where name.hasSuffix("_endpoint") || name.hasSuffix("_uri") {
            guard let text = value.string, let url = URL(string: text) else {
                Issue.record("\(name) is no URL")
                continue
            }
            #expect(url.scheme == "https" && url.fragment == nil, "\(name)")
        }
    }

    /// RFC 6749 section 3.3 and RFC 5646: scopes and languages are written as they have to be.
    private func checkWords(_ document: JSONObject) throws {
        for scope in document["scopes_supported"]?.array ?? [] {
            #expect(throws: Never.self) { try Scope(parsing: scope.string ?? " ") }
        }
        for locale in try #require(document["ui_locales_supported"]?.array) {
            let tag = try #require(locale.string)
            #expect(tag == Locale.canonicalLanguageIdentifier(from: tag))
        }
    }

    @Test func theKeysAreTheProvidersAndPublic() async throws {
        let idp = try await provider()
        let document = try await document(of: idp)
        let path = try #require(document["jwks_uri"]?.string?.dropFirst(Self.issuer.count))
        let answer = await idp.get(String(path), host: "id.example")
        #expect(answer.status == 200)
        let keys = try #require(answer.json?["keys"]?.array)
        #expect(!keys.isEmpty)
        let names = keys.compactMap { $0["kid"]?.string }
        #expect(names.count == keys.count && Set(names).count == keys.count)
        for key in keys {
            #expect(["RSA", "EC", "OKP"].contains(key["kty"]?.string))
            for secret in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(key[secret] == nil, "\(secret)") }
        }
    }

    /// Clients that can register for a response type find it in the document before they do.
    @Test func saysWhatAClientCanRegisterFor() async throws {
        let open = try await ProviderUnderTest(clients: [])
        #expect(try await open.discovered()["response_types_supported"] == ["code"])
        let closed = try await ProviderUnderTest(clients: []) { $0.registration = .off }
        #expect(try await closed.discovered()["response_types_supported"] == [])
        #expect(try await closed.discovered()["registration_endpoint"] == nil)
    }

    /// OpenID Connect Discovery section 3: a dynamic provider MUST support these. Two of them give tokens in the redirect,
    /// which RFC 9700 advises against: they are there when the configuration names them.
    @Test func aDynamicProviderHasTheImplicitTypesWhereTheyAreOn() async throws {
        let dynamic = try await document(of: provider { $0.legacy = [.implicit] })
        let types = dynamic["response_types_supported"]?.array?.compactMap(\.string) ?? []
        #expect(Set(["code", "id_token", "id_token token"]).isSubset(of: types))
        let grants = dynamic["grant_types_supported"]?.array?.compactMap(\.string) ?? []
        #expect(Set(["authorization_code", "implicit"]).isSubset(of: grants))
    }
}

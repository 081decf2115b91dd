import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct AuthorizationMetadataTests {
    private func metadata(
        _ clients: [Client]? = nil, configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> JSON {
        let idp = try await ProviderUnderTest(
            clients: clients ?? StandardClients.all(), users: StandardUsers.all(), configure: configure)
        return try #require(await idp.get("/.well-known/openid-configuration").json)
    }

    private func list(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

    @Test func saysWhatWorks() async throws {
        let metadata = try await metadata()
        #expect(metadata["authorization_endpoint"]?.string == ProviderUnderTest.issuer + "/authorize")
        #expect(list(metadata["response_modes_supported"]) == ["query", "fragment", "form_post"])
        #expect(list(metadata["code_challenge_methods_supported"]) == ["S256"])
        #expect(list(metadata["prompt_values_supported"]) == ["none", "login", "consent", "select_account"])
        #expect(list(metadata["acr_values_supported"]) == ["urn:pawl:acr:password"])
        #expect(list(metadata["display_values_supported"]) == ["page", "popup", "touch"])
        #expect(list(metadata["ui_locales_supported"]) == ["en", "ko", "ja"])
        #expect(metadata["claims_parameter_supported"] == true)
        #expect(metadata["request_parameter_supported"] == true)
        #expect(metadata["request_uri_parameter_supported"] == false)
        #expect(metadata["authorization_response_iss_parameter_supported"] == true)
        #expect(list(metadata["grant_types_supported"]).contains("authorization_code"))
    }

    /// Only response types that some client may use.
    @Test func advertisesNoResponseTypeThatEverybodyIsRefused() async throws {
        let plain = try await metadata([.underTest("one")])
        #expect(list(plain["response_types_supported"]) == ["code"])
        #expect(!list(plain["grant_types_supported"]).contains("implicit"))
        let hybrid = try await metadata([.underTest("one") { $0.responseTypes = [.code, [.code, .idToken]] }])
        #expect(list(hybrid["response_types_supported"]) == ["code", "code id_token"])
        #expect(list(hybrid["grant_types_supported"]).contains("implicit"))
        let any = try await metadata([]) {
            $0.allowances = [.anyClient]
            $0.legacy = [.implicit, .plainChallenge]
        }
        #expect(list(any["response_types_supported"]) == ["code", "id_token", "token", "id_token token"])
        #expect(list(any["code_challenge_methods_supported"]) == ["S256", "plain"])
        #expect(list(try await metadata()["response_types_supported"]).count == 7)
    }
}

import OAuth
import Primitives
import Testing

@Suite struct ServerMetadataTests {
    private func metadata() throws -> ServerMetadata { ServerMetadata(issuer: try Issuer("https://id.example")) }

    /// RFC 8414 section 2: `issuer` and `response_types_supported` are REQUIRED. Section 3.2: what has zero elements MUST
    /// be omitted, and nobody added anything.
    @Test func holdsWhatIsRequiredAndNothingThatNobodyAdded() throws {
        #expect(try metadata().json == ["issuer": "https://id.example", "response_types_supported": []])
    }

    @Test func aListHoldsEachValueOnce() throws {
        var metadata = try metadata()
        metadata.append("client_credentials", to: .grantTypesSupported)
        metadata.append("refresh_token", to: .grantTypesSupported)
        metadata.append("client_credentials", to: .grantTypesSupported)
        #expect(metadata[.grantTypesSupported] == ["client_credentials", "refresh_token"])
    }

    @Test func takesTextsTruthValuesAndLists() throws {
        var metadata = try metadata()
        metadata[.authorizationEndpoint] = "https://id.example/authorize"
        metadata[.responseIssuerParameterSupported] = true
        metadata.append(contentsOf: ["S256", "plain", "S256"], to: .codeChallengeMethodsSupported)
        metadata[.claimsSupported] = nil
        #expect(metadata.json["authorization_endpoint"] == "https://id.example/authorize")
        #expect(metadata.json["authorization_response_iss_parameter_supported"] == true)
        #expect(metadata.json["code_challenge_methods_supported"] == ["S256", "plain"])
        #expect(metadata.json["claims_supported"] == nil)
    }
}

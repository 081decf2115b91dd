import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// OpenID Connect Core section 8.1.
@Suite struct SectorTests {
    static let pairwise: JSONObject = [
        "subject_type": "pairwise", "sector_identifier_uri": "https://sector.example/uris.json?v=1",
        "redirect_uris": ["https://a.example/callback", "https://b.example/callback"],
        "grant_types": ["authorization_code", "refresh_token"], "id_token_signed_response_alg": "ES256",
    ]

    static let list: JSON = [
        "https://a.example/callback", "https://b.example/callback", "https://c.example/callback",
    ]

    @Test func clientsOfOneSectorKnowAUserByOneName() async throws {
        let outbound = ScriptedOutbound(Self.list)
        let idp = try await ProviderUnderTest.withResources(outbound: outbound)
        var other = Self.pairwise
        other["redirect_uris"] = ["https://c.example/callback"]
        var elsewhere = other
        elsewhere["sector_identifier_uri"] = nil
        var subjects: [String] = []
        for registration in [Self.pairwise, other, elsewhere] {
            let client = try RegisteredClient(await idp.register(registration))
            subjects.append(try await idp.userInfo(try await idp.authorise(client.id).accessToken).text("sub"))
        }
        #expect(subjects[0] == subjects[1])
        #expect(subjects[0] != subjects[2])
        #expect(!subjects.contains("alice"))
        #expect(outbound.urls == Array(repeating: "https://sector.example/uris.json?v=1", count: 2))
    }

    @Test func refusesARedirectURIThatTheDocumentDoesNotName() async throws {
        let outbound = ScriptedOutbound(["https://a.example/callback", "https://b.example/callback/"])
        let answer = await (try await ProviderUnderTest.withResources(outbound: outbound)).register(Self.pairwise)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_redirect_uri")
        #expect(answer.errorDescription.contains("redirect_uris[1]"))
    }

    @Test(arguments: [
        JSON.object([:]), "https://a.example/callback", ["https://a.example/callback", 1], nil,
    ])
    func refusesADocumentThatIsNoListOfTexts(document: JSON) async throws {
        let idp = try await ProviderUnderTest.withResources(outbound: ScriptedOutbound(document))
        #expect(await idp.register(Self.pairwise).error == "invalid_client_metadata")
    }

    @Test func refusesADocumentThatCannotBeHad() async throws {
        let missing = try await ProviderUnderTest.withResources(
            outbound: ScriptedOutbound(Self.list, status: .notFound))
        #expect(await missing.register(Self.pairwise).error == "invalid_client_metadata")
        let unreachable = ScriptedOutbound { _ throws(OutboundFailure) in throw .unreachable }
        let answer = await (try await ProviderUnderTest.withResources(outbound: unreachable)).register(Self.pairwise)
        #expect(answer.error == "invalid_client_metadata")
        #expect(answer.errorDescription.contains("sector_identifier_uri"))
    }

    /// A provider that asks nobody says so, and does not take the client's word for it.
    @Test func refusesWhereNothingCanBeAsked() async throws {
        let answer = await (try await ProviderUnderTest.withResources()).register(Self.pairwise)
        #expect(answer.error == "invalid_client_metadata")
        #expect(answer.errorDescription.contains("not sent"))
    }

    @Test func looksAgainWhenTheRegistrationChanges() async throws {
        let idp = try await ProviderUnderTest.withResources(outbound: ScriptedOutbound(Self.list))
        let client = try RegisteredClient(await idp.register(Self.pairwise))
        var json = Self.pairwise
        json["client_id"] = .string(client.id)
        json["redirect_uris"] = ["https://d.example/callback"]
        #expect(await idp.send(.put, client.path, json, bearer: client.token).error == "invalid_redirect_uri")
    }
}

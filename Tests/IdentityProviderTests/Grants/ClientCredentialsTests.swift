import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// RFC 6749 section 4.4, RFC 8707 section 2.1.
@Suite struct ClientCredentialsTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    private func ask(_ also: [(String, String)] = [], as client: String = "service:secret") async -> Answer {
        await provider.token([("grant_type", "client_credentials")] + also, as: client)
    }

    /// Section 4.4: MUST only be used by confidential clients.
    @Test func refusesAPublicClient() async {
        #expect(GrantsProvider.summary(await ask(as: "app")) == "400 unauthorized_client")
    }

    /// Section 4.4.3: a refresh token SHOULD NOT be included.
    @Test func givesNeitherRefreshTokenNorIDToken() async throws {
        let answer = await ask([("scope", "openid offline_access")])
        #expect(answer.status == 200)
        #expect(answer.json?["refresh_token"] == nil)
        #expect(answer.json?["id_token"] == nil)
    }

    @Test func isForTheResourcesThatWereNamed() async throws {
        let one = await ask([("resource", "https://a.example")])
        #expect(
            try await provider.claims(try one.text("access_token"), audience: "https://a.example").audience
                == ["https://a.example"])
        let two = await ask([
            ("resource", "https://a.example"), ("resource", "https://b.example"), ("resource", "https://a.example"),
        ])
        #expect(
            try await provider.claims(try two.text("access_token"), audience: "https://b.example").audience == [
                "https://a.example", "https://b.example",
            ])
    }

    @Test(arguments: ["x", "/a", "a.example", "https://a.example#", "https://a.example#b", "https://a b.example"])
    func refusesWhatIsNoResource(resource: String) async {
        #expect(GrantsProvider.summary(await ask([("resource", resource)])) == "400 invalid_target")
    }

    @Test(arguments: ["https://other.example", "https://api.example/", "https://API.example"])
    func refusesAResourceThatTheClientMayNotHave(resource: String) async throws {
        let answer = await ask([("resource", resource)], as: "narrow:secret")
        #expect(GrantsProvider.summary(answer) == "400 invalid_target")
        let own = await ask([("resource", GrantsProvider.api)], as: "narrow:secret")
        #expect(own.status == 200)
        let none = await ask(as: "narrow:secret")
        #expect(
            try await provider.claims(try none.text("access_token"), audience: GrantsProvider.api).audience
                == [GrantsProvider.api])
    }
}

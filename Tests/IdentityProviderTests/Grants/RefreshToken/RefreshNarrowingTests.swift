import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Less than was granted, and never more: RFC 6749 section 6, RFC 8707 section 2.2.
@Suite struct RefreshNarrowingTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    @Test func givesTheScopeAskedFor() async throws {
        let (_, token) = try await provider.family()
        let answer = await provider.refresh(token, also: [("scope", "read")])
        #expect(answer.json?["scope"] == "read")
        #expect(try await provider.claims(try answer.text("access_token"))["scope"] == "read")
        // OpenID Connect Core section 3.1.2.1: without openid it is no OpenID request.
        #expect(answer.json?["id_token"] == nil)
    }

    /// RFC 6749 section 6: the scope of the refresh token stays that of the one that was presented.
    @Test func theNextOneIsAsWideAsTheFirst() async throws {
        let (_, token) = try await provider.family()
        let narrow = await provider.refresh(token, also: [("scope", "read")])
        let wide = await provider.refresh(try narrow.text("refresh_token"))
        #expect(wide.json?["scope"] == "openid read write")
        #expect(wide.json?["id_token"] != nil)
    }

    /// RFC 6749 section 6: MUST NOT include any scope not originally granted. The request spends nothing.
    @Test(arguments: ["delete", "read delete", "READ", "openid read write admin", "+"])
    func refusesAScopeThatWasNotGrantedAndSpendsNothing(scope: String) async throws {
        let (family, token) = try await provider.family()
        let answer = await provider.refresh(token, also: [("scope", scope)])
        #expect(GrantsProvider.summary(answer) == "400 invalid_scope")
        #expect(try await provider.context.store.family(family.id)?.rotation.current == 1)
        #expect(await provider.refresh(token).status == 200)
    }

    @Test func givesTheResourceAskedFor() async throws {
        let granted = ["https://a.example", "https://b.example/x"]
        let (_, token) = try await provider.family(resources: granted)
        let both = await provider.refresh(token)
        #expect(try await provider.claims(try both.text("access_token"), audience: granted[0]).audience == granted)
        let one = await provider.refresh(
            try both.text("refresh_token"), also: [("resource", granted[1])])
        #expect(
            try await provider.claims(try one.text("access_token"), audience: granted[1]).audience == [granted[1]])
    }

    /// RFC 8707 section 2: invalid_target for what was not granted, and for what is no resource.
    @Test(arguments: [
        "https://c.example", "https://a.example/", "HTTPS://A.EXAMPLE", "https://a.example#x", "a.example", "/a",
        "https://a.example.evil",
    ])
    func refusesAResourceThatWasNotGrantedAndSpendsNothing(resource: String) async throws {
        let (family, token) = try await provider.family(resources: ["https://a.example"])
        let answer = await provider.refresh(token, also: [("resource", resource)])
        #expect(GrantsProvider.summary(answer) == "400 invalid_target")
        #expect(try await provider.context.store.family(family.id)?.rotation.current == 1)
    }

    @Test func refusesOneGoodResourceBesideABadOne() async throws {
        let (_, token) = try await provider.family(resources: ["https://a.example"])
        let answer = await provider.refresh(
            token, also: [("resource", "https://a.example"), ("resource", "https://c.example")])
        #expect(GrantsProvider.summary(answer) == "400 invalid_target")
    }

    @Test func refusesMoreResourcesThanAnybodyHas() async throws {
        let (_, token) = try await provider.family()
        let many = (0...ResourceIndicator.maximumCount).map { ("resource", "https://\($0).example") }
        #expect(GrantsProvider.summary(await provider.refresh(token, also: many)) == "400 invalid_target")
    }
}

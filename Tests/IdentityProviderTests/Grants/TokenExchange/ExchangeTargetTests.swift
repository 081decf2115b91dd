import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// For whom, and for how much: RFC 8693 sections 2.1 and 2.2.2.
@Suite struct ExchangeTargetTests {
    let fixture: ExchangeFixture

    init() async throws { fixture = try await ExchangeFixture() }

    @Test func isForThoseWhoWereNamed() async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(
            access,
            also: [
                ("resource", "https://a.example"), ("audience", "backend"), ("resource", "https://b.example"),
                ("audience", "backend"), ("audience", "ledger"),
            ])
        #expect(
            try await fixture.claims(answer, audience: "backend").audience == [
                "https://a.example", "https://b.example", "backend", "ledger",
            ])
    }

    @Test(arguments: ["x", "/a", "https://a.example#x", "https://a.example/ b"])
    func refusesAResourceThatIsNone(resource: String) async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, also: [("resource", resource)]) == "400 invalid_target")
    }

    @Test(arguments: [("audience", "https://other.example"), ("resource", "https://other.example"), ("audience", "x")])
    func refusesATargetThatTheClientMayNotHave(parameter: (String, String)) async throws {
        let (access, _, _) = try await fixture.userToken(scope: "read")
        #expect(await fixture.refusal(access, as: "narrow:secret", also: [parameter]) == "400 invalid_target")
        let answer = await fixture.exchange(access, as: "narrow:secret", also: [("resource", GrantsProvider.api)])
        #expect(try await fixture.claims(answer, audience: GrantsProvider.api).audience == [GrantsProvider.api])
    }

    /// RFC 8707 section 2.2: what was granted for some resources is for no other, in nobody's hands.
    @Test(arguments: ["service:secret", "other:secret"])
    func staysWithinTheResourcesThatWereGranted(client: String) async throws {
        let granted = ["https://a.example", "https://b.example"]
        let (_, refresh) = try await fixture.provider.family(resources: granted)
        let access = try await fixture.provider.refresh(refresh, also: [("resource", granted[0])]).text("access_token")
        for target in [
            ("resource", "https://c.example"), ("audience", "c"), ("audience", ProviderUnderTest.issuer),
        ] {
            #expect(await fixture.refusal(access, as: client, also: [target]) == "400 invalid_target")
            #expect(
                await fixture.refusal(access, as: client, also: [("resource", granted[0]), target])
                    == "400 invalid_target")
        }
        let same = await fixture.exchange(access, as: client)
        #expect(try await fixture.claims(same, audience: granted[0]).audience == [granted[0]])
        let other = await fixture.exchange(access, as: client, also: [("resource", granted[1])])
        #expect(try await fixture.claims(other, audience: granted[1]).audience == [granted[1]])
    }

    @Test func aClientWithAnAudienceOfItsOwnGetsNoOther() async throws {
        let (_, refresh) = try await fixture.provider.family(resources: ["https://a.example"])
        let access = try await fixture.provider.refresh(refresh).text("access_token")
        #expect(await fixture.refusal(access, as: "narrow:secret") == "400 invalid_target")
        let target = ("resource", GrantsProvider.api)
        #expect(await fixture.refusal(access, as: "narrow:secret", also: [target]) == "400 invalid_target")
    }

    @Test func refusesMoreTargetsThanAnybodyHas() async throws {
        let (access, _, _) = try await fixture.userToken()
        let many = (0...16).map { ("audience", "a\($0)") }
        #expect(await fixture.refusal(access, also: many) == "400 invalid_target")
        let long = String(repeating: "a", count: 2049)
        #expect(await fixture.refusal(access, also: [("audience", long)]) == "400 invalid_target")
    }

    @Test(arguments: [("", "openid read write"), ("read", "read"), ("write openid", "write openid")])
    func isGoodForWhatWasAskedFor(scope: String, expected: String) async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(access, also: [("scope", scope)])
        #expect(answer.json?["scope"]?.string == expected)
        #expect(try await fixture.claims(answer)["scope"]?.string == expected)
    }

    /// Never wider than the subject token, whatever the family of it was granted.
    @Test(arguments: ["delete", "read delete", "READ", "read write delete", "offline_access"])
    func refusesAScopeThatIsWider(scope: String) async throws {
        let (access, refresh, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, also: [("scope", scope)]) == "400 invalid_scope")
        #expect(
            await fixture.refusal(refresh, ExchangeFixture.refreshToken, also: [("scope", scope)])
                == "400 invalid_scope")
        let narrow = try await fixture.exchange(access, also: [("scope", "read")]).text("access_token")
        #expect(await fixture.refusal(narrow, also: [("scope", "write")]) == "400 invalid_scope")
        #expect(
            await fixture.refusal(
                narrow, also: [("scope", "write"), ("requested_token_type", ExchangeFixture.refreshToken)])
                == "400 invalid_scope")
    }

    /// A token that a test made say more is worth no more.
    @Test func neverMoreThanTheUserGranted() async throws {
        var override = TokenOverride()
        override.accessTokenClaims = ["scope": "openid read write admin"]
        fixture.provider.context.overrides.add(override)
        let (access, _, _) = try await fixture.userToken()
        #expect(try await fixture.provider.claims(access)["scope"] == "openid read write admin")
        #expect(await fixture.refusal(access, also: [("scope", "admin")]) == "400 invalid_scope")
        #expect(await fixture.exchange(access).json?["scope"] == "openid read write")
        let second = await fixture.exchange(access, also: [("requested_token_type", ExchangeFixture.refreshToken)])
        #expect(second.json?["scope"] == "openid read write")
    }

    @Test func neverMoreThanTheClientMayHave() async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(access, as: "narrow:secret")
        #expect(answer.json?["scope"] == "read write")
        #expect(await fixture.refusal(access, as: "narrow:secret", also: [("scope", "openid")]) == "400 invalid_scope")
    }
}

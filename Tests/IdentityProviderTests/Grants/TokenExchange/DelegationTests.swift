import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Who acts for whom: RFC 8693 sections 4.1 and 4.4.
@Suite struct DelegationTests {
    let fixture: ExchangeFixture

    init() async throws {
        fixture = try await ExchangeFixture(users: [
            try User(username: "carol", claims: ["may_act": ["sub": "other"]]),
            try User(username: "dave", claims: ["may_act": ["sub": "bob", "client_id": "service"]]),
            try User(username: "erin", claims: ["may_act": ["sub": "other", "group": "x"]]),
            try User(username: "frank", claims: ["may_act": "other"]),
            try User(username: "grace", claims: ["may_act": ["sub": "other", "iss": "https://other.example"]]),
        ])
    }

    private func actor(_ token: String, _ type: String = ExchangeFixture.accessToken) -> [(String, String)] {
        [("actor_token", token), ("actor_token_type", type)]
    }

    @Test func saysWhoActs() async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(access, also: actor(try await fixture.clientToken()))
        let claims = try await fixture.claims(answer)
        #expect(claims.subject == "alice")
        #expect(claims.members["act"] == ["sub": "other"])
    }

    /// Section 4.1: the outermost acts now, those inside acted before. Impersonation later takes nobody out.
    @Test func thoseWhoActedBeforeStandInside() async throws {
        let (access, _, _) = try await fixture.userToken()
        var token = try await fixture.exchange(access, also: actor(try await fixture.clientToken())).text(
            "access_token")
        token = try await fixture.exchange(
            token, also: actor(try await fixture.clientToken("opaque:secret"))
        ).text("access_token")
        let nested: JSON = ["sub": "opaque", "act": ["sub": "other"]]
        #expect(try await fixture.provider.claims(token).members["act"] == nested)
        let later = await fixture.exchange(token, as: "other:secret")
        #expect(try await fixture.claims(later).members["act"] == nested)
    }

    @Test func anIDTokenSaysItToo() async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(
            access,
            also: actor(try await fixture.clientToken()) + [("requested_token_type", ExchangeFixture.idToken)])
        let claims = try await fixture.provider.idTokenClaims(try answer.text("access_token"))
        #expect(claims.members["act"] == ["sub": "other"])
    }

    @Test func aUserMayActToo() async throws {
        let (access, _, _) = try await fixture.userToken()
        let identity = try await fixture.provider.password("bob").text("id_token")
        let answer = await fixture.exchange(access, also: actor(identity, ExchangeFixture.idToken))
        #expect(try await fixture.claims(answer).members["act"] == ["sub": "bob"])
    }

    @Test func refusesALineOfActorsThatDoesNotEnd() async throws {
        var (token, _, _) = try await fixture.userToken()
        for _ in 0..<8 {
            token = try await fixture.exchange(token, also: actor(try await fixture.clientToken())).text("access_token")
        }
        let more = actor(try await fixture.clientToken())
        #expect(await fixture.refusal(token, also: more) == "400 invalid_request")
        #expect(await fixture.exchange(token).status == 200)
    }

    /// Section 2.1: the type comes with the token, and never without.
    @Test(arguments: [
        [("actor_token", "x")], [("actor_token_type", ExchangeFixture.accessToken)],
        [("actor_token", "x"), ("actor_token_type", "x")],
        [("actor_token", "x"), ("actor_token_type", ExchangeFixture.refreshToken)],
        [("actor_token", "x"), ("actor_token_type", ExchangeFixture.accessToken)],
        [("actor_token", ""), ("actor_token_type", ExchangeFixture.accessToken)],
    ])
    func refusesAnActorThatIsNone(parameters: [(String, String)]) async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, also: parameters) == "400 invalid_request")
    }

    @Test func refusesAnActorThatHasEnded() async throws {
        let (access, _, _) = try await fixture.userToken()
        let (acting, _, family) = try await fixture.userToken("other:secret", user: "bob")
        let now = fixture.provider.now
        _ = try await fixture.provider.context.store.judge(family.id) { $0.end(.revoked, at: now) }
        #expect(await fixture.refusal(access, also: actor(acting)) == "400 invalid_request")
    }

    /// Section 4.4: whom the subject token names may act, and nobody else.
    @Test func honoursWhoMayAct() async throws {
        let (access, _, _) = try await fixture.userToken(user: "carol")
        let other = actor(try await fixture.clientToken())
        #expect(await fixture.exchange(access, also: other).status == 200)
        #expect(await fixture.exchange(access, as: "other:secret").status == 200)
        #expect(await fixture.refusal(access) == "400 invalid_request")
        let opaque = actor(try await fixture.clientToken("opaque:secret"))
        #expect(await fixture.refusal(access, also: opaque) == "400 invalid_request")
        #expect(await fixture.refusal(access, as: "other:secret", also: opaque) == "400 invalid_request")
    }

    @Test func everyMemberOfWhoMayActCounts() async throws {
        let (access, _, _) = try await fixture.userToken(user: "dave")
        let (bob, _, _) = try await fixture.userToken(user: "bob")
        #expect(await fixture.exchange(access, also: actor(bob)).status == 200)
        let (elsewhere, _, _) = try await fixture.userToken("other:secret", user: "bob")
        #expect(await fixture.refusal(access, also: actor(elsewhere)) == "400 invalid_request")
    }

    /// What cannot be understood is not met.
    @Test(arguments: ["erin", "frank", "grace"])
    func refusesWhoMayActThatNobodyCanMeet(user: String) async throws {
        let (access, _, _) = try await fixture.userToken(user: user)
        #expect(await fixture.refusal(access, as: "other:secret") == "400 invalid_request")
        let other = actor(try await fixture.clientToken())
        #expect(await fixture.refusal(access, also: other) == "400 invalid_request")
    }

    /// A refresh token holds no claims, and is no way around them.
    @Test func whoMayActCountsForARefreshTokenToo() async throws {
        let (_, refresh, _) = try await fixture.userToken(user: "carol")
        #expect(await fixture.refusal(refresh, ExchangeFixture.refreshToken) == "400 invalid_request")
        let other = actor(try await fixture.clientToken())
        #expect(await fixture.exchange(refresh, ExchangeFixture.refreshToken, also: other).status == 200)
        let identity = await fixture.provider.password("carol")
        #expect(
            await fixture.refusal(try identity.text("id_token"), ExchangeFixture.idToken) == "400 invalid_request")
    }
}

import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// A second, independent session under the same login: what a web view inside an app is given.
@Suite struct SecondSessionTests {
    let fixture: ExchangeFixture

    init() async throws { fixture = try await ExchangeFixture() }

    private static let wish = [("requested_token_type", ExchangeFixture.refreshToken)]

    private func second(
        of token: String, _ type: String = ExchangeFixture.refreshToken, as client: String = "app",
        also: [(String, String)] = []
    ) async -> Answer {
        await fixture.exchange(token, type, as: client, also: Self.wish + also)
    }

    /// RFC 8693 section 2.2.1: what was asked for is in `access_token`, and is used for no access.
    @Test(arguments: [true, false])
    func isARefreshTokenOfItsOwn(byAccessToken: Bool) async throws {
        let (access, refresh, family) = try await fixture.userToken("app")
        let answer =
            byAccessToken ? await second(of: access, ExchangeFixture.accessToken) : await second(of: refresh)
        #expect(answer.json?["token_type"] == "N_A")
        #expect(answer.json?["issued_token_type"]?.string == ExchangeFixture.refreshToken)
        #expect(answer.json?["expires_in"] == 3600)
        let token = try answer.text("access_token")
        let read = try #require(fixture.provider.context.refreshTokens.read(token))
        #expect(read.family != family.id)
        #expect(read.node == 1)
        let refreshed = await fixture.provider.refresh(token, as: "app")
        #expect(try await fixture.provider.claims(try refreshed.text("access_token")).subject == "alice")
        #expect(refreshed.json?["id_token"] != nil)
    }

    /// Rotating or ending the one does nothing to the other, in both directions: the race that two clients of one session
    /// lose is not there.
    @Test func theTwoDoNotMeet() async throws {
        let (_, first, firstFamily) = try await fixture.userToken("app")
        let second = try await second(of: first).text("access_token")
        let next = try await fixture.provider.refresh(second, as: "app").text("refresh_token")
        #expect(await fixture.provider.refresh(first, as: "app").status == 200)
        // A replay in the first ends the first alone.
        #expect(await fixture.provider.refresh(first, as: "app").status == 400)
        #expect(try await fixture.provider.context.store.family(firstFamily.id)?.ended != nil)
        #expect(await fixture.provider.refresh(next, as: "app").status == 200)
    }

    @Test func aReplayInTheSecondLeavesTheFirst() async throws {
        let (_, first, _) = try await fixture.userToken("app")
        let second = try await second(of: first).text("access_token")
        #expect(await fixture.provider.refresh(second, as: "app").status == 200)
        #expect(await fixture.provider.refresh(second, as: "app").status == 400)
        #expect(await fixture.provider.refresh(first, as: "app").status == 200)
    }

    @Test func theEndOfTheLoginEndsBoth() async throws {
        let login = try await fixture.provider.login()
        let (_, first, _) = try await fixture.userToken("app", login: login)
        let second = try await second(of: first).text("access_token")
        let access = await fixture.provider.refresh(second, as: "app")
        let now = fixture.provider.now
        _ = try await fixture.provider.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await fixture.provider.refresh(first, as: "app").status == 400)
        #expect(await fixture.provider.refresh(try access.text("refresh_token"), as: "app").status == 400)
        #expect(try await !fixture.provider.isActive(try access.text("access_token")))
    }

    /// Neither outlives what the user authorised.
    @Test func endsWhenTheFirstWouldHave() async throws {
        let (_, first, _) = try await fixture.userToken("app")
        fixture.provider.clock.advance(by: .seconds(3000))
        let answer = await second(of: first)
        #expect(answer.json?["expires_in"] == 600)
        let second = try answer.text("access_token")
        fixture.provider.clock.advance(by: .milliseconds(599_999))
        let late = try await fixture.provider.refresh(second, as: "app").text("refresh_token")
        fixture.provider.clock.advance(by: .milliseconds(1))
        #expect(await fixture.provider.refresh(late, as: "app").status == 400)
    }

    @Test func isNeverWider() async throws {
        let (_, first, _) = try await fixture.userToken("app")
        let narrow = await second(of: first, also: [("scope", "read")])
        #expect(narrow.json?["scope"] == "read")
        let token = try narrow.text("access_token")
        #expect(
            GrantsProvider.summary(await fixture.provider.refresh(token, as: "app", also: [("scope", "write")]))
                == "400 invalid_scope")
    }

    /// Whoever merely holds a token must not turn it into something that lasts longer.
    @Test func refusesAClientThatTheUserDidNotAuthorise() async throws {
        let (access, _, _) = try await fixture.userToken("app")
        let wish = Self.wish
        #expect(await fixture.refusal(access, as: "service:secret", also: wish) == "400 invalid_request")
        let exchanged = try await fixture.exchange(access, as: "service:secret").text("access_token")
        #expect(await fixture.refusal(exchanged, as: "service:secret", also: wish) == "400 invalid_request")
        let identity = try await fixture.provider.password().text("id_token")
        #expect(await fixture.refusal(identity, ExchangeFixture.idToken, also: wish) == "400 invalid_request")
    }

    @Test func refusesAClientThatMayNotRefresh() async throws {
        let fixture = try await ExchangeFixture(clients: [
            try GrantsProvider.client("plain") { $0.grants = [GrantsProvider.exchangeGrant, "password"] },
            try GrantsProvider.client("asking") { $0.refreshTokens = .whenAskedFor },
        ])
        let access = try await fixture.provider.password(as: "plain:secret").text("access_token")
        #expect(await fixture.refusal(access, as: "plain:secret", also: Self.wish) == "400 unauthorized_client")
        let (_, refresh, _) = try await fixture.userToken("asking:secret", scope: "read offline_access")
        #expect(
            await fixture.refusal(
                refresh, ExchangeFixture.refreshToken, as: "asking:secret", also: Self.wish + [("scope", "read")])
                == "400 invalid_request")
    }

    @Test func refusesAResourceThatWasNotGranted() async throws {
        let (_, refresh) = try await fixture.provider.family(client: "app", resources: ["https://a.example"])
        let refused = await second(of: refresh, also: [("resource", "https://b.example")])
        #expect(GrantsProvider.summary(refused) == "400 invalid_target")
        #expect(await second(of: refresh, also: [("resource", "https://a.example")]).status == 200)
    }
}

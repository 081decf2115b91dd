import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What ends when a login does (OpenID Connect Back-Channel Logout section 2.7).
@Suite struct LoginEndingTests {
    let setup: LogoutSetup

    init() async throws { setup = try await LogoutSetup() }

    @Test func tokensEndWithTheLogin() async throws {
        let first = try await setup.signIn("rp")
        let second = try await setup.signIn("other")
        let refreshed = try await setup.idp.refresh(first.refresh, client: "rp").text("access_token")
        _ = try await setup.logOut(["id_token_hint": second.id])
        for token in [first.access, second.access, refreshed] {
            #expect(try await !setup.idp.isActive(token))
        }
        for (token, client) in [(first.refresh, "rp"), (second.refresh, "other")] {
            let answer = await setup.idp.refresh(token, client: client)
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_grant")
        }
    }

    /// Section 2.7: refresh tokens with `offline_access` normally stay.
    @Test func whatWasGivenForOfflineAccessStays() async throws {
        let tokens = try await setup.signIn("rp", as: "alice", ["scope": "openid offline_access"])
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try await !setup.isSignedIn())
        #expect(setup.outbound.sent.count == 1)
        #expect(try await setup.idp.isActive(tokens.access))
        #expect(await setup.idp.refresh(tokens.refresh, client: "rp").status == 200)
    }

    /// With `offline_access` or without: a code is no authorisation yet.
    @Test(arguments: ["openid", "openid offline_access"])
    func aCodeOfTheLoginIsGoodForNothingAnyMore(scope: String) async throws {
        let tokens = try await setup.signIn("other")
        let code = try await setup.code("rp", as: "alice", ["scope": scope])
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let answer = await setup.idp.redeem(code, ["client_id": "rp"])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_grant")
    }

    @Test func anotherLoginOfTheSameUserGoesOn() async throws {
        let elsewhere = Browser(setup.idp)
        let other = try await setup.signIn("rp", as: "alice", with: elsewhere)
        let tokens = try await setup.signIn("rp", as: "alice")
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try await setup.idp.isActive(other.access))
        #expect(await setup.idp.refresh(other.refresh, client: "rp").status == 200)
        #expect(try await setup.isSignedIn(elsewhere))
    }

    @Test func aCookieThatWasKeptBringsNobodyBack() async throws {
        let tokens = try await setup.signIn()
        let copy = Browser(setup.idp)
        copy.copyCookies(of: setup.browser)
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try await !setup.isSignedIn(copy))
        #expect(try await setup.signIn("rp", as: "alice", with: copy).id != tokens.id)
        #expect(try await !setup.idp.isActive(tokens.access))
    }

    /// As whoever runs the provider ends them.
    @Test func everyLoginOfAUserEndsAtOnce() async throws {
        var tokens: [LogoutSetup.Tokens] = []
        for _ in 0..<3 { tokens.append(try await setup.signIn("rp", as: "alice", with: Browser(setup.idp))) }
        let bob = try await setup.signIn("rp", as: "bob")
        let userID = try #require(setup.idp.context.users[username: "alice"]?.id)
        let sessions = SessionDirectory(context: setup.idp.context)
        try await sessions.endAll { user, _ in user == userID }
        let ended = try await sessions.logins { $0.userID == userID }
        #expect(ended.count == 3)
        #expect(ended.allSatisfy { $0.ended?.reason == .ended })
        #expect(setup.outbound.sent.count == 3)
        for token in tokens { #expect(try await !setup.idp.isActive(token.access)) }
        #expect(try await setup.idp.isActive(bob.access))
        // Whoever was told is not told again.
        try await sessions.endAll { user, _ in user == userID }
        #expect(setup.outbound.sent.count == 3)
    }

    @Test func theFirstReasonStays() async throws {
        let tokens = try await setup.signIn()
        let id = LoginID(try #require(Forged.claims(of: tokens.id)["sid"]?.string))
        let ending = LoginEnding(context: setup.idp.context)
        let issuer = try Issuer(ProviderUnderTest.issuer)
        #expect(try await ending.end([id, id], .ended, as: issuer, at: setup.idp.clock.now()).count == 1)
        #expect(try await ending.end([id], .loggedOut, as: issuer, at: setup.idp.clock.now()).isEmpty)
        #expect(try await setup.idp.context.store.login(id)?.ended?.reason == .ended)
        #expect(try await ending.end([LoginID("nobody")], .ended, as: issuer, at: setup.idp.clock.now()).isEmpty)
        #expect(setup.outbound.sent.count == 1)
    }

    /// As the control API ends it: the clients hear of it, by the name that they know.
    @Test func whoeverRunsTheProviderEndsAsALogoutDoes() async throws {
        let tokens = try await setup.signIn()
        let id = try #require(Forged.claims(of: tokens.id)["sid"]?.string)
        #expect(try await SessionDirectory(context: setup.idp.context).end(id))
        #expect(try await !setup.isSignedIn())
        #expect(try await !setup.idp.isActive(tokens.access))
        let sent = try #require(setup.outbound.sent.first)
        #expect(try await setup.logoutToken(sent, for: "rp").claims["sid"] == .string(id))
        #expect(try await !SessionDirectory(context: setup.idp.context).end("nobody"))
        #expect(setup.outbound.sent.count == 1)
    }
}

import HTTPMessages
import Networking
import OAuth
import Primitives
import SessionClient
import Testing

/// A client of a provider that is not ours, with a clock that a test moves on: the provider's own goes by itself, and is learned.
final class ForeignWorld: Sendable {
    let provider: ForeignProvider
    let group: EventLoopGroup
    let outbound: OutboundClient
    let clock = AdjustableClock(following: SystemWallClock())
    let server: ServerDescription
    let tokens: TokenClient
    let setup: ForeignProvider.Setup

    init(_ setup: ForeignProvider.Setup = ForeignProvider.Setup()) async throws {
        self.setup = setup
        group = try EventLoopGroup(count: 1)
        outbound = try OutboundClient(group: group)
        provider = try await ForeignProvider(setup, outbound: outbound)
        server = try await Discovery(outbound: outbound, clock: clock).describe(try Issuer(provider.issuer))
        tokens = TokenClient(
            server: server, client: ClientIdentity(ForeignProvider.clientID), outbound: outbound, clock: clock)
    }

    deinit { group.shutdown() }

    func manager(_ store: any SessionStore) -> SessionManager {
        var timing = SessionTiming()
        timing.rules = RefreshRules(look: .milliseconds(5), firstBackoff: .milliseconds(10))
        return SessionManager(
            server: TokenSessionServer(tokens), store: store, timing: timing, clock: clock, alarm: group)
    }

    /// The whole way: the provider's own pages in a browser, and the code that comes back over the loopback interface.
    func login() async throws -> CompletedLogin {
        let login = BrowserLogin(tokens, alarm: group, random: SystemRandom())
        return try await login.run(asking: AuthorizationParameters(scope: try Scope(parsing: "openid read"))) {
            [outbound] url in
            let callback = try await self.signInByForms(at: url)
            _ = try await outbound.send(ServerEndpoint(callback).request(.get), body: [])
        }
    }

    /// The same where the redirect URI must be the one that is registered, letter by letter, and no other port will do.
    func loginWithFixedRedirect() async throws -> CompletedLogin {
        let login = try CodeLogin.start(
            for: tokens, returningTo: try RedirectURI("http://127.0.0.1/callback"),
            asking: AuthorizationParameters(scope: try Scope(parsing: "openid")), random: SystemRandom())
        return try await login.finish(callback: try await signInByForms(at: login.url))
    }

    private func signInByForms(at url: String) async throws -> String {
        var browser = FormBrowser(outbound: outbound, clock: clock)
        return try await browser.run(url, user: ForeignProvider.username, password: ForeignProvider.password)
    }

    /// Until the access tokens are over, for the client alone: it asks for new ones.
    func expire() { clock.advance(by: .seconds(setup.lifetime + 1)) }

    /// What a request with the session is answered with.
    func use(_ session: SessionManager) async throws -> Int {
        let request = try #require(server.userinfoEndpoint).request(.get)
        return try await session.send(request, through: outbound).0.status.code
    }

    /// What a request with this very token is answered with.
    func use(_ accessToken: Secret) async throws -> Int {
        var request = try #require(server.userinfoEndpoint).request(.get)
        request.headerFields[.authorization] =
            "Bearer " + accessToken.withBytes { String(decoding: $0, as: UTF8.self) }
        return try await outbound.send(request, body: []).0.status.code
    }

    /// Why somebody is signed out, as the session shows it; `nil`: he is not.
    func reason(_ session: SessionManager) async -> SignOut.Reason? {
        guard case .signedOut(let signOut) = session.state else { return nil }
        return signOut.reason
    }
}

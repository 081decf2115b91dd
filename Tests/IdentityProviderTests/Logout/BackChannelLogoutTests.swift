import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Observability
import Primitives
import Synchronization
import TestSupport
import Testing

/// OpenID Connect Back-Channel Logout 1.0.
@Suite struct BackChannelLogoutTests {
    /// Section 2.4, and section 2.5 for how it is sent.
    @Test func sendsEachClientASignedLogoutToken() async throws {
        let setup = try await LogoutSetup()
        let tokens = try await setup.signIn()
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let sent = try #require(setup.outbound.sent.first)
        #expect(setup.outbound.sent.count == 1)
        #expect(sent.request.method == .post)
        #expect(sent.url == LogoutSetup.backChannel)
        #expect(sent.request.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.request.headerFields[.cacheControl] == "no-store")
        #expect(sent.form.map(\.name) == ["logout_token"])

        let token = try await setup.logoutToken(sent, for: "rp")
        let names = Set(token.claims.members.map(\.0))
        #expect(names == ["iss", "sub", "aud", "iat", "exp", "jti", "events", "sid"], "nonce MUST NOT be there")
        #expect(token.claims.subject == Forged.claims(of: tokens.id)["sub"]?.string)
        #expect(token.claims["sid"] == Forged.claims(of: tokens.id)["sid"])
        #expect(token.claims["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
        #expect(token.claims.issuedAt == setup.idp.clock.now())
        #expect(try #require(token.claims.expires) <= setup.idp.clock.now() + .seconds(120))
    }

    /// A session without a browser ends as others do: its client hears of it, in the name that its ID token has.
    @Test(arguments: [true, false], [true, false])
    func tellsOfASessionThatTheControlAPIMade(bySession: Bool, refreshes: Bool) async throws {
        let setup = try await LogoutSetup()
        let control = ControlUnderTest(setup.idp)
        let made = try await control.json("POST", "/sessions", ["user": "alice", "client": "rp", "scope": "openid"])
        let claims = Forged.claims(of: try #require(made["id_token"]?.string))
        var issuer = ProviderUnderTest.issuer
        if refreshes {
            // By the name that the application knows the provider by, and has its ID tokens from since.
            let refresh = try #require(made["refresh_token"]?.string)
            let answer = await setup.idp.refresh(refresh, of: "rp", at: "idp.example")
            issuer = "http://idp.example"
            #expect(Forged.claims(of: try answer.text("id_token"))["iss"]?.string == issuer)
        }
        let sid = try #require(claims["sid"]?.string)
        let path = bySession ? "/sessions/\(sid)" : "/sessions?user=alice"
        #expect(await control.call("DELETE", path).status == 204)
        let sent = try #require(setup.outbound.sent.first)
        #expect(setup.outbound.sent.count == 1)
        let told = Forged.claims(of: sent.form["logout_token"] ?? "..")
        #expect(told["iss"]?.string == issuer)
        #expect(told["sid"] == claims["sid"] && told["sub"] == claims["sub"])
    }

    /// Without an ID token there is no name that the client would know better.
    @Test func aRefreshWithoutOpenIDChangesNoName() async throws {
        let setup = try await LogoutSetup()
        let tokens = try await setup.signIn("rp", as: "alice", ["scope": "openid profile"])
        let answer = await setup.idp.refresh(tokens.refresh, of: "rp", at: "idp.example", "&scope=profile")
        #expect(answer.status == 200)
        try await expectLogout(of: tokens, in: setup, as: ProviderUnderTest.issuer)
    }

    /// A refresh that is refused changes nothing, the name included, whether it asks for too much or the token is spent.
    @Test(arguments: ["&resource=https://a.example", "&scope=more", ""])
    func aRefreshThatIsRefusedChangesNoName(_ excess: String) async throws {
        let setup = try await LogoutSetup()
        let tokens = try await setup.signIn("rp", as: "alice")
        if excess.isEmpty { #expect(await setup.idp.refresh(tokens.refresh, client: "rp").status == 200) }
        #expect(await setup.idp.refresh(tokens.refresh, of: "rp", at: "evil.example", excess).status == 400)
        try await expectLogout(of: tokens, in: setup, as: ProviderUnderTest.issuer)
    }

    private func expectLogout(of tokens: LogoutSetup.Tokens, in setup: LogoutSetup, as issuer: String) async throws {
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let told = Forged.claims(of: try #require(setup.outbound.sent.first).form["logout_token"] ?? "..")
        #expect(told["iss"]?.string == issuer)
    }

    @Test func signsForAClientAsItsIDTokensAreSigned() async throws {
        let setup = try await LogoutSetup()
        let tokens = try await setup.signIn("symmetric")
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let text = try #require(setup.outbound.sent.first?.form["logout_token"])
        let key = try VerificationKey(JWK(.symmetric(Secret(utf8: LogoutSetup.secret))), algorithm: .hs256)
        let token = try LogoutSetup.policy(for: "symmetric").verify(
            text, keys: VerificationKeySet([key]), at: setup.idp.clock.now())
        #expect(token.claims.subject == Forged.claims(of: tokens.id)["sub"]?.string)
    }

    @Test func namesTheUserAsTheClientKnowsHim() async throws {
        let setup = try await LogoutSetup([
            .underTest("pairwise") { metadata in
                metadata.subjectType = .pairwise
                metadata.backChannelLogoutURI = "https://pairwise.example/"
            }
        ])
        let tokens = try await setup.signIn("pairwise")
        let other = try await setup.signIn("rp")
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let sent = try #require(setup.outbound.sent.first { $0.url == "https://pairwise.example/" })
        let token = try await setup.logoutToken(sent, for: "pairwise")
        #expect(token.claims.subject == Forged.claims(of: tokens.id)["sub"]?.string)
        #expect(token.claims.subject != Forged.claims(of: other.id)["sub"]?.string)
    }

    @Test func tellsEveryClientOfTheLoginOnceAndNoOther() async throws {
        let setup = try await LogoutSetup()
        _ = try await setup.signIn("rp")
        _ = try await setup.signIn("rp")
        _ = try await setup.signIn("quiet")
        let tokens = try await setup.signIn("other")
        let elsewhere = Browser(setup.idp)
        _ = try await setup.signIn("symmetric", as: "bob", with: elsewhere)
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(
            Set(setup.outbound.sent.map(\.url)) == [LogoutSetup.backChannel, "https://other.example/backchannel"])
        #expect(setup.outbound.sent.count == 2)
        let identifiers = Set(setup.outbound.sent.map { Forged.claims(of: $0.form["logout_token"] ?? "..")["jti"] })
        #expect(identifiers.count == 2)
    }

    /// What one client makes of it is not the others' business, nor the user's.
    @Test func bearsClientsThatDoNotTakeIt() async throws {
        let clients = try ["ok", "empty", "refuses", "redirects", "fails", "gone", "app"].map { name in
            try Client.underTest(name) { metadata in
                metadata.backChannelLogoutURI = name == "app" ? "com.example.app:/logout" : "https://\(name).example/"
            }
        }
        let outbound = RecordedRequests { (request) async throws(OutboundFailure) in
            switch request.authority {
            case "empty.example": HTTPResponse(status: .noContent)
            case "refuses.example": HTTPResponse(status: .badRequest)
            case "redirects.example": HTTPResponse(status: .found, headerFields: [.location: "https://ok.example/"])
            case "fails.example": HTTPResponse(status: .internalServerError)
            case "gone.example": throw .unreachable
            default: HTTPResponse(status: .ok)
            }
        }
        let setup = try await LogoutSetup(clients, outbound: outbound)
        var tokens: LogoutSetup.Tokens?
        for client in clients { tokens = try await setup.signIn(client.id) }
        let hint = try #require(tokens?.id)
        #expect(try await setup.logOut(["id_token_hint": hint]).saysSignedOut)
        #expect(outbound.sent.count == 6, "each once, and what is no web address not at all")
        let metrics = setup.idp.metrics.prometheusText()
        for line in [
            #"pawl_logout_announcements_total{outcome="delivered"} 2"#,
            #"pawl_logout_announcements_total{outcome="refused"} 3"#,
            #"pawl_logout_announcements_total{outcome="failed"} 2"#,
        ] {
            #expect(metrics.contains(line), "\(line)")
        }
        let log = setup.idp.log.lines.joined()
        #expect(log.contains("status 302"))
        #expect(log.contains("the server cannot be reached"))
        // Neither tokens nor addresses, which may hold secrets, are logged.
        #expect(!log.contains("eyJ"))
        #expect(!log.contains(".example"))
    }

    /// All at the same time: no answer comes before all requests are there. And no more at once than is said; the user
    /// waits for the first of them alone.
    @Test func tellsManyAtTheSameTimeAndKeepsNobodyWaiting() async throws {
        let count = 40
        let clients = try (0..<count).map { index in
            try Client.underTest("c\(index)") { $0.backChannelLogoutURI = "https://c\(index).example/" }
        }
        let turnstile = Turnstile(waitingFor: 16)
        let outbound = RecordedRequests { (_) async throws(OutboundFailure) in
            await turnstile.pass()
            return HTTPResponse(status: .ok)
        }
        let setup = try await LogoutSetup(clients, outbound: outbound)
        var hint = ""
        for client in clients { hint = try await setup.signIn(client.id).id }
        // The first sixteen let each other pass, and nobody after them until the test does.
        #expect(try await setup.logOut(["id_token_hint": hint]).saysSignedOut)
        #expect(try await !setup.isSignedIn())
        turnstile.open()
        await turnstile.wait(until: count)
        #expect(outbound.sent.count == count)
        #expect(Set(outbound.sent.map(\.url)).count == count)
        #expect(turnstile.mostAtOnce == 16)
    }

    @Test func isSaidByTheNameThatTheClientKnows() async throws {
        let setup = try await LogoutSetup()
        // A browser reaches the provider by one name, the client's server by another.
        let code = try await setup.code()
        let form = FormParameters([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", AuthorizationQuery.redirectURI),
            ("client_id", "rp"), ("code_verifier", AuthorizationQuery.verifier),
        ])
        let answer = await setup.idp.respond(
            .post, "/token", [.contentType: "application/x-www-form-urlencoded"], body: Array(form.encoded.utf8),
            host: "idp:8080")
        let hint = try answer.text("id_token")
        #expect(Forged.claims(of: hint)["iss"]?.string == "http://idp:8080")
        #expect(try await setup.logOut(["id_token_hint": hint]).saysSignedOut)
        #expect(try await !setup.isSignedIn())
        let token = try #require(setup.outbound.sent.first?.form["logout_token"])
        #expect(Forged.claims(of: token)["iss"]?.string == "http://idp:8080")
    }

    @Test func tellsOnceHoweverManySignOutAtOnce() async throws {
        let setup = try await LogoutSetup()
        let tokens = try await setup.signIn()
        let cookies = setup.browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        let path = LogoutSetup.path(["id_token_hint": tokens.id])
        let idp = setup.idp
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { await idp.respond(.get, path, [.cookie: cookies]).status } }
            for await status in group { #expect(status == 200) }
        }
        #expect(setup.outbound.sent.count == 1)
    }

    /// A client that was removed, or that gave its address up, is not told.
    @Test func tellsNobodyWhoHasGone() async throws {
        let setup = try await LogoutSetup()
        _ = try await setup.signIn("rp")
        let tokens = try await setup.signIn("quiet")
        setup.idp.context.clients.remove("rp")
        #expect(try await setup.logOut(["id_token_hint": tokens.id]).saysSignedOut)
        #expect(setup.outbound.sent.isEmpty)
    }
}

extension LogoutSetup {
    static func policy(for client: String) -> JWTPolicy {
        JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([client]), type: .exactly("logout+jwt"),
            requiredClaims: ["exp", "iat", "jti", "events"])
    }

    /// What a client does with what it is sent, that knows the provider by its metadata.
    func logoutToken(_ sent: RecordedRequests.Sent, for client: String) async throws -> VerifiedJWT {
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        return try Self.policy(for: client).verify(
            #require(sent.form["logout_token"]), keys: keys, at: idp.clock.now())
    }
}

/// Lets nobody pass until so many are there, and those who come later not before it is opened.
final class Turnstile: Sendable {
    private struct State {
        var isOpen = false
        var arrived = 0
        var inside = 0
        var mostInside = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var passed = 0
        var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let count: Int
    private let state = Mutex(State())

    init(waitingFor count: Int) { self.count = count }

    var mostAtOnce: Int { state.withLock { $0.mostInside } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.arrived += 1
                state.inside += 1
                state.mostInside = max(state.mostInside, state.inside)
                if state.isOpen { return [continuation] }
                state.held.append(continuation)
                guard state.arrived == count else { return [] }
                defer { state.held = [] }
                return state.held
            }
            for one in released { one.resume() }
        }
        let watcher = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.inside -= 1
            state.passed += 1
            guard let watcher = state.watcher, state.passed >= watcher.count else { return nil }
            state.watcher = nil
            return watcher.continuation
        }
        watcher?.resume()
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for one in held { one.resume() }
    }

    /// Returns when so many have passed.
    func wait(until count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.passed >= count { return true }
                state.watcher = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

extension ProviderUnderTest {
    /// A refresh by a client that knows the provider by another name.
    fileprivate func refresh(_ token: String, of client: String, at host: String, _ more: String = "") async -> Answer {
        await respond(
            .post, "/token", [.contentType: "application/x-www-form-urlencoded"],
            body: Array("grant_type=refresh_token&client_id=\(client)&refresh_token=\(token)\(more)".utf8), host: host)
    }
}

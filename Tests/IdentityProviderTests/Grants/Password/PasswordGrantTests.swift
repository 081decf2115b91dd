import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// RFC 6749 section 4.3.
@Suite struct PasswordGrantTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    private func refusal(
        _ username: String, _ password: String, as client: String = "service:secret",
        also: [(String, String)] = []
    ) async -> String {
        let answer = await provider.token(
            [("grant_type", "password"), ("username", username), ("password", password)] + also, as: client)
        #expect(answer.json?["access_token"] == nil)
        return GrantsProvider.summary(answer)
    }

    @Test func givesEverythingThatAUserAuthorises() async throws {
        let answer = await provider.password()
        #expect(answer.status == 200)
        #expect(try await provider.claims(try answer.text("access_token")).subject == "alice")
        let identity = try await provider.idTokenClaims(try answer.text("id_token"))
        #expect(identity.members["amr"] == ["pwd"])
        #expect(identity.members["auth_time"]?.int64 == provider.now.secondsSinceEpoch)
        #expect(identity.members["sid"] == nil)
        #expect(await provider.refresh(try answer.text("refresh_token")).status == 200)
    }

    @Test(arguments: [
        [("username", "alice")], [("password", "alice")], [("username", ""), ("password", "alice")],
        [("username", "alice"), ("password", "")], [],
    ])
    func refusesARequestWithoutNameOrPassword(parameters: [(String, String)]) async {
        let answer = await provider.token([("grant_type", "password")] + parameters)
        #expect(GrantsProvider.summary(answer) == "400 invalid_request")
    }

    @Test(arguments: [
        ("alice", "bob"), ("alice", "ALICE"), ("alice", "alice "), ("nobody", "nobody"), ("ALICE", "alice"),
        ("alice", "alic"), ("alice", "alicee"), ("\u{212B}lice", "alice"),
    ])
    func refusesAWrongNameOrPassword(username: String, password: String) async {
        #expect(await refusal(username, password) == "400 invalid_grant")
    }

    /// Nobody learns from the answer which users there are.
    @Test func saysTheSameOfAnUnknownUser() async {
        let wrong = await provider.token([("grant_type", "password"), ("username", "alice"), ("password", "x")])
        let unknown = await provider.token([("grant_type", "password"), ("username", "nobody"), ("password", "x")])
        #expect(wrong.body == unknown.body)
        #expect(wrong.status == unknown.status)
    }

    @Test func refusesANameLongerThanAnybodys() async {
        let name = String(repeating: "a", count: User.maximumNameByteCount + 1)
        #expect(await refusal(name, "x") == "400 invalid_grant")
    }

    /// RFC 6749 section 4.3.2: protected against brute force. The right password is not looked at either.
    @Test func stopsWhoeverTriesPasswords() async throws {
        let allowed = provider.context.configuration.signIn.failuresAllowed
        for _ in 0..<allowed { #expect(await refusal("alice", "wrong") == "400 invalid_grant") }
        #expect(await refusal("alice", "alice") == "429 invalid_grant")
        #expect(await provider.password("bob").status == 200)
        provider.clock.advance(by: provider.context.configuration.signIn.failureWindow - .milliseconds(1))
        #expect(await refusal("alice", "alice") == "429 invalid_grant")
        provider.clock.advance(by: .milliseconds(1))
        #expect(await provider.password("alice").status == 200)
    }

    /// A page of somebody else's reads no answer, and its wrong passwords keep no user out, here or at the login page.
    @Test func aPageOfAnotherSiteKeepsNobodyOut() async throws {
        let evil: HTTPFields = [.origin: "https://evil.example"]
        let form = "grant_type=password&username=alice&password="
        for _ in 0..<provider.context.configuration.signIn.failuresAllowed {
            #expect(await provider.idp.token(form + "x", basic: "service:secret", also: evil).status == 400)
        }
        #expect(await provider.idp.token(form + "alice", basic: "service:secret", also: evil).status == 429)
        #expect(await provider.password("alice").status == 200)
        // And what the user gets right is no second chance for the page.
        #expect(await provider.idp.token(form + "alice", basic: "service:secret", also: evil).status == 429)
    }

    /// RFC 6585 section 4; RFC 9110 section 10.2.3: whoever comes back then comes in, and not a moment before.
    @Test func saysHowLongToWait() async throws {
        let policy = provider.context.configuration.signIn
        for _ in 0..<policy.failuresAllowed { _ = await refusal("alice", "wrong") }
        provider.clock.advance(by: .milliseconds(1))
        let answer = await provider.password("alice")
        #expect(answer.status == 429)
        #expect(answer.error == "invalid_grant")
        #expect(answer.field("Retry-After") == String(policy.failureWindow.components.seconds))
        #expect(answer.field("Cache-Control") == "no-store")
        let wrong = await provider.token([("grant_type", "password"), ("username", "bob"), ("password", "x")])
        #expect(wrong.field("Retry-After") == nil)
    }

    @Test func stopsWhoeverTriesNamesThatNobodyHas() async throws {
        for _ in 0..<provider.context.configuration.signIn.failuresAllowed { _ = await refusal("nobody", "wrong") }
        let answer = await provider.token([("grant_type", "password"), ("username", "nobody"), ("password", "x")])
        #expect(answer.errorDescription.contains("too many"))
    }

    @Test func aRightPasswordForgetsTheWrongOnes() async throws {
        for _ in 0..<3 {
            for _ in 0..<5 { _ = await refusal("alice", "wrong") }
            #expect(await provider.password("alice").status == 200)
        }
    }

    @Test func refusesAClientThatMayNotUseIt() async {
        #expect(await refusal("alice", "alice", as: "idle:secret") == "400 unauthorized_client")
        #expect(await refusal("alice", "alice", as: "web") == "400 unauthorized_client")
    }

    /// Off unless it is named, for all or for some client; and advertised when it is there.
    @Test func isThereWhenItWasAskedFor() async throws {
        let grants: Set = ["client_credentials"]
        let client = try Client(id: "service", secret: Secret(utf8: "secret"), grants: grants)
        let without = try await ProviderUnderTest(clients: [client], users: StandardUsers.all())
        let answer = await without.token(
            "grant_type=password&username=alice&password=alice", basic: "service:secret")
        #expect(GrantsProvider.summary(answer) == "400 unsupported_grant_type")
        #expect(try await !Self.advertises(without))
        let with = try await ProviderUnderTest(clients: [client], users: StandardUsers.all()) {
            $0.legacy = [.password]
        }
        let refused = await with.token("grant_type=password&username=alice&password=alice", basic: "service:secret")
        #expect(GrantsProvider.summary(refused) == "400 unauthorized_client")
        #expect(try await Self.advertises(with))
        #expect(try await Self.advertises(provider.idp))
    }

    private static func advertises(_ idp: ProviderUnderTest) async throws -> Bool {
        let document = await idp.get("/.well-known/openid-configuration").json
        return try #require(document?["grant_types_supported"]?.array).contains("password")
    }

    @Test func whereAnybodyIsTakenSoIsHe() async throws {
        let open = try await GrantsProvider { $0.allowances = [.anyUser] }
        let answer = await open.password("somebody")
        #expect(try await open.claims(try answer.text("access_token")).subject == "somebody")
        #expect(open.context.users[username: "somebody"] != nil)
        let known = await open.token([("grant_type", "password"), ("username", "alice"), ("password", "wrong")])
        #expect(known.status == 200)
    }

    @Test func theLogHoldsNoPassword() async throws {
        _ = await refusal("alice", "hunter2-hunter2")
        #expect(!provider.idp.log.lines.contains { $0.contains("hunter2") })
    }
}

import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ReconfigurationTests {
    private func clients(_ credentials: String...) throws -> [Client] {
        try credentials.map { text in
            let parts = text.split(separator: ":")
            return try Client(id: String(parts[0]), secret: Secret(parts[1].utf8), grants: ["client_credentials"])
        }
    }

    /// `name:id`
    private func users(_ names: String...) throws -> [User] {
        try names.map { text in
            let parts = text.split(separator: ":")
            return try User(username: String(parts[0]), id: String(parts[1]))
        }
    }

    private func algorithm(of token: String) throws -> String? {
        let header = try Base64URL.decode(String(token.prefix { $0 != "." }))
        return try JSON(parsing: header.span)["alg"]?.string
    }

    private func status(_ idp: ProviderUnderTest, _ basic: String) async -> Int {
        await idp.token("grant_type=client_credentials", basic: basic).status
    }

    @Test func clientsComeGoAndChange() async throws {
        let idp = try await ProviderUnderTest(clients: clients("stays:old", "goes:secret"))
        var configuration = idp.context.configuration
        configuration.clients = try clients("stays:new", "comes:secret")
        try await idp.context.reconfigure(to: configuration)
        #expect(await status(idp, "stays:new") == 200)
        #expect(await status(idp, "stays:old") == 401)
        #expect(await status(idp, "goes:secret") == 401)
        #expect(await status(idp, "comes:secret") == 200)
    }

    @Test func whoCameOtherwiseStays() async throws {
        let idp = try await ProviderUnderTest(clients: clients("a:secret"), users: users("u:u"))
        try idp.context.clients.add(clients("registered:secret")[0])
        try idp.context.users.add(users("visitor:visitor")[0])
        var configuration = idp.context.configuration
        configuration.clients = []
        configuration.users = []
        try await idp.context.reconfigure(to: configuration)
        #expect(idp.context.clients.clients.map(\.id) == ["registered"])
        #expect(idp.context.users.users.map(\.username) == ["visitor"])
    }

    @Test func usersMayTakeNamesFromOneAnother() async throws {
        let idp = try await ProviderUnderTest(users: users("x:1", "y:2"))
        var configuration = idp.context.configuration
        configuration.users = try users("y:1", "x:2")
        try await idp.context.reconfigure(to: configuration)
        #expect(idp.context.users[username: "y"]?.id == "1")
        #expect(idp.context.users[username: "x"]?.id == "2")
    }

    /// Who is taken out of the file and put back into it does not get back what was his, be it a user or a client.
    @Test(arguments: ["user", "client"]) func whoComesBackFindsNothingAlive(who: String) async throws {
        let idp = try await Self.withSession()
        let (session, other) = (try await session(idp, "a", "1"), try await session(idp, "b", "2"))
        let scope = try Scope(parsing: "read")
        for (user, client) in [("1", "a"), ("2", "b")] {
            try await idp.context.store.rememberConsent(scope, of: scope, by: user, to: client, for: [])
        }
        let whole = idp.context.configuration
        var less = whole
        if who == "user" { less.users.removeAll { $0.id == "1" } } else { less.clients.removeAll { $0.id == "a" } }
        try await idp.context.reconfigure(to: less)
        try await idp.context.reconfigure(to: whole)
        #expect(try await session.refresh().error == "invalid_grant")
        #expect(try await idp.context.store.consent(of: "1", to: "a", for: []) == nil)
        // The others are not concerned.
        #expect(try await other.refresh().status == 200)
        #expect(try await idp.context.store.consent(of: "2", to: "b", for: []) == scope)
    }

    /// A name that passes from one to another takes nothing from either: a user is his subject.
    @Test func whoChangesHisNameKeepsWhatIsHis() async throws {
        let idp = try await Self.withSession()
        let session = try await session(idp, "a", "1")
        var configuration = idp.context.configuration
        configuration.users = try users("y:1", "x:2")
        let stays = ["1", "2"].map { idp.context.users.stay(of: $0) }
        try await idp.context.reconfigure(to: configuration)
        #expect(try await session.refresh().status == 200)
        #expect(["1", "2"].map { idp.context.users.stay(of: $0) } == stays)
        #expect(idp.context.users[username: "x"]?.id == "2")
        #expect(idp.context.users[username: "y"]?.id == "1")
    }

    /// A name that somebody outside the file has is the file's.
    @Test func whoeverElseHasANameOfTheFileGoes() async throws {
        let idp = try await ProviderUnderTest(users: users("x:1"))
        try idp.context.users.add(users("y:visitor")[0])
        var configuration = idp.context.configuration
        configuration.users = try users("y:1", "x:3")
        try await idp.context.reconfigure(to: configuration)
        #expect(idp.context.users.users.map { "\($0.username):\($0.id)" } == ["y:1", "x:3"])
        #expect(idp.context.users[id: "visitor"] == nil)
    }

    /// What fails after somebody has gone does not keep what was his.
    @Test func whoHasGoneIsForgottenAlsoWhenTheRestFails() async throws {
        let idp = try await Self.withSession()
        let session = try await session(idp, "a", "1")
        for index in 0..<(ClientRegistry.maximumCount - 2) {
            try idp.context.clients.add(Client(id: "c\(index)", secret: nil, metadata: ClientMetadata()))
        }
        var configuration = idp.context.configuration
        configuration.clients = try clients("c:secret", "b:secret", "d:secret")
        await #expect(throws: ProviderConfigurationError.self) {
            try await idp.context.reconfigure(to: configuration)
        }
        #expect(idp.context.clients["a"] == nil)
        let family = try #require(idp.context.refreshTokens.read(session.token)?.0)
        #expect(try await idp.context.store.family(family)?.ended != nil)
    }

    private static func withSession() async throws -> ProviderUnderTest {
        try await ProviderUnderTest(
            clients: ["a", "b"].map {
                try Client(id: $0, secret: Secret(utf8: "secret"), grants: ["refresh_token"])
            }, users: [User(username: "x", id: "1"), User(username: "y", id: "2")])
    }

    private func session(_ idp: ProviderUnderTest, _ client: String, _ user: String) async throws -> UserSession {
        try await UserSession(of: idp, client: client, user: user, scope: Scope(parsing: "openid"))
    }

    @Test func policiesHoldFromTheNextRequestOn() async throws {
        let idp = try await ProviderUnderTest()
        var configuration = idp.context.configuration
        configuration.accessTokens.lifetime = .seconds(7)
        try await idp.context.reconfigure(to: configuration)
        #expect(await idp.token("grant_type=client_credentials", basic: "service:secret").json?["expires_in"] == 7)
    }

    @Test func aKeyIsThereForANewAlgorithm() async throws {
        let idp = try await ProviderUnderTest()
        var configuration = idp.context.configuration
        configuration.accessTokens.algorithm = .edDSA
        try await idp.context.reconfigure(to: configuration)
        #expect(try await algorithm(of: idp.accessToken()) == "EdDSA")
    }

    @Test func theIssuerStaysAsItWas() async throws {
        let idp = try await ProviderUnderTest()
        let other = try Issuer("https://other.example")
        var configuration = idp.context.configuration
        configuration.issuer = .fixed(other)
        try await idp.context.reconfigure(to: configuration)
        if case .fixed = idp.context.configuration.issuer { Issue.record("the issuer has changed") }
    }

    @Test func aConfigurationThatIsRefusedChangesNothing() async throws {
        let idp = try await ProviderUnderTest(clients: clients("a:secret"))
        var twice = idp.context.configuration
        twice.clients = try clients("b:secret", "b:secret")
        var twiceUser = idp.context.configuration
        twiceUser.clients = []
        twiceUser.users = try users("u:u", "u:u")
        var endless = idp.context.configuration
        endless.clients = []
        endless.accessTokens.lifetime = .zero
        for configuration in [twice, twiceUser, endless] {
            await #expect(throws: ProviderConfigurationError.self) {
                try await idp.context.reconfigure(to: configuration)
            }
            #expect(idp.context.clients.clients.map(\.id) == ["a"])
        }
    }

    /// What was read last counts, and nothing that happened since.
    @Test(arguments: ["", "/t/one"]) func aResetGoesBackToWhatWasReadLast(tenant: String) async throws {
        let idp = try await ProviderUnderTest(clients: clients("old:secret"), users: users("old:old"))
        let context = tenant.isEmpty ? idp.context : try await idp.provider.tenant(#require(TenantName("one"))).context
        var configuration = context.configuration
        configuration.clients = try clients("new:secret")
        configuration.users = try users("new:new")
        configuration.rotation = .reuse
        configuration.accessTokens.lifetime = .seconds(77)
        try await context.reconfigure(to: configuration)
        try context.configure { $0.accessTokens.lifetime = .seconds(5) }
        try context.clients.add(clients("visitor:secret")[0])
        #expect(await idp.respond(.post, "\(tenant)/_pawl/reset").status == 204)
        #expect(context.clients.clients.map(\.id) == ["new"])
        #expect(context.users.users.map(\.username) == ["new"])
        #expect(context.configuration.rotation == .reuse)
        #expect(context.configuration.accessTokens.lifetime == .seconds(77))
        let form = "grant_type=client_credentials"
        #expect(await idp.token(form, basic: "new:secret", path: tenant + "/token").json?["expires_in"] == 77)
        #expect(await idp.token(form, basic: "old:secret", path: tenant + "/token").status == 401)
    }

    /// What was refused was not read.
    @Test func aResetDoesNotGoBackToWhatWasRefused() async throws {
        let idp = try await ProviderUnderTest(clients: clients("a:secret"))
        var configuration = idp.context.configuration
        configuration.rotation = .reuse
        configuration.clients = try clients("b:secret", "b:secret")
        await #expect(throws: ProviderConfigurationError.clientGivenTwice("b")) {
            try await idp.context.reconfigure(to: configuration)
        }
        try await idp.provider.root.reset()
        #expect(idp.context.configuration.rotation == .strict)
        #expect(idp.context.clients.clients.map(\.id) == ["a"])
    }

    /// Settings that were changed while it ran are no configuration.
    @Test func aResetForgetsSettingsThatWereChanged() async throws {
        let idp = try await ProviderUnderTest()
        try idp.context.configure { $0.rotation = .reuse }
        try await idp.provider.root.reset()
        #expect(idp.context.configuration.rotation == .strict)
    }
}

import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ConfigurationReadingTests {
    private func root(_ text: String) throws -> ProviderConfiguration {
        try ConfigurationUnderTest.settings(text).root
    }

    @Test(arguments: ConfigurationUnderTest.examples) func theExamplesAreInOrder(name: String) throws {
        let lines = try ConfigurationUnderTest.errors(ConfigurationUnderTest.example(name))
        #expect(lines.isEmpty)
    }

    @Test func whatAFileDoesNotSayStays() throws {
        let root = try root("{}")
        #expect(root.users.map(\.username) == ["alice", "bob", "minji", "haruto"])
        #expect(root.clients.map(\.id) == ["web", "native", "service"])
        #expect(root.accessTokens.lifetime == .seconds(300))
        let partly = try self.root(#"{"lifetimes":{"login":"1h"},"sign_in":{"page":"form"}}"#)
        #expect(partly.lifetimes.login == .seconds(3600))
        #expect(partly.lifetimes.authorizationCode == .seconds(60))
        #expect(partly.signIn.page == .form)
        #expect(partly.signIn.failuresAllowed == 10)
    }

    @Test func everyMemberOfTheRootArrives() throws {
        let root = try ConfigurationUnderTest.settings(ConfigurationUnderTest.example("complete")).root
        if case .fixed(let issuer) = root.issuer {
            #expect(issuer.identifier == "https://id.example/base")
        } else {
            Issue.record("the issuer is not there")
        }
        #expect(root.accessTokens.algorithm == .ps256)
        #expect(root.accessTokens.lifetime == .seconds(90))
        #expect(root.accessTokens.audience == .fixed(["https://api.example", "https://files.example"]))
        #expect(root.accessTokens.format == .opaque)
        #expect(root.idTokens.algorithm == .rs256)
        #expect(root.idTokens.lifetime == .seconds(120))
        #expect(root.idTokens.userClaims == .withoutAccessToken)
        let lifetimes = root.lifetimes
        #expect(lifetimes.authorizationCode == .seconds(30))
        #expect(lifetimes.refreshTokens == .seconds(7 * 86_400))
        #expect(lifetimes.login == .seconds(8 * 3600))
        #expect(lifetimes.interaction == .seconds(300))
        #expect(lifetimes.pushedRequest == .seconds(60))
        #expect(lifetimes.deviceCode == .seconds(900))
        #expect(lifetimes.assertion == .seconds(90))
        #expect(root.rotation == .reuse)
        #expect(
            root.crossOrigin
                == .listed(Set(["https://app.example", "http://localhost:3000"].compactMap(WebOrigin.init))))
        #expect(root.allowances == [.anyClient, .anyUser, .automaticLogin])
        #expect(root.legacy == Set(LegacyFeature.allCases))
        #expect(root.signIn.page == .form)
        #expect(root.signIn.failuresAllowed == 5)
        #expect(root.signIn.failureWindow == .seconds(120))
        if case .token(let token) = root.registration {
            #expect(token.matches(Secret(utf8: "env-REGISTRATION_TOKEN-of-the-test")))
        } else {
            Issue.record("the token is not there")
        }
        #expect(root.proofs.leeway == .seconds(30))
        #expect(root.proofs.nonce == .required)
        #expect(root.proofs.nonceLifetime == .seconds(60))
        #expect(root.pairwiseSalt == Secret(utf8: "file:backend.secret"))
        #expect(root.contextClasses == ["urn:example:password", "urn:example:two-factors"])
        #expect(!root.claimRules.isEmpty)
        #expect(lifetimes.devicePollInterval == .seconds(2))
        #expect(root.requiresPushedRequests)
        #expect(root.accessTokenRevocation == .family)
        #expect(root.trustedIssuers.map(\.identifier) == ["https://issuer.example"])
        #expect(root.recordedRequests == 10)
        if case .secret(let secret) = root.control {
            #expect(secret.matches(Secret(utf8: "env-CONTROL_SECRET-of-the-test")))
        } else {
            Issue.record("the secret is not there")
        }
        #expect(root.metadataOverrides == ["service_documentation": "https://id.example/docs", "op_policy_uri": .null])
    }

    @Test func usersAndClientsArrive() throws {
        let root = try ConfigurationUnderTest.settings(ConfigurationUnderTest.example("complete")).root
        #expect(root.users.map(\.username) == ["carol", "alice", "bob", "minji", "haruto"])
        let carol = root.users[0]
        #expect(carol.id == "c-1")
        #expect(carol.password?.matches(Secret(utf8: "env-CAROLS_PASSWORD-of-the-test")) == true)
        #expect(carol.claims["address"]?["country"]?.string == "EX")
        #expect(root.clients.count == 13)
        #expect(root.clients.suffix(3).map(\.id) == ["web", "native", "service"])
        let metadata = root.clients[0].metadata
        #expect(metadata.name == "Everything")
        #expect(metadata.accessTokenLifetime == .seconds(5))
        #expect(metadata.idTokenLifetime == .seconds(60))
        #expect(metadata.consent == .remembered)
        #expect(metadata.grants.contains("password"))
        #expect(root.clients[8].secret?.matches(Secret(utf8: "file:backend.secret")) == true)
    }

    @Test(arguments: [
        (#""standard_clients":true"#, ["web", "native", "service"]), (#""standard_clients":false"#, []),
        (#""clients":[]"#, []), (#""clients":[],"standard_clients":true"#, ["web", "native", "service"]),
        (
            #""clients":[{"client_id":"web","client_secret":"x","grant_types":[]}],"standard_clients":true"#,
            ["web", "native", "service"]
        ),
        (#""clients":[{"client_id":"a","client_secret":"x","grant_types":[]}],"standard_clients":false"#, ["a"]),
    ])
    func standardClientsAreThereAsTold(members: String, identifiers: [String]) throws {
        let root = try root("{\(members)}")
        #expect(root.clients.map(\.id) == identifiers)
        // A client of the file is never replaced by the standard one of its name.
        #expect(!members.contains(#""client_id":"web""#) || root.clients[0].secret != nil)
    }

    @Test(arguments: [
        (#""standard_users":false"#, []), (#""users":[]"#, []),
        (#""users":[{"username":"bob"}],"standard_users":true"#, ["bob", "alice", "minji", "haruto"]),
        (#""users":[{"username":"x","id":"bob"}],"standard_users":true"#, ["x", "alice", "minji", "haruto"]),
    ])
    func standardUsersAreThereAsTold(members: String, usernames: [String]) throws {
        #expect(try root("{\(members)}").users.map(\.username) == usernames)
    }

    @Test(
        arguments: [
            (#""90s""#, 90), ("90", 90), (#""1h30m""#, 5400), (#""2d""#, 172_800), ("1", 1),
            ("3155760000", 3_155_760_000),
        ] as [(String, Int64)])
    func durationsAreTextsOrSeconds(text: String, seconds: Int64) throws {
        #expect(try root(#"{"access_tokens":{"lifetime":\#(text)}}"#).accessTokens.lifetime == .seconds(seconds))
    }

    @Test func idTokensFollowTheAlgorithmOfAccessTokensUnlessTheySayTheirs() throws {
        #expect(try root(#"{"access_tokens":{"alg":"ES256"}}"#).idTokens.algorithm == .es256)
        let both = try root(#"{"access_tokens":{"alg":"ES256"},"id_tokens":{"alg":"PS256"}}"#)
        #expect(both.idTokens.algorithm == .ps256)
        #expect(both.accessTokens.algorithm == .es256)
    }

    @Test func aTenantIsAsTheRootButForWhatItSays() throws {
        let settings = try ConfigurationUnderTest.settings(
            """
            {"rotation":"reuse","lifetimes":{"login":"1h","interaction":"1m"},"users":[{"username":"u"}],
             "legacy":["password"],
             "tenants":{"a":{"lifetimes":{"login":"2h"}},
                        "b":{"rotation":"strict","users":[{"username":"v"}],"standard_clients":false}}}
            """)
        let (a, b) = try (tenant("a", of: settings), tenant("b", of: settings))
        #expect(a.lifetimes.login == .seconds(7200))
        #expect(a.lifetimes.interaction == .seconds(60))
        #expect(a.rotation == .reuse)
        #expect(a.users.map(\.username) == ["u"])
        #expect(a.clients.count == 3)
        #expect(b.rotation == .strict)
        #expect(b.users.map(\.username) == ["v"])
        #expect(b.clients.isEmpty)
        #expect(b.legacy == [.password])
        // One that the file does not name.
        #expect(try tenant("c", of: settings).lifetimes.login == .seconds(3600))
    }

    @Test func aClientMayHaveRulesOfItsOwnForRefreshTokens() throws {
        let settings = try ConfigurationUnderTest.settings(
            """
            {"rotation":"okta,window=5s","clients":[
               {"client_id":"a","grant_types":["refresh_token"],"rotation":"supabase"},
               {"client_id":"b","grant_types":["refresh_token"]}],
             "tenants":{"t":{"rotation":"oidc-provider,idle=1h"}}}
            """)
        let clients = settings.root.clients
        #expect(settings.root.rotation.text == "okta,window=5s")
        #expect(clients.first { $0.id == "a" }?.metadata.rotation == .supabase)
        #expect(clients.first { $0.id == "b" }?.metadata.rotation == nil)
        #expect(try tenant("t", of: settings).rotation.idleLifetime == .seconds(3600))
    }

    private func tenant(_ name: String, of settings: ProviderSettings) throws -> ProviderConfiguration {
        settings.configuration(of: try #require(TenantName(name)))
    }

    @Test func theLongestLifetimeIsThatOfWhoeverHasIt() throws {
        func longest(_ text: String) throws -> Duration {
            try ConfigurationUnderTest.settings(text).longestTokenLifetime
        }
        #expect(try longest("{}") == .seconds(300))
        #expect(try longest(#"{"id_tokens":{"lifetime":"1h"}}"#) == .seconds(3600))
        let client = #"{"client_id":"a","client_secret":"x","grant_types":[],"id_token_lifetime":"2h"}"#
        #expect(try longest(#"{"clients":[\#(client)]}"#) == .seconds(7200))
        #expect(try longest(#"{"tenants":{"t":{"clients":[\#(client)]}}}"#) == .seconds(7200))
    }

    @Test func adjustmentsCountMoreThanTheFile() throws {
        var reader = ConfigurationReader(resolvingSecrets: ConfigurationUnderTest.resolver)
        reader.adjustPolicies = { configuration, _ in configuration.legacy = [.password] }
        reader.adjustPeople = { configuration, document in
            if document.contains("clients") { configuration.users = [] }
        }
        // The grant may be there only because the adjustment comes first.
        let text = """
            {"legacy":[],"clients":[{"client_id":"a","client_secret":"x","grant_types":["password"]}],"tenants":{"t":{}}}
            """
        let settings = try reader.read(Array(text.utf8), over: ConfigurationUnderTest.base())
        #expect(settings.root.clients[0].mayUse("password"))
        #expect(settings.root.users.isEmpty)
        #expect(try tenant("t", of: settings).users.isEmpty)
    }

    /// What is printed is a file that says the same again.
    @Test(arguments: ["first", "standard-and-more", "claims", "tenants", "legacy"])
    func whatIsPrintedCanBeRead(name: String) throws {
        let settings = try ConfigurationUnderTest.settings(ConfigurationUnderTest.example(name))
        let printed = JSON.object(settings.json)
        let again = try ConfigurationUnderTest.settings(printed.serialised())
        #expect(JSON.object(again.json) == printed)
    }

    @Test func whatIsPrintedHoldsNoSecret() throws {
        let text = JSON.object(
            try ConfigurationUnderTest.settings(ConfigurationUnderTest.example("complete")).json
        ).text()
        for secret in ["env-", "file:", "a-secret-of"] { #expect(!text.contains(secret)) }
        #expect(text.contains("<redacted>"))
    }

    @Test func aTenantSaysTheAlgorithmOfItsIDTokensOrFollows() throws {
        let settings = try ConfigurationUnderTest.settings(
            """
            {"access_tokens":{"alg":"ES256"},
             "tenants":{"a":{"access_tokens":{"alg":"PS256"}},"b":{"id_tokens":{"alg":"EdDSA"}}}}
            """)
        let algorithms = try ["a", "b", "c"].map { settings.configuration(of: try #require(TenantName($0))).idTokens }
        #expect(algorithms.map(\.algorithm) == [.ps256, .edDSA, .es256])
        #expect(algorithms.map(\.ownAlgorithm) == [nil, .edDSA, nil])
    }
}

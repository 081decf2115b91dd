import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Observability
import Primitives
import Testing

@Suite struct ConfigurationTests {
    @Test(arguments: [
        Duration.zero, .seconds(-1), .milliseconds(999), .milliseconds(1500), .seconds(3_155_760_001),
    ])
    func refusesALifetimeThatIsNone(lifetime: Duration) async {
        await #expect(throws: ProviderConfigurationError.badTokenLifetime) {
            try await ProviderUnderTest(lifetime: lifetime)
        }
    }

    @Test(arguments: [[], [""], ["https://api.example", ""]])
    func refusesAnEmptyAudience(audiences: [String]) async {
        await #expect(throws: ProviderConfigurationError.noAudience) {
            try await ProviderUnderTest(audience: .fixed(audiences))
        }
    }

    @Test(arguments: ["", "a\n", "é", "a\u{7F}"]) func refusesAClientIdentifierThatIsNone(id: String) {
        #expect(throws: ProviderConfigurationError.badClientID) {
            try Client(id: id, secret: Secret(utf8: "secret"), grants: [])
        }
    }

    @Test(arguments: ["", "a\n", "é", "a\u{0}"]) func refusesASecretThatIsNone(secret: String) {
        #expect(throws: ProviderConfigurationError.badClientSecret(client: "a")) {
            try Client(id: "a", secret: Secret(utf8: secret), grants: [])
        }
    }

    @Test func refusesADefaultScopeThatTheClientMayNotHave() {
        #expect(throws: ProviderConfigurationError.defaultScopeNotAllowed(client: "a")) {
            try Client(
                id: "a", secret: Secret(utf8: "b"), grants: [], scopes: .listed(Scope(parsing: "read")),
                defaultScope: Scope(parsing: "write"))
        }
    }

    @Test func refusesTwoClientsOfOneName() throws {
        let client = try Client(id: "a", secret: Secret(utf8: "b"), grants: [])
        #expect(throws: ProviderConfigurationError.clientGivenTwice("a")) { try ClientRegistry([client, client]) }
    }

    @Test func refusesAnAlgorithmWithoutKey() async throws {
        let idp = try await ProviderUnderTest()
        await #expect(throws: ProviderConfigurationError.noKey(.edDSA)) {
            try await IdentityProvider(
                configuration: ProviderConfiguration(
                    clients: StandardClients.all(), accessTokens: AccessTokenPolicy(algorithm: .edDSA)),
                environment: ProviderEnvironment(
                    clock: idp.clock, random: SystemRandom(),
                    keySupply: ImmediateKeySupply(policy: idp.keyRing.policy)),
                keyRing: idp.keyRing)
        }
    }

    @Test func printsNoSecretOfAClient() throws {
        let client = try Client(id: "a", secret: Secret(utf8: "hunter2"), grants: [])
        var dumped = ""
        dump(client, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(!"\(client)".contains("hunter2"))
    }
}

import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct DiscoveryTests {
    static let names = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]

    /// ``DiscoveryProofTests`` has the rest.
    @Test(arguments: names) func saysWhereEverythingIs(name: String) async throws {
        let answer = try await ProviderUnderTest().get(name)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.json?["issuer"] == "http://localhost:8080")
        #expect(answer.json?["token_endpoint"] == "http://localhost:8080/token")
        #expect(answer.json?["jwks_uri"] == "http://localhost:8080/jwks.json")
        #expect(answer.json == (try await ProviderUnderTest().get(Self.names[0]).json))
    }

    /// The scopes of OpenID Connect Core sections 3.1.2.1, 5.4 and 11, and those that a configured client may name.
    @Test func scopesOfConfiguredClientsAreAdvertised() async throws {
        let known: JSON = ["openid", "profile", "email", "address", "phone", "offline_access"]
        let listed: JSON = .array((known.array ?? []) + ["read", "write"])
        #expect(try await ProviderUnderTest().get(Self.names[0]).json?["scopes_supported"] == listed)
        let idp = try await ProviderUnderTest(clients: StandardClients.all())
        #expect(await idp.get(Self.names[0]).json?["scopes_supported"] == known)
    }

    @Test func aFixedIssuerStaysWhateverTheHost() async throws {
        let idp = try await ProviderUnderTest(issuer: .fixed(Issuer("https://id.example")))
        for host in ["localhost:8080", "evil.example", "", "a b", nil] {
            let answer = await idp.get(Self.names[0], host: host)
            #expect(answer.json?["issuer"] == "https://id.example")
            #expect(answer.json?["token_endpoint"] == "https://id.example/token")
        }
        let token = try await idp.accessToken()
        let verified = try await idp.verified(token, issuer: "https://id.example", audience: "https://id.example")
        #expect(verified.claims.issuer == "https://id.example")
    }

    /// OpenID Connect Discovery section 4.1 appends, RFC 8414 section 3.1 inserts.
    @Test(arguments: [
        "/t/a/.well-known/openid-configuration", "/.well-known/openid-configuration/t/a",
        "/t/a/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/t/a",
    ])
    func anIssuerWithAPathIsFoundByEitherRule(path: String) async throws {
        let idp = try await ProviderUnderTest(issuer: .fixed(Issuer("https://id.example/t/a")))
        let answer = await idp.get(path)
        #expect(answer.json?["issuer"] == "https://id.example/t/a")
        #expect(answer.json?["jwks_uri"] == "https://id.example/t/a/jwks.json")
        #expect(await idp.get("/t/a/jwks.json").status == 200)
        for elsewhere in ["/jwks.json", "/token", "/.well-known/openid-configuration"] {
            #expect(await idp.get(elsewhere).status == 404)
        }
    }

    @Test(arguments: [
        ("127.0.0.1:9000", false, "http://127.0.0.1:9000"), ("idp", true, "https://idp"),
        ("[::1]:8080", false, "http://[::1]:8080"), ("LOCALHOST:8080", false, "http://localhost:8080"),
    ])
    func theIssuerFollowsTheHost(host: String, isEncrypted: Bool, issuer: String) async throws {
        let idp = try await ProviderUnderTest()
        let answer = await idp.respond(.get, Self.names[0], host: host, isEncrypted: isEncrypted)
        #expect(answer.json?["issuer"]?.string == issuer)
        #expect(answer.json?["token_endpoint"]?.string == issuer + "/token")
    }

    @Test(arguments: [
        "", "a b", "user@host", "host/path", "host?q", "host:port", "<script>", "host:99999", "a,b", "a%41", "host:",
        "host:0",
        "a!b", "[::1]:", "[:::]", "\u{212A}id", nil,
    ])
    func refusesAHostThatIsNone(host: String?) async throws {
        let idp = try await ProviderUnderTest()
        for answer in [
            await idp.get(Self.names[0], host: host),
            await idp.respond(.post, "/token", host: host),
        ] {
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("<script"))
        }
    }

    @Test func oneHostUnderTwoSchemesIsTwoIssuers() async throws {
        let idp = try await ProviderUnderTest()
        for _ in 0..<2 {
            for (isEncrypted, issuer) in [(false, "http://idp:8080"), (true, "https://idp:8080")] {
                let answer = await idp.respond(.get, Self.names[0], host: "idp:8080", isEncrypted: isEncrypted)
                #expect(answer.json?["issuer"]?.string == issuer)
            }
        }
    }

    @Test func manyHostsDoNotMix() async throws {
        let idp = try await ProviderUnderTest()
        for round in 0..<2 {
            for number in 0..<200 {
                let answer = await idp.get(Self.names[round], host: "h\(number).example")
                #expect(answer.json?["issuer"]?.string == "http://h\(number).example")
            }
        }
    }
}

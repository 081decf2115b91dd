import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// What the provider is called where clients are asked for a certificate (RFC 8705 section 5): what it is called elsewhere.
@Suite struct CertificatePortTests {
    private static let discovery = "/.well-known/openid-configuration"
    private static let ordinary = OrdinaryEntrance(port: 8443, isEncrypted: true)
    private static let alias = "https://localhost:8444/token"

    private func idp(
        issuer: IssuerPolicy = .followsHost, entrance: OrdinaryEntrance? = ordinary, clients: [Client]? = nil
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(issuer: issuer, clients: clients) {
            $0.mutualTLSPort = 8444
            $0.ordinaryEntrance = entrance
        }
    }

    private func ask(
        _ idp: ProviderUnderTest, _ method: HTTPRequest.Method = .get, _ path: String = discovery,
        host: String = "localhost:8444", isAsked: Bool = true, body: String = "", basic: String? = nil
    ) async -> Answer {
        var fields: HTTPFields = [:]
        if !body.isEmpty { fields[.contentType] = "application/x-www-form-urlencoded" }
        if let basic { fields[.authorization] = "Basic " + Base64.encode(Array(basic.utf8)) }
        let head = HTTPRequest(
            method: method, scheme: nil, authority: host, path: path, headerFields: fields)
        let peer = ServerRequest.Peer(
            address: "127.0.0.1", isLoopback: true, isEncrypted: true, wasAskedForCertificate: isAsked)
        return Answer(
            await idp.provider.respond(to: ServerRequest(head: head, body: Array(body.utf8), peer: peer, id: "r-1")))
    }

    @Test(arguments: [
        ("localhost:8444", ordinary, "https://localhost:8443"), ("[::1]:8444", ordinary, "https://[::1]:8443"),
        ("idp", ordinary, "https://idp:8443"),
        ("idp:8444", OrdinaryEntrance(port: 443, isEncrypted: true), "https://idp"),
        ("idp:8444", OrdinaryEntrance(port: 80, isEncrypted: false), "http://idp"),
        ("idp:8444", OrdinaryEntrance(port: 8080, isEncrypted: false), "http://idp:8080"),
        ("idp:8444", nil, "https://idp:8444"),
    ])
    func theIssuerIsThatOfTheOrdinaryPort(host: String, entrance: OrdinaryEntrance?, issuer: String) async throws {
        let idp = try await idp(entrance: entrance)
        #expect(await ask(idp, host: host).json?["issuer"]?.string == issuer)
        #expect(await ask(idp, .get, "/t/a" + Self.discovery, host: host).json?["issuer"]?.string == issuer + "/t/a")
        let answer = await ask(
            idp, .post, "/token", host: host, body: "grant_type=client_credentials", basic: "service:secret")
        let payload = try Base64URL.decode(String(answer.text("access_token").split(separator: ".")[1]))
        #expect(try JSON(parsing: payload.span)["iss"]?.string == issuer)
    }

    @Test func otherPortsKeepTheirName() async throws {
        let idp = try await idp()
        for host in ["localhost:8444", "localhost:9000"] {
            #expect(await ask(idp, host: host, isAsked: false).json?["issuer"]?.string == "https://" + host)
        }
    }

    @Test func aFixedIssuerStays() async throws {
        let idp = try await idp(issuer: .fixed(Issuer("https://id.example")))
        #expect(await ask(idp).json?["issuer"] == "https://id.example")
    }

    @Test func refusesAHostThatIsNoneThereToo() async throws {
        #expect(await ask(try await idp(), host: "a b").status == 400)
    }

    @Test func staysAfterEverythingElseIsForgotten() async throws {
        let idp = try await idp()
        try idp.context.configure { $0.ordinaryEntrance = OrdinaryEntrance(port: 9443, isEncrypted: true) }
        try await idp.provider.root.reset()
        let document = await ask(idp).json
        #expect(document?["issuer"] == "https://localhost:9443")
        #expect(document?["mtls_endpoint_aliases"]?["token_endpoint"]?.string == Self.alias)
    }

    /// RFC 7523 section 3: the URL of the token endpoint names the provider in `aud`, and this is one of them.
    @Test(arguments: [(alias, 200), ("https://localhost:8445/token", 401), ("https://localhost:8444/jwks.json", 401)])
    func anAssertionMayNameTheEndpointForCertificates(audience: String, status: Int) async throws {
        let client = try ProofClient(at: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)).now())
        let idp = try await idp(clients: [
            .proving("holder", method: "private_key_jwt") { $0.keys = JWKSet([try #require(client.key.publicJWK)]) }
        ])
        let form = ProofClient.assertionForm(try client.assertion(of: "holder", "a-1", ["aud": .string(audience)]))
        #expect(await ask(idp, .post, "/token", body: form).status == status)
    }
}

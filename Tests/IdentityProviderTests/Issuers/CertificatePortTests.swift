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
        issuer: IssuerPolicy = .followsHost, entrance: OrdinaryEntrance? = ordinary, clients: [Client]? = nil,
        metadata: JSONObject = [:]
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(issuer: issuer, clients: clients) {
            $0.mutualTLSPort = 8444
            $0.ordinaryEntrance = entrance
            $0.metadataOverrides = metadata
        }
    }

    private func ask(
        _ idp: ProviderUnderTest, _ method: HTTPRequest.Method = .get, _ path: String = discovery,
        host: String = "localhost:8444", isAsked: Bool = true, isEncrypted: Bool = true, body: String = "",
        basic: String? = nil,
        also fields: HTTPFields = [:]
    ) async -> Answer {
        var fields = fields
        if !body.isEmpty { fields[.contentType] = "application/x-www-form-urlencoded" }
        if let basic { fields[.authorization] = "Basic " + Base64.encode(Array(basic.utf8)) }
        let head = HTTPRequest(
            method: method, scheme: nil, authority: host, path: path, headerFields: fields)
        let peer = ServerRequest.Peer(
            address: "127.0.0.1", isLoopback: true, isEncrypted: isEncrypted, wasAskedForCertificate: isAsked)
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
        let clear = await ask(idp, host: "localhost:8080", isAsked: false, isEncrypted: false).json
        #expect(clear?["mtls_endpoint_aliases"]?["token_endpoint"] == "https://id.example:8444/token")
    }

    private static let clear = OrdinaryEntrance(port: 8080, isEncrypted: false)
    private static let usual = OrdinaryEntrance(port: 443, isEncrypted: true)

    /// RFC 8414 section 3.3: what is got at the aliases is by the issuer of the ordinary entrance, so that no other names them.
    @Test(arguments: [
        (ordinary, "localhost:8443", true, true), (ordinary, "[::1]:8443", true, true), (usual, "idp", true, true),
        (usual, "idp:443", true, true), (clear, "localhost:8080", false, true),
        (OrdinaryEntrance(port: 80, isEncrypted: false), "localhost", false, true),
        (nil, "localhost:8444", true, true),
        (ordinary, "localhost:8080", false, false), (ordinary, "localhost:8443", false, false),
        (ordinary, "localhost:9443", true, false), (ordinary, "localhost", true, false),
        (usual, "idp:8443", true, false), (clear, "localhost:8080", true, false), (usual, "idp:443", false, false),
        (nil, "localhost:8080", false, false), (nil, "localhost", true, false),
    ])
    func onlyTheOrdinaryEntranceTellsOfThePort(
        entrance: OrdinaryEntrance?, host: String, isEncrypted: Bool, tells: Bool
    ) async throws {
        let idp = try await idp(entrance: entrance)
        for path in [Self.discovery, "/t/a" + Self.discovery] {
            let document = await ask(idp, .get, path, host: host, isAsked: false, isEncrypted: isEncrypted).json
            #expect((document?["mtls_endpoint_aliases"] != nil) == tells)
            // What nobody is asked for there is not offered there.
            #expect((document?["tls_client_certificate_bound_access_tokens"] != nil) == tells)
            for endpoint in ["token", "introspection", "revocation"] {
                let methods = document?[endpoint + "_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
                let offered = try #require(methods).filter { $0.contains("tls_client_auth") }
                #expect(offered.count == (tells ? 2 : 0), "\(endpoint)")
            }
            guard tells else { continue }
            // Who follows them finds the same name there.
            let alias = try #require(TargetURL(document?["mtls_endpoint_aliases"]?["token_endpoint"]?.string ?? ""))
            #expect(await ask(idp, .get, path, host: alias.authority).json?["issuer"] == document?["issuer"])
        }
    }

    /// RFC 6265 section 4.1.2.5 and RFC 6265bis section 4.1.3.2: what comes through TLS goes nowhere else, and no neighbour sets
    /// it, whatever the issuer is called.
    @Test(arguments: [IssuerPolicy.followsHost, .fixed(try! Issuer("http://localhost:8080"))], [true, false])
    func cookiesAreSecureWhereTheBrowserComesThroughTLS(issuer: IssuerPolicy, isEncrypted: Bool) async throws {
        let idp = try await idp(issuer: issuer, entrance: Self.clear, clients: StandardClients.all())
        let answer = await ask(
            idp, .get, AuthorizationQuery().path, host: isEncrypted ? "localhost:8444" : "localhost:8080",
            isAsked: isEncrypted, isEncrypted: isEncrypted)
        let cookies = answer.fields[values: .setCookie]
        #expect(!cookies.isEmpty)
        for cookie in cookies {
            #expect(cookie.hasPrefix("__Host-") == isEncrypted, "\(cookie)")
            #expect(cookie.contains("; Secure") == isEncrypted, "\(cookie)")
        }
    }

    /// What the provider is told to say of itself makes it no other.
    @Test(
        arguments: [
            ["mtls_endpoint_aliases": ["token_endpoint": "https://other.example/token"]],
            [
                "token_endpoint": "https://localhost:8443/token",
                "mtls_endpoint_aliases": ["token_endpoint": "https://other.example/token"],
            ], ["mtls_endpoint_aliases": nil],
        ] as [JSONObject])
    func metadataThatIsPutOverDecidesNoAudience(metadata: JSONObject) async throws {
        let client = try ProofClient(at: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)).now())
        let idp = try await idp(
            clients: [
                .proving("holder", method: "private_key_jwt") { $0.keys = JWKSet([try #require(client.key.publicJWK)]) }
            ], metadata: metadata)
        let document = await ask(idp).json
        let told: JSON? = metadata["mtls_endpoint_aliases"]
        #expect(document?["mtls_endpoint_aliases"] == (told == .some(.null) ? Optional<JSON>.none : told))
        func status(_ audience: String, _ jti: String) async throws -> Int {
            let assertion = try client.assertion(of: "holder", jti, ["aud": .string(audience)])
            return await ask(idp, .post, "/token", body: ProofClient.assertionForm(assertion)).status
        }
        #expect(try await status("https://other.example/token", "a-1") == 401)
        #expect(try await status(Self.alias, "a-2") == 200)
    }

    /// RFC 9449 section 4.3, rule 9: `htu` is the URL that was asked, and it has two names here.
    @Test(arguments: [
        (alias, 200), ("https://localhost:8443/token", 200), ("https://localhost:8445/token", 400),
        ("http://localhost:8444/token", 400), ("https://localhost:8444/revoke", 400),
    ])
    func aProofMayNameEitherAddress(url: String, status: Int) async throws {
        let idp = try await idp()
        let proof = try ProofClient(at: idp.clock.now()).proof("p-1", ["htu": .string(url)])
        let answer = await ask(
            idp, .post, "/token", body: "grant_type=client_credentials", basic: "service:secret", also: [.dpop: proof])
        #expect(answer.status == status)
        #expect(status == 200 ? answer.json?["token_type"] == "DPoP" : answer.error == "invalid_dpop_proof")
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

import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Clients that prove themselves by a certificate, and tokens that are bound to one (RFC 8705).
@Suite struct MutualTLSTests {
    static let subject = "CN=service,O=Example\\, Ltd.,C=KR"
    let idp: ProviderUnderTest
    let key: SigningKey

    init() async throws {
        let key = try SigningKey.generate(.es256)
        self.key = key
        let keys = JWKSet([try SigningKey.generate(.rs256).publicJWK!, key.publicJWK!])
        let named = ClientMetadata.CertificateSubject.distinguishedName(Self.subject)
        idp = try await ProviderUnderTest(
            clients: [
                .proving("named", method: "tls_client_auth") { $0.certificateSubject = named },
                .proving("host", method: "tls_client_auth") { $0.certificateSubject = .dns("client.example") },
                .proving("uri") { $0.certificateSubject = .uri("spiffe://example/client") },
                .proving("ip", method: "tls_client_auth") { $0.certificateSubject = .ip("2001:DB8::1") },
                .proving("mail", method: "tls_client_auth") { $0.certificateSubject = .email("client@example.org") },
                .proving("nameless", method: "tls_client_auth"),
                .proving("own", method: "self_signed_tls_client_auth") { $0.keys = keys },
                .proving("keyless", method: "self_signed_tls_client_auth"),
                .proving("bound", secret: "secret") { $0.requiresCertificateBinding = true },
                .proving("basic", secret: "secret"),
            ], users: StandardUsers.all())
    }

    private func token(_ client: String, _ certificate: ClientCertificate?) async -> Answer {
        await idp.post("grant_type=client_credentials&client_id=\(client)", certificate: certificate)
    }

    private func expectRefusal(_ answer: Answer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(answer.error == "invalid_client", sourceLocation: sourceLocation)
    }

    // MARK: Section 2.1

    @Test func takesATrustedCertificateWithTheSubjectAndBindsTheToken() async throws {
        let certificate = try ClientCertificate.test(subject: Self.subject)
        let answer = await token("named", certificate)
        #expect(answer.status == 200)
        // Section 3: bound to the certificate, and presented as any other.
        #expect(answer.json?["token_type"] == "Bearer")
        let claims = try await idp.verified(answer.text("access_token")).claims
        #expect(claims["cnf"] == ["x5t#S256": .string(certificate.thumbprint)])
    }

    @Test(arguments: [
        "CN=service, O=Example\\, Ltd., C=KR", "cn=service,o=Example\\2C Ltd.,c=KR",
        "CN = service,O=Example\\, Ltd.,C=KR", "CN=SERVICE,o=eXAMPLE\\, lTD.,C=kr",
        "CN=\\ service\\ ,O=Example\\,   Ltd.,C=KR", "2.5.4.3=service,organizationName=Example\\, Ltd.,2.5.4.6=KR",
    ])
    func takesTheSameSubjectInAnotherSpelling(subject: String) async throws {
        #expect(await token("named", try .test(subject: subject)).status == 200)
    }

    @Test(arguments: [
        "", "CN=service", "CN=services,O=Example\\, Ltd.,C=KR", "C=KR,O=Example\\, Ltd.,CN=service",
        "CN=service,O=Example,C=KR", "CN=service+O=Example\\, Ltd.,C=KR", "O=Example\\, Ltd.,C=KR",
        "CN=x,CN=service,O=Example\\, Ltd.,C=KR", "CN=service,O=Example\\, Ltd.,C=KR,DC=evil",
        "CN=service\\,O=Example\\\\\\, Ltd.\\,C=KR", "CN=service\\00,O=Example\\, Ltd.,C=KR",
        "CN=ser vice,O=Example\\, Ltd.,C=KR", "CN=service,O=Example\\, Ltd.,C=KR,", "CN=\u{212A}",
        "CN=service,O=Example\\, Ltd.,C=KR\\FF", "2.5.4.10=service,CN=Example\\, Ltd.,C=KR",
        "CN=service,O=Example\\,Ltd.,C=KR",
    ])
    func refusesAnotherSubject(subject: String) async throws {
        expectRefusal(await token("named", try .test(subject: subject)))
    }

    @Test func takesEachKindOfAlternativeName() async throws {
        for (client, name) in [
            ("host", .dns("Client.Example")), ("uri", .uri("spiffe://example/client")), ("ip", .ip("2001:db8::1")),
            ("mail", .email("client@example.org")),
        ] as [(String, ClientCertificate.AlternativeName)] {
            let certificate = try ClientCertificate.test(names: [.dns("other.example"), name])
            #expect(await token(client, certificate).status == 200, "\(client)")
        }
    }

    /// A name of one kind is none of another, and the subject is no alternative name.
    @Test(
        arguments: [
            [.dns("client.example.evil.example")], [.dns("*.example")], [.uri("client.example")],
            [.email("client.example")],
            [.ip("client.example")], [],
        ] as [[ClientCertificate.AlternativeName]])
    func refusesAnotherAlternativeName(names: [ClientCertificate.AlternativeName]) async throws {
        expectRefusal(await token("host", try .test(subject: "CN=client.example", names: names)))
        expectRefusal(await token("host", try .test(subject: Self.subject, names: names)))
    }

    @Test func refusesACertificateThatNobodyVouchesFor() async throws {
        expectRefusal(await token("named", try .test(subject: Self.subject, isTrusted: false)))
    }

    @Test(arguments: ["named", "host", "uri", "own", "nameless", "keyless"]) func refusesAConnectionWithoutACertificate(
        client: String
    ) async {
        expectRefusal(await token(client, nil))
    }

    @Test func refusesAClientThatHasRegisteredNoSubject() async throws {
        expectRefusal(await token("nameless", try .test(subject: Self.subject)))
        expectRefusal(await token("nameless", try .test()))
    }

    @Test func refusesTheCertificateOfOneClientForAnother() async throws {
        expectRefusal(await token("host", try .test(key: key.publicJWK, subject: Self.subject)))
        expectRefusal(await token("basic", try .test(subject: Self.subject)))
        expectRefusal(await token("nobody", try .test(subject: Self.subject)))
    }

    /// RFC 8628 section 3.1: where a device begins, clients prove themselves as at the token endpoint.
    @Test func takesACertificateWhereADeviceBegins() async throws {
        try idp.context.clients.add(
            .proving("tv", method: "tls_client_auth") {
                $0.grants = [GrantsProvider.deviceGrant]
                $0.certificateSubject = .distinguishedName(Self.subject)
            })
        let certificate = try ClientCertificate.test(subject: Self.subject)
        let answer = await idp.post("client_id=tv", to: "/device_authorization", certificate: certificate)
        #expect(answer.status == 200)
        for other in [nil, try ClientCertificate.test(subject: "CN=other")] {
            expectRefusal(await idp.post("client_id=tv", to: "/device_authorization", certificate: other))
        }
    }

    /// Section 2: the client is named by its client_id.
    @Test func refusesARequestThatNamesNoClient() async throws {
        expectRefusal(await idp.post("grant_type=client_credentials", certificate: try .test(subject: Self.subject)))
    }

    // MARK: Section 2.2

    @Test(arguments: [true, false]) func takesASelfSignedCertificateWithARegisteredKey(isTrusted: Bool) async throws {
        let certificate = try ClientCertificate.test(key: key.publicJWK, isTrusted: isTrusted)
        let answer = await token("own", certificate)
        #expect(answer.status == 200)
        let claims = try await idp.verified(answer.text("access_token")).claims
        #expect(claims["cnf"] == ["x5t#S256": .string(certificate.thumbprint)])
    }

    @Test func refusesACertificateWithAnotherKey() async throws {
        expectRefusal(await token("own", try .test(key: SigningKey.generate(.es256).publicJWK)))
        expectRefusal(await token("own", try .test()))
        expectRefusal(await token("keyless", try .test(key: key.publicJWK)))
    }

    /// Where a certificate is registered (`x5c`), another one with the same key is another.
    @Test func comparesTheWholeCertificateWhereItIsRegistered() async throws {
        let certificate = try ClientCertificate.test("registered", key: key.publicJWK)
        let jwk = JWK(
            try #require(key.publicJWK).material,
            otherMembers: ["x5c": [.string(Base64.encode(certificate.der))]])
        try idp.context.clients.put(
            .proving("own", method: "self_signed_tls_client_auth") { $0.keys = JWKSet([jwk]) })
        #expect(await token("own", certificate).status == 200)
        expectRefusal(await token("own", try .test("another", key: key.publicJWK)))
    }

    @Test func findsTheKeysOfASelfSignedCertificateWhereTheClientPublishesThem() async throws {
        let server = RemoteServer()
        let uri = "https://client.example/keys"
        let client = try Client.proving("own", method: "self_signed_tls_client_auth") { $0.keysURI = uri }
        let idp = try await ProviderUnderTest(clients: [client], outbound: server)
        server.answer(uri, JWKSet([try #require(key.publicJWK)]).json(.publicOnly).text())
        let form = "grant_type=client_credentials&client_id=own"
        #expect(await idp.post(form, certificate: try .test(key: key.publicJWK)).status == 200)
        #expect(await idp.post(form, certificate: try .test()).status == 401)
        server.fail(uri, .timedOut)
        idp.clock.advance(by: .seconds(300))
        #expect(await idp.post(form, certificate: try .test(key: key.publicJWK)).error == "invalid_client")
    }

    // MARK: Section 3

    @Test func bindsTheTokensOfAClientThatRegisteredForIt() async throws {
        let certificate = try ClientCertificate.test(isTrusted: false)
        let basic: HTTPFields = [.authorization: "Basic " + Base64.encode(Array("bound:secret".utf8))]
        let answer = await idp.post("grant_type=client_credentials", certificate: certificate, basic)
        let claims = try await idp.verified(answer.text("access_token")).claims
        #expect(claims["cnf"] == ["x5t#S256": .string(certificate.thumbprint)])
        let unbound = await idp.post("grant_type=client_credentials", certificate: nil, basic)
        #expect(unbound.status == 400)
        #expect(unbound.error == "invalid_request")
    }

    @Test func bindsNoTokenThatNobodyWantsBound() async throws {
        let basic: HTTPFields = [.authorization: "Basic " + Base64.encode(Array("basic:secret".utf8))]
        let answer = await idp.post("grant_type=client_credentials", certificate: try .test(), basic)
        #expect(try await idp.verified(answer.text("access_token")).claims["cnf"] == nil)
    }

    @Test func refusesAProofWhereTheCertificateIsRegistered() async throws {
        let proof = try ProofClient(at: idp.clock.now()).proof()
        let fields: HTTPFields = [
            .authorization: "Basic " + Base64.encode(Array("bound:secret".utf8)), .dpop: proof,
        ]
        let answer = await idp.post("grant_type=client_credentials", certificate: try .test(), fields)
        #expect(answer.error == "invalid_dpop_proof")
    }

    /// Section 4: the refresh token of a public client comes with its certificate.
    @Test func refusesTheRefreshTokenOfAPublicClientWithAnotherCertificate() async throws {
        var metadata = ClientMetadata()
        metadata.grants = ["refresh_token"]
        metadata.authenticationMethod = "none"
        metadata.requiresCertificateBinding = true
        try idp.context.clients.add(Client(id: "app", secret: nil, metadata: metadata))
        let certificate = try ClientCertificate.test("app")
        let terms = FamilyTerms(
            id: FamilyID(from: idp.context.random), clientID: "app", userID: "alice", scope: .empty,
            confirmation: .certificate(thumbprint: certificate.thumbprint), began: idp.clock.now(), expires: nil)
        var family = Family(terms)
        family.rotation.begin(at: family.terms.began)
        try await idp.context.store.keep(family)
        let form =
            "grant_type=refresh_token&client_id=app&refresh_token=\(idp.context.refreshTokens.token(of: terms.id, node: 1))"
        #expect(await idp.post(form, certificate: nil).error == "invalid_request")
        #expect(await idp.post(form, certificate: try .test("thief")).error == "invalid_grant")
        #expect(try await idp.context.store.family(terms.id)?.rotation.current == 1)
        #expect(await idp.post(form, certificate: certificate).status == 200)
    }

    // MARK: Section 5

    @Test func tellsWhereCertificatesAreAskedFor() async throws {
        let idp = try await ProviderUnderTest(issuer: .fixed(Issuer("https://id.example/base"))) {
            $0.mutualTLSPort = 8444
        }
        let document = await idp.get("/base/.well-known/openid-configuration").json
        #expect(document?["mtls_endpoint_aliases"]?["token_endpoint"] == "https://id.example:8444/base/token")
        #expect(document?["tls_client_certificate_bound_access_tokens"] == true)
        let methods = document?["token_endpoint_auth_methods_supported"]?.array ?? []
        #expect(methods.contains("tls_client_auth") && methods.contains("self_signed_tls_client_auth"))
    }

    @Test func advertisesNoneOfItWithoutAPlaceForIt() async throws {
        let document = await idp.get("/.well-known/openid-configuration").json
        #expect(document?["mtls_endpoint_aliases"] == nil)
        #expect(document?["tls_client_certificate_bound_access_tokens"] == nil)
        #expect(document?["token_endpoint_auth_methods_supported"]?.array?.contains("tls_client_auth") == false)
    }

    /// RFC 4517 section 4.2.11 is for directory strings; of an attribute that nobody here knows, every byte counts.
    @Test func valuesOfUnknownAttributesHaveACase() async throws {
        let client = try Client.proving("exact", method: "tls_client_auth") {
            $0.certificateSubject = .distinguishedName("CN=a,1.2.3.4=Value")
        }
        try idp.context.clients.add(client)
        #expect(await token("exact", try .test(subject: "cn=A,1.2.3.4=Value")).status == 200)
        for other in ["CN=a,1.2.3.4=value", "CN=a,1.2.3.5=Value", "CN=a,1.2.3.4=Value\\ "] {
            expectRefusal(await token("exact", try .test(subject: other)))
        }
    }
}

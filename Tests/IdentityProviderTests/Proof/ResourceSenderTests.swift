import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Who may present a bound token (RFC 9449 section 7, RFC 8705 section 3).
@Suite struct ResourceSenderTests {
    static let url = "http://localhost:8080/userinfo"
    static let token = "at1.some-token"
    let idp: ProviderUnderTest
    let client: ProofClient
    let check: ResourceSenderCheck

    init() async throws {
        idp = try await ProviderUnderTest()
        client = try ProofClient(at: idp.clock.now())
        check = ResourceSenderCheck(context: idp.context)
    }

    private func proof(_ jti: String = "p-1", _ claims: JSONObject = [:]) throws -> String {
        var all: JSONObject = [
            "htm": "GET", "htu": .string(Self.url), "ath": .string(DPoPProofReader.hash(of: Self.token)),
        ]
        for (name, value) in claims { all[name] = value }
        return try client.proof(jti, all)
    }

    private func judge(
        _ scheme: BearerCredentials.Scheme, _ confirmation: KeyConfirmation?, proofs: [String] = [],
        certificate: ClientCertificate? = nil, token: String = ResourceSenderTests.token
    ) async throws -> Result<HTTPFields, ResourceRefusal> {
        let request = ServerRequest(
            head: HTTPRequest(
                method: .get, scheme: nil, authority: ProviderUnderTest.host, path: "/userinfo",
                headerFields: HTTPFields(proofs.map { HTTPField(name: .dpop, value: $0) })),
            peer: .init(
                address: "127.0.0.1", isLoopback: true, isEncrypted: false, clientCertificate: certificate), id: "r-1")
        do throws(ResourceRefusal) {
            return .success(
                try await check.check(
                    request, presenting: .init(token, by: scheme), boundTo: confirmation,
                    to: [TargetURL(Self.url)].compactMap(\.self), at: idp.clock.now()))
        } catch {
            return .failure(error)
        }
    }

    private func expectRefusal(
        _ result: Result<HTTPFields, ResourceRefusal>, _ code: OAuthErrorCode, _ scheme: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .failure(let refusal) = result else {
            Issue.record("it was taken", sourceLocation: sourceLocation)
            return
        }
        #expect(refusal.error.code == code, sourceLocation: sourceLocation)
        let answer = Answer(refusal.response)
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        let challenge = answer.field("WWW-Authenticate") ?? ""
        #expect(challenge.hasPrefix(scheme + " "), sourceLocation: sourceLocation)
        #expect(challenge.contains("error=\"\(code.rawValue)\""), sourceLocation: sourceLocation)
    }

    private var bound: KeyConfirmation { .proofKey(thumbprint: client.thumbprint) }

    @Test func takesABoundTokenWithItsProof() async throws {
        let fields = try await judge(.dpop, bound, proofs: [proof()]).get()
        #expect(fields.isEmpty)
    }

    @Test func takesATokenThatIsBoundToNothing() async throws {
        #expect(try await judge(.bearer, nil).get().isEmpty)
    }

    /// RFC 9449 section 7.2, the downgrade.
    @Test func refusesABoundTokenThatComesAsABearerToken() async throws {
        expectRefusal(try await judge(.bearer, bound), .invalidToken, "DPoP")
        expectRefusal(try await judge(.bearer, bound, proofs: [proof()]), .invalidToken, "DPoP")
    }

    /// RFC 9449 section 7.1.
    @Test func refusesAnUnboundTokenUnderTheSchemeOfBoundOnes() async throws {
        expectRefusal(try await judge(.dpop, nil, proofs: [proof()]), .invalidToken, "Bearer")
    }

    @Test func refusesABoundTokenWithoutAProofOrWithTwo() async throws {
        expectRefusal(try await judge(.dpop, bound), .invalidDPoPProof, "DPoP")
        expectRefusal(try await judge(.dpop, bound, proofs: [proof("a"), proof("b")]), .invalidDPoPProof, "DPoP")
    }

    @Test func refusesTheProofOfAnotherKey() async throws {
        let other = KeyConfirmation.proofKey(thumbprint: try ProofClient(at: idp.clock.now()).thumbprint)
        expectRefusal(try await judge(.dpop, other, proofs: [proof()]), .invalidToken, "DPoP")
        let lookalike = KeyConfirmation.proofKey(thumbprint: client.thumbprint.lowercased())
        expectRefusal(try await judge(.dpop, lookalike, proofs: [proof()]), .invalidToken, "DPoP")
    }

    /// RFC 9449 section 4.3, rule 12.
    @Test(arguments: [.null, "", "x", 7, "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo"] as [JSON])
    func refusesAProofForAnotherToken(hash: JSON) async throws {
        expectRefusal(try await judge(.dpop, bound, proofs: [proof("p-1", ["ath": hash])]), .invalidDPoPProof, "DPoP")
        expectRefusal(
            try await judge(.dpop, bound, proofs: [proof()], token: Self.token + "x"), .invalidDPoPProof, "DPoP")
    }

    @Test func refusesTheProofOfATokenRequest() async throws {
        expectRefusal(try await judge(.dpop, bound, proofs: [client.proof()]), .invalidDPoPProof, "DPoP")
        expectRefusal(
            try await judge(.dpop, bound, proofs: [proof("p-1", ["htm": "POST"])]), .invalidDPoPProof, "DPoP")
    }

    @Test func aProofIsGoodOnce() async throws {
        let proof = try proof()
        _ = try await judge(.dpop, bound, proofs: [proof]).get()
        expectRefusal(try await judge(.dpop, bound, proofs: [proof]), .invalidDPoPProof, "DPoP")
    }

    @Test func ofManyAtOnceOneGetsThrough() async throws {
        let proof = try proof()
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    if case .success = try await judge(.dpop, bound, proofs: [proof]) { true } else { false }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1)
    }

    /// RFC 9449 section 9: 401 with the nonce beside the challenge.
    @Test func asksForANonce() async throws {
        try idp.context.configure { $0.proofs.nonce = .required }
        let refused = try await judge(.dpop, bound, proofs: [proof()])
        expectRefusal(refused, .useDPoPNonce, "DPoP")
        guard case .failure(let refusal) = refused else { return }
        let answer = Answer(refusal.response)
        let nonce = try #require(answer.field("DPoP-Nonce"))
        #expect(answer.field("WWW-Authenticate")?.contains("algs=\"") == true)
        let fields = try await judge(.dpop, bound, proofs: [proof("p-2", ["nonce": .string(nonce)])]).get()
        #expect(fields.isEmpty)
        idp.clock.advance(by: .seconds(200))
        let issuedAt = JSON.integer(idp.clock.now().secondsSinceEpoch)
        let later = try proof("p-3", ["nonce": .string(nonce), "iat": issuedAt])
        #expect(try await judge(.dpop, bound, proofs: [later]).get().contains(HTTPField.Name("DPoP-Nonce")!))
    }

    // MARK: Certificates

    @Test func takesATokenWithItsCertificateAndWithNoOther() async throws {
        let certificate = try ClientCertificate.test("one")
        let bound = KeyConfirmation.certificate(thumbprint: certificate.thumbprint)
        #expect(try await judge(.bearer, bound, certificate: certificate).get().isEmpty)
        expectRefusal(try await judge(.bearer, bound, certificate: .test("two")), .invalidToken, "Bearer")
        expectRefusal(try await judge(.bearer, bound), .invalidToken, "Bearer")
        expectRefusal(
            try await judge(.dpop, bound, proofs: [proof()], certificate: certificate), .invalidToken, "Bearer")
    }

    @Test func aCertificateIsNoProofAndAProofIsNoCertificate() async throws {
        let certificate = try ClientCertificate.test("one")
        expectRefusal(try await judge(.bearer, bound, certificate: certificate), .invalidToken, "DPoP")
        let confused = KeyConfirmation.proofKey(thumbprint: certificate.thumbprint)
        expectRefusal(
            try await judge(.dpop, confused, proofs: [proof()], certificate: certificate), .invalidToken, "DPoP")
    }
}

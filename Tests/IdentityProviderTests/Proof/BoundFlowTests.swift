import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Bound tokens from the authorization to the userinfo endpoint.
@Suite struct BoundFlowTests {
    static let verifier = String(repeating: "v", count: 43)
    static let userinfo: JSON = "http://localhost:8080/userinfo"
    let lab: RequestLab
    let client: ProofClient

    init() async throws {
        lab = try await RequestLab()
        client = try ProofClient(at: lab.idp.clock.now())
    }

    /// The form that redeems a code for `spa`.
    private func redemption(also parameters: String = "") async throws -> String {
        let challenge = Base64URL.encode(HashFunction.sha256.digest(Array(Self.verifier.utf8).span))
        let landing = try await lab.authorize(
            RequestLab.asked + "&client_id=spa&scope=openid&code_challenge=\(challenge)&code_challenge_method=S256"
                + parameters)
        return "grant_type=authorization_code&client_id=spa&redirect_uri=\(RequestLab.redirect)"
            + "&code_verifier=\(Self.verifier)&code=\(try #require(landing.code))"
    }

    private func refresh(_ token: String) -> String { "grant_type=refresh_token&client_id=spa&refresh_token=\(token)" }

    private func post(_ form: String, _ proofs: String...) async -> Answer {
        await lab.idp.token(form, proofs: proofs, basic: nil)
    }

    private func userinfo(_ authorization: String, proof: String? = nil) async -> Answer {
        var fields: HTTPFields = [.authorization: authorization]
        if let proof { fields[.dpop] = proof }
        return await lab.idp.get("/userinfo", fields)
    }

    private func proof(_ jti: String, for token: String) throws -> String {
        try client.proof(
            jti, ["htm": "GET", "htu": Self.userinfo, "ath": .string(DPoPProofReader.hash(of: token))])
    }

    /// RFC 9449 section 5: the refresh tokens of a public client are bound to its key.
    @Test func theRefreshTokenOfAPublicClientComesWithItsKey() async throws {
        let tokens = await post(try await redemption(), try client.proof("p-1"))
        #expect(tokens.json?["token_type"] == "DPoP")
        let token = try tokens.text("refresh_token")
        let thief = try ProofClient(at: lab.idp.clock.now())
        #expect(await post(refresh(token)).error == "invalid_grant")
        #expect(await post(refresh(token), try thief.proof()).error == "invalid_grant")
        #expect(await post(refresh(token), try client.proof("p-1")).error == "invalid_dpop_proof")
        // None of these spent it.
        let next = await post(refresh(token), try client.proof("p-2"))
        #expect(next.json?["token_type"] == "DPoP")
        let verified = try await lab.idp.verified(next.text("access_token"))
        #expect(verified.claims["cnf"] == ["jkt": .string(client.thumbprint)])
    }

    /// RFC 9449 section 5: those of a confidential one are bound to the client, which may take another key.
    @Test func aConfidentialClientMayChangeItsKey() async throws {
        let code = try #require(try await lab.authorize(RequestLab.asked + "&client_id=web").code)
        let form = "grant_type=authorization_code&redirect_uri=\(RequestLab.redirect)&code=\(code)"
        let tokens = await lab.idp.token(form, proofs: [try client.proof("p-1")], basic: "web:secret")
        let refresh = "grant_type=refresh_token&refresh_token=\(try tokens.text("refresh_token"))"
        let other = try ProofClient(at: lab.idp.clock.now())
        let next = await lab.idp.token(refresh, proofs: [try other.proof("p-2")], basic: "web:secret")
        let verified = try await lab.idp.verified(next.text("access_token"))
        #expect(verified.claims["cnf"] == ["jkt": .string(other.thumbprint)])
    }

    /// RFC 9449 section 10.
    @Test func aCodeForAKeyComesWithThatKey() async throws {
        let form = try await redemption(also: "&dpop_jkt=\(client.thumbprint)")
        #expect(await post(form).error == "invalid_grant")
        #expect(await post(form, try ProofClient(at: lab.idp.clock.now()).proof()).error == "invalid_grant")
        #expect(await post(form, try client.proof()).json?["token_type"] == "DPoP")
    }

    /// Whoever began the flow hears that it was the key; whoever found the code hears nothing of it.
    @Test func saysThatTheCodeIsBoundToWhoeverHasItsVerifier() async throws {
        let form = try await redemption(also: "&dpop_jkt=\(client.thumbprint)")
        #expect(
            await post(form).errorDescription
                == "the code is bound to a DPoP key, and the request came without a DPoP proof")
        #expect(
            await post(form, try ProofClient(at: lab.idp.clock.now()).proof()).errorDescription
                == "the code is bound to a DPoP key, and the request came with a proof by another key")
        let stolen = form.split(separator: "&").filter { !$0.hasPrefix("code_verifier=") }.joined(separator: "&")
        let refused = await post(stolen)
        #expect(refused.error == "invalid_grant")
        #expect(!refused.errorDescription.contains("bound"))
    }

    /// RFC 9449 section 7.
    @Test(arguments: [ClientMetadata.AccessTokenFormat.jwt, .opaque])
    func aBoundTokenIsGoodWithAProofAlone(format: ClientMetadata.AccessTokenFormat) async throws {
        let spa = try #require(lab.idp.context.clients["spa"])
        var metadata = spa.metadata
        metadata.accessTokenFormat = format
        try lab.idp.context.clients.put(Client(id: "spa", secret: nil, metadata: metadata))
        let token = try await post(try await redemption(), try client.proof("p-1")).text("access_token")

        #expect(await userinfo("DPoP \(token)", proof: try proof("u-1", for: token)).json?["sub"] == "alice")
        for answer in [
            await userinfo("Bearer \(token)"), await userinfo("Bearer \(token)", proof: try proof("u-2", for: token)),
            await userinfo("DPoP \(token)"), await userinfo("DPoP \(token)", proof: try proof("u-1", for: token)),
            await userinfo("DPoP \(token)", proof: try proof("u-3", for: token + "x")),
            await userinfo("DPoP \(token)", proof: try client.proof("u-4")),
        ] {
            #expect(answer.status == 401)
            #expect(answer.json?["sub"] == nil)
            #expect(answer.field("WWW-Authenticate")?.hasPrefix("DPoP error=") == true)
        }
        let inBody = await lab.idp.respond(
            .post, "/userinfo", [.contentType: "application/x-www-form-urlencoded"],
            body: Array("access_token=\(token)".utf8))
        #expect(inBody.status == 401)
    }

    @Test func aNonceIsAskedForAtTheUserinfoEndpoint() async throws {
        let token = try await post(try await redemption(), try client.proof("p-1")).text("access_token")
        try lab.idp.context.configure { $0.proofs.nonce = .required }
        let refused = await userinfo("DPoP \(token)", proof: try proof("u-1", for: token))
        #expect(refused.status == 401)
        #expect(refused.field("WWW-Authenticate")?.contains("error=\"use_dpop_nonce\"") == true)
        let nonce = JSON.string(try #require(refused.field("DPoP-Nonce")))
        let claims: JSONObject = [
            "htm": "GET", "htu": Self.userinfo, "ath": .string(DPoPProofReader.hash(of: token)), "nonce": nonce,
        ]
        #expect(await userinfo("DPoP \(token)", proof: try client.proof("u-2", claims)).status == 200)
    }

    /// RFC 8705 sections 3 and 4.
    @Test func aTokenThatIsBoundToACertificateComesWithIt() async throws {
        var metadata = try #require(lab.idp.context.clients["spa"]).metadata
        metadata.requiresCertificateBinding = true
        try lab.idp.context.clients.put(Client(id: "spa", secret: nil, metadata: metadata))
        let (own, other) = (try ClientCertificate.test("own"), try ClientCertificate.test("other"))
        let tokens = await lab.idp.post(try await redemption(), certificate: own)
        let bearer: HTTPFields = [.authorization: "Bearer \(try tokens.text("access_token"))"]
        #expect(await lab.idp.send(.get, "/userinfo", bearer, certificate: own).json?["sub"] == "alice")
        for certificate in [nil, other] {
            let answer = await lab.idp.send(.get, "/userinfo", bearer, certificate: certificate)
            #expect(answer.status == 401)
            #expect(answer.field("WWW-Authenticate")?.contains("error=\"invalid_token\"") == true)
        }
        let form = refresh(try tokens.text("refresh_token"))
        let refused = await lab.idp.post(form, certificate: other)
        #expect(refused.error == "invalid_grant")
        #expect(
            refused.errorDescription
                == "the refresh token is bound to a client certificate, and the request came with another certificate")
        #expect(await lab.idp.post(form, certificate: own).status == 200)
    }

    /// Whoever takes every client as it comes takes every assertion of one that nobody registered.
    @Test func anUnknownClientIsBelievedOnlyWhereEverybodyIs() async throws {
        let assertion = ProofClient.assertionForm(try client.assertion(of: "nobody"))
        #expect(await lab.idp.token(assertion).error == "invalid_client")
        let open = try await RequestLab(allowing: .anyClient)
        #expect(await open.idp.token(assertion).status == 200)
        // One that is registered proves itself there too.
        let forged = ProofClient.assertionForm(try client.assertion(of: "signer"))
        #expect(await open.idp.token(forged).error == "invalid_client")
    }
}

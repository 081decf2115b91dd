import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// What a client has registered about bound tokens, and what a page may see of them.
@Suite struct SenderConstraintTests {
    /// RFC 9449 section 5.2: requests without a proof MUST be refused.
    @Test func refusesAClientThatRegisteredForProofsAndBringsNone() async throws {
        let idp = try await ProviderUnderTest(clients: [.proving("bound", secret: "secret") { $0.requiresDPoP = true }])
        let answer = await idp.token("grant_type=client_credentials", basic: "bound:secret")
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_dpop_proof")
        let proof = try ProofClient(at: idp.clock.now()).proof()
        let bound = await idp.token("grant_type=client_credentials", proofs: [proof], basic: "bound:secret")
        #expect(bound.json?["token_type"] == "DPoP")
    }

    @Test func saysWhichAlgorithmsProofsMayHave() async throws {
        let document = try await ProviderUnderTest().get("/.well-known/openid-configuration").json
        let algorithms = document?["dpop_signing_alg_values_supported"]?.array ?? []
        #expect(algorithms.contains("ES256"))
        // RFC 9449 section 5.1: MUST NOT include none or symmetric ones.
        #expect(!algorithms.contains("none") && !algorithms.contains("HS256"))
        let assertions = document?["token_endpoint_auth_signing_alg_values_supported"]?.array ?? []
        // RFC 8414 section 2: none MUST NOT be used.
        #expect(assertions.contains("HS256") && assertions.contains("PS512") && !assertions.contains("none"))
    }

    /// A page's proof must be let through, and it must see the nonce.
    @Test func lightsTheWayForPages() async throws {
        let idp = try await ProviderUnderTest { $0.proofs.nonce = .required }
        let asked = await idp.respond(.options, "/token", [.origin: "http://localhost:3000"])
        #expect(asked.field("Access-Control-Allow-Headers")?.contains("DPoP") == true)
        let answer = await idp.token(
            "grant_type=client_credentials", basic: "service:secret",
            also: [.origin: "http://localhost:3000", .dpop: try ProofClient(at: idp.clock.now()).proof()])
        #expect(answer.error == "use_dpop_nonce")
        #expect(answer.field("Access-Control-Expose-Headers")?.contains("DPoP-Nonce") == true)
    }
}

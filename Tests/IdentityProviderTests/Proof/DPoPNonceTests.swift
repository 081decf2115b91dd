import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Nonces of the provider's own (RFC 9449 section 8).
@Suite struct DPoPNonceTests {
    let idp: ProviderUnderTest
    let client: ProofClient

    init() async throws {
        idp = try await ProviderUnderTest(users: StandardUsers.all()) { $0.proofs.nonce = .required }
        client = try ProofClient(at: idp.clock.now())
    }

    private func nonce() async throws -> String {
        try #require(await idp.token(proof: try client.proof("asks")).field("DPoP-Nonce"))
    }

    private func token(_ jti: String, _ nonce: String, after seconds: Int64 = 0) async throws -> Answer {
        let issuedAt = JSON.integer(idp.clock.now().secondsSinceEpoch)
        return await idp.token(proof: try client.proof(jti, ["nonce": .string(nonce), "iat": issuedAt]))
    }

    @Test func asksForANonceAndTakesIt() async throws {
        let refused = await idp.token(proof: try client.proof())
        #expect(refused.status == 400)
        #expect(refused.error == "use_dpop_nonce")
        let nonce = try #require(refused.field("DPoP-Nonce"))
        // RFC 9449 section 8.1: made of NQCHAR.
        #expect(nonce.utf8.allSatisfy(OAuthCharacters.isUnquoted))
        let answer = try await token("p-1", nonce)
        #expect(answer.status == 200)
        #expect(answer.field("DPoP-Nonce") == nil)
    }

    /// It shows that the proof is fresh, not that it is new.
    @Test func aNonceIsGoodForMoreThanOneProof() async throws {
        let nonce = try await nonce()
        for number in 0..<3 { #expect(try await token("p-\(number)", nonce).status == 200) }
        #expect(try await token("p-0", nonce).error == "invalid_dpop_proof")
    }

    @Test(arguments: ["", "x", "AAAAAAAAAAA", "made-up-by-the-client"]) func refusesANonceThatIsNotOurs(nonce: String)
        async throws
    {
        let answer = try await token("p-1", nonce)
        #expect(answer.error == "use_dpop_nonce")
        #expect(answer.field("DPoP-Nonce") != nil)
    }

    @Test func refusesANonceWithAnyBitTurnedOver() async throws {
        let nonce = try await nonce()
        for position in 0..<40 {
            let forged = nonce.withBitFlipped(inSegment: 0, at: position)
            #expect(try await token("p-\(position)", forged).error == "use_dpop_nonce", "\(position)")
        }
    }

    @Test func refusesANonceThatIsNoText() async throws {
        #expect(await idp.token(proof: try client.proof("p-1", ["nonce": 7])).error == "invalid_dpop_proof")
    }

    @Test(arguments: [(299, true), (300, false), (301, false)]) func aNonceHasAnEnd(seconds: Int, isGood: Bool)
        async throws
    {
        let nonce = try await nonce()
        idp.clock.advance(by: .seconds(seconds))
        let answer = try await token("p-1", nonce)
        #expect((answer.status == 200) == isGood)
        if !isGood { #expect(answer.error == "use_dpop_nonce") }
    }

    /// RFC 9449 section 8.2.
    @Test(arguments: [(149, false), (150, true), (299, true)]) func theNextOneComesWithTheTokens(
        seconds: Int, comes: Bool
    )
        async throws
    {
        let nonce = try await nonce()
        idp.clock.advance(by: .seconds(seconds))
        let answer = try await token("p-1", nonce)
        #expect(answer.status == 200)
        #expect((answer.field("DPoP-Nonce") != nil) == comes)
        if comes {
            let next = try #require(answer.field("DPoP-Nonce"))
            #expect(next != nonce)
            #expect(try await token("p-2", next).status == 200)
        }
    }

    @Test func anotherTenantHasNoncesOfItsOwn() async throws {
        let nonce = try await nonce()
        let proof = try client.proof("p-1", ["nonce": .string(nonce), "htu": "http://localhost:8080/t/a/token"])
        let answer = await idp.token(
            "grant_type=client_credentials", basic: "service:secret", path: "/t/a/token", also: [.dpop: proof])
        #expect(answer.error == "use_dpop_nonce")
    }

    @Test func aNonceOfATimeToComeIsNone() async throws {
        let nonce = try await nonce()
        idp.clock.advance(by: .seconds(-1))
        #expect(try await token("p-1", nonce).error == "use_dpop_nonce")
    }

    /// The window for `iat` holds beside it.
    @Test func aGoodNonceMakesNoOldProofNew() async throws {
        let nonce = try await nonce()
        let proof = try client.proof(
            "p-1", ["nonce": .string(nonce), "iat": .integer(idp.clock.now().secondsSinceEpoch - 61)])
        #expect(await idp.token(proof: proof).error == "invalid_dpop_proof")
    }

    @Test func whereNoneIsAskedForOneThatIsThereIsChecked() async throws {
        let idp = try await ProviderUnderTest()
        #expect(await idp.token(proof: try client.proof()).status == 200)
        let answer = await idp.token(proof: try client.proof("p-2", ["nonce": "made-up"]))
        #expect(answer.error == "use_dpop_nonce")
        let nonce = try #require(answer.field("DPoP-Nonce"))
        #expect(await idp.token(proof: try client.proof("p-3", ["nonce": .string(nonce)])).status == 200)
    }

    /// A retry comes with the same assertion, so that none may be spent by what was refused for want of a nonce.
    @Test func aRetrySpendsNoAssertion() async throws {
        let key = try ProofClient(at: idp.clock.now())
        try idp.context.clients.add(
            .proving("key", method: "private_key_jwt") { $0.keys = .init([key.key.publicJWK!]) })
        let form = ProofClient.assertionForm(try key.assertion(of: "key"))
        let refused = await idp.token(form, proofs: [try client.proof()], basic: nil)
        #expect(refused.error == "use_dpop_nonce")
        let nonce = JSON.string(try #require(refused.field("DPoP-Nonce")))
        #expect(await idp.token(form, proofs: [try client.proof("p-2", ["nonce": nonce])], basic: nil).status == 200)
        let again = await idp.token(form, proofs: [try client.proof("p-3", ["nonce": nonce])], basic: nil)
        #expect(again.error == "invalid_client")
    }

    /// What a public client refreshes with, bound to the key of the proofs.
    private func boundRefresh(_ scope: Scope = .empty) async throws -> (form: String, family: FamilyID) {
        var metadata = ClientMetadata()
        metadata.grants = ["refresh_token"]
        metadata.authenticationMethod = "none"
        try idp.context.clients.add(Client(id: "app", secret: nil, metadata: metadata))
        let terms = FamilyTerms(
            id: FamilyID(from: idp.context.random), clientID: "app", userID: "alice", scope: scope,
            confirmation: .proofKey(thumbprint: client.thumbprint), began: idp.clock.now(), expires: nil)
        var family = Family(terms)
        family.rotation.begin(at: family.terms.began)
        try await idp.context.store.keep(family)
        let token = idp.context.refreshTokens.token(of: terms.id, node: 1)
        return ("grant_type=refresh_token&client_id=app&refresh_token=\(token)", terms.id)
    }

    /// RFC 9449 sections 8.2 and 9: a resource of the provider's own gives the next one too.
    @Test func theNextOneComesWithTheClaims() async throws {
        let (form, _) = try await boundRefresh(Scope(parsing: "openid"))
        let nonce = JSON.string(try await nonce())
        let token = try await idp.token(form, proofs: [try client.proof("p-1", ["nonce": nonce])], basic: nil)
            .text("access_token")
        for (seconds, comes) in [(149, false), (1, true)] {
            idp.clock.advance(by: .seconds(seconds))
            let proof = try client.proof(
                "p-\(seconds)-\(comes)",
                [
                    "nonce": nonce, "htm": "GET", "htu": .string(ProviderUnderTest.issuer + "/userinfo"),
                    "iat": .integer(idp.clock.now().secondsSinceEpoch),
                    "ath": .string(DPoPProofReader.hash(of: token)),
                ])
            let answer = await idp.get("/userinfo", [.authorization: "DPoP \(token)", .dpop: proof])
            #expect(answer.status == 200)
            #expect((answer.field("DPoP-Nonce") != nil) == comes)
        }
    }

    @Test func aRetrySpendsNoRefreshToken() async throws {
        let (form, family) = try await boundRefresh()
        let refused = await idp.token(form, proofs: [try client.proof()], basic: nil)
        #expect(refused.error == "use_dpop_nonce")
        #expect(try await idp.context.store.family(family)?.rotation.current == 1)
        let nonce = JSON.string(try #require(refused.field("DPoP-Nonce")))
        // RFC 9449 section 5: without a proof, or with that of another key, the token of a public client is worth nothing,
        // and it is not spent either.
        #expect(await idp.token(form, basic: nil).error == "invalid_grant")
        let thief = try ProofClient(at: idp.clock.now())
        let stolen = await idp.token(form, proofs: [try thief.proof("p-9", ["nonce": nonce])], basic: nil)
        #expect(stolen.error == "invalid_grant")
        #expect(try await idp.context.store.family(family)?.rotation.current == 1)

        let answer = await idp.token(form, proofs: [try client.proof("p-2", ["nonce": nonce])], basic: nil)
        #expect(answer.status == 200)
        #expect(answer.json?["token_type"] == "DPoP")
        #expect(try await idp.context.store.family(family)?.rotation.current == 2)
    }
}

import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

/// RFC 9449 section 11.1: a proof is good once.
@Suite struct DPoPReplayTests {
    let idp: ProviderUnderTest
    let client: ProofClient

    init() async throws {
        idp = try await ProviderUnderTest()
        client = try ProofClient(at: idp.clock.now())
    }

    @Test func refusesAProofThatWasUsed() async throws {
        let proof = try client.proof()
        #expect(await idp.token(proof: proof).status == 200)
        #expect(await idp.token(proof: proof).error == "invalid_dpop_proof")
    }

    @Test func refusesItAsLongAsItWouldBeTaken() async throws {
        let proof = try client.proof("p-1", ["iat": .integer(idp.clock.now().secondsSinceEpoch + 60)])
        #expect(await idp.token(proof: proof).status == 200)
        for step in [59, 1, 59, 1] {
            idp.clock.advance(by: .seconds(step))
            #expect(await idp.token(proof: proof).error == "invalid_dpop_proof")
        }
    }

    /// Another signature, even another time: the name counts.
    @Test func refusesANameThatWasUsed() async throws {
        #expect(await idp.token(proof: try client.proof()).status == 200)
        let other = try client.proof("p-1", ["iat": .integer(idp.clock.now().secondsSinceEpoch - 5)])
        #expect(await idp.token(proof: other).error == "invalid_dpop_proof")
    }

    @Test func theSameNameUnderAnotherKeyIsAnother() async throws {
        #expect(await idp.token(proof: try client.proof()).status == 200)
        #expect(await idp.token(proof: try ProofClient(at: idp.clock.now()).proof()).status == 200)
        #expect(await idp.token(proof: try client.proof("p-2")).status == 200)
        // The Kelvin sign is not K.
        #expect(await idp.token(proof: try client.proof("K")).status == 200)
        #expect(await idp.token(proof: try client.proof("\u{212A}")).status == 200)
    }

    @Test func ofManyAtOnceOneGetsThrough() async throws {
        let proof = try client.proof()
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { await idp.token(proof: proof).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 31)
    }

    /// Whoever is not the client cannot use up the names of its proofs.
    @Test func aRequestThatProvesNoClientSpendsNothing() async throws {
        let proof = try client.proof()
        let answer = await idp.token("grant_type=client_credentials", proofs: [proof], basic: "service:wrong")
        #expect(answer.error == "invalid_client")
        #expect(await idp.token(proof: proof).status == 200)
    }

    @Test func tellsInNoLogWhatAProofWas() async throws {
        let proof = try client.proof("a-name-of-a-proof")
        _ = await idp.token(proof: proof)
        _ = await idp.token(proof: proof)
        #expect(!idp.log.lines.joined().contains(proof))
        #expect(!idp.log.lines.joined().contains("a-name-of-a-proof"))
    }
}

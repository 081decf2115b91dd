import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Synchronization
import Testing

/// A device whose clock is wrong proves at the wrong time (RFC 9449 section 11.1), and learns that from the refusal (R24).
@Suite struct ProofTimeTests {
    /// A token endpoint and a resource that take proofs of their own minute.
    private final class ProofDesk: OutboundRequests {
        private struct State {
            var proofs: [ProofText] = []
            var spent: [String] = []
        }

        private let state = Mutex(State())
        let clock: ManualClock
        let saysDate: Bool
        /// Whether it refuses whatever comes.
        let isStubborn: Bool
        let nonce: String?

        init(at now: Timestamp, saysDate: Bool = true, isStubborn: Bool = false, nonce: String? = nil) {
            clock = ManualClock(startingAt: now)
            self.saysDate = saysDate
            self.isStubborn = isStubborn
            self.nonce = nonce
        }

        var proofs: [ProofText] { state.withLock { $0.proofs } }
        /// The refresh tokens that it has looked at.
        var spent: [String] { state.withLock { $0.spent } }

        func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
            let answer = answer(request, body)
            var fields = answer.fields
            if saysDate { fields[.date] = clock.now().httpDate }
            return (
                HTTPResponse(status: .init(code: answer.status, reasonPhrase: ""), headerFields: fields),
                Array(answer.body.utf8)
            )
        }

        private func answer(_ request: HTTPRequest, _ body: [UInt8]) -> (status: Int, fields: HTTPFields, body: String)
        {
            let proof = try! ProofText(request.headerFields[.dpop]!)
            state.withLock { $0.proofs.append(proof) }
            if let nonce, proof.claims["nonce"]?.string != nonce {
                return (400, [.dpopNonce: nonce], #"{"error":"use_dpop_nonce"}"#)
            }
            let issuedAt = Timestamp(secondsSinceEpoch: proof.claims["iat"]!.int64!)
            guard !isStubborn, abs((issuedAt - clock.now()).inSeconds) <= 60 else {
                let challenge = #"DPoP error="invalid_dpop_proof""#
                return (
                    request.path == "/token" ? 400 : 401, [.wwwAuthenticate: challenge],
                    #"{"error":"invalid_dpop_proof"}"#
                )
            }
            guard request.path == "/token" else { return (200, [:], "") }
            let form = try! FormParameters(parsing: body.span)
            state.withLock { $0.spent.append(form["refresh_token"] ?? "") }
            return (
                200, [:],
                #"{"access_token":"access-2","token_type":"DPoP","refresh_token":"refresh-2","expires_in":300}"#
            )
        }
    }

    private let now = LoginFixtures.now

    private func refresh(_ desk: ProofDesk) async throws -> TokenAnswer {
        await LoginFixtures.tokens(desk, proofs: try LoginFixtures.prover()).refresh(Secret(utf8: "refresh-1"))
    }

    @Test(arguments: [-86_400, -90, 90, 3600])
    func aProofOfAnotherTimeIsMadeAnewByTheClockOfTheServer(skew: Int) async throws {
        let desk = ProofDesk(at: now + .seconds(skew))
        #expect(try await refresh(desk).asGrant != nil)
        #expect(desk.proofs.count == 2 && desk.spent == ["refresh-1"])
        #expect(desk.proofs[0].claims["jti"] != desk.proofs[1].claims["jti"])
    }

    @Test func aServerThatSaysNoTimeIsNotAskedAgain() async throws {
        let desk = ProofDesk(at: now + .seconds(3600), saysDate: false)
        #expect(try await refresh(desk).asRefusal?.code == "invalid_dpop_proof")
        #expect(desk.proofs.count == 1)
    }

    @Test func aProofThatIsRefusedForSomethingElseIsNotMadeAnew() async throws {
        let desk = ProofDesk(at: now, isStubborn: true)
        #expect(try await refresh(desk).asRefusal?.code == "invalid_dpop_proof")
        #expect(desk.proofs.count == 1)
    }

    @Test func nobodyIsAskedAThirdTime() async throws {
        let desk = ProofDesk(at: now + .seconds(3600), isStubborn: true)
        #expect(try await refresh(desk).asRefusal?.endsSession == false)
        #expect(desk.proofs.count == 2)
    }

    @Test func aNonceAndATimeAreEachMendedOnce() async throws {
        let desk = ProofDesk(at: now + .seconds(3600), nonce: "n-1")
        #expect(try await refresh(desk).asGrant != nil)
        #expect(desk.proofs.count == 3 && desk.spent == ["refresh-1"])
    }

    /// A resource that refuses the proof has not refused the token: it is not replaced.
    @Test func aResourceIsAskedAgainWithTheSameToken() async throws {
        let (desk, time) = (ProofDesk(at: now + .seconds(3600)), VirtualTime())
        let tokens = LoginFixtures.tokens(desk, clock: time)
        let session = SessionManager(
            server: TokenSessionServer(tokens), store: MemorySessionStore(), clock: time, alarm: time)
        try await session.signIn(
            TokenDesk.grant(1, at: time.now(), lifetime: .seconds(86_400)), dpopKey: try DPoPKey.generate().pem())
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/things")
        #expect(try await session.send(request, through: desk).0.status == .ok)
        #expect(desk.proofs.count == 2 && desk.spent.isEmpty)
        // And the next proof is right at once.
        #expect(try await session.send(request, through: desk).0.status == .ok)
        #expect(desk.proofs.count == 3)
    }
}

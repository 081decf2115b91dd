import Cookies
import Primitives
import SessionClient
import Testing

/// R14: which of two answers goes over the other, when both came for one token.
@Suite struct SuccessionTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private func credential(_ generation: UInt64, for presentation: Presentation?, _ name: String) -> Credential {
        Credential(
            generation: generation, presentation: presentation, accessToken: Secret(utf8: name), tokenType: "Bearer",
            cookies: [Cookie(name: name, value: "1", domain: "app.example", at: Self.now)])
    }

    private func record(_ credential: Credential, epoch: UInt64 = 1, _ rotation: Rotation? = nil) -> SessionRecord {
        SessionRecord(epoch: epoch, content: .signedIn(credential), rotation: rotation)
    }

    private func claim(attempt: Int, leaseEnds: Timestamp? = now) -> Rotation {
        Rotation(holder: "h", leaseEnds: leaseEnds, claimed: Self.now, began: Self.now, attempts: attempt)
    }

    /// What came for the token of generation 4 at the second attempt.
    private var ours: SessionRecord { record(credential(5, for: Presentation(of: 4, attempt: 2), "ours")) }

    @Test func whatCameGoesOverAMereClaim() throws {
        let former = credential(4, for: Presentation(of: 3, attempt: 1), "former")
        for rotation in [nil, claim(attempt: 2), claim(attempt: 3, leaseEnds: nil)] {
            let next = try #require(ours.written(over: record(former, rotation)))
            #expect(next.credential == ours.credential && next.rotation == nil)
            #expect(next.gone.map(\.name) == ["former"])
        }
    }

    /// Whoever has claimed the token since may be about to hear that what is written now is dead.
    @Test func aLaterClaimHoldsOnForTheNextRefresh() throws {
        let former = credential(4, for: nil, "former")
        let next = try #require(ours.written(over: record(former, claim(attempt: 3))))
        #expect(next.credential == ours.credential && next.rotation == claim(attempt: 3))
    }

    @Test func theLaterPresentationGoesOverTheEarlierUnderANewNumber() throws {
        let theirs = credential(5, for: Presentation(of: 4, attempt: 1), "theirs")
        let next = try #require(ours.written(over: record(theirs)))
        #expect(next.credential?.generation == 6 && next.credential?.accessToken == Secret(utf8: "ours"))
        #expect(next.credential?.presentation == Presentation(of: 4, attempt: 2))
    }

    @Test func theEarlierPresentationNeverGoesOverTheLater() {
        for attempt in [2, 3] {
            let theirs = credential(5, for: Presentation(of: 4, attempt: attempt), "theirs")
            #expect(ours.written(over: record(theirs)) == nil)
        }
    }

    @Test func nothingGoesOverWhatCameOfALaterToken() {
        #expect(ours.written(over: record(credential(6, for: Presentation(of: 5, attempt: 1), "theirs"))) == nil)
        #expect(ours.written(over: record(credential(5, for: nil, "theirs"))) == nil)
    }

    @Test func nothingGoesOverAnotherLoginOrASignOut() {
        #expect(ours.written(over: record(credential(4, for: nil, "former"), epoch: 2)) == nil)
        #expect(ours.written(over: SessionRecord(epoch: 1, content: .signedOut(SignOut(.user)))) == nil)
    }
}

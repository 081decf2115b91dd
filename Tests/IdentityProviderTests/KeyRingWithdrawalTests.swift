import IdentityProvider
import JOSE
import Primitives
import Testing

/// Keys that nobody is to trust any more.
@Suite struct KeyRingWithdrawalTests {
    let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let policy = KeyRingPolicy(longestTokenLifetime: .seconds(1000))

    private func ring() throws -> KeyRing {
        var state = KeyRing.State()
        try state.rotate(to: .named("a"), at: now, by: policy)
        try state.rotate(to: .named("b", .edDSA), at: now, by: policy)
        return KeyRing(restoring: state, policy: policy, at: now)
    }

    @Test func aKeyIsGoneAtOnceThoughItsTokensAreGood() throws {
        let ring = try ring()
        try ring.sign(.es256, for: .seconds(1000), at: now)
        try ring.withdraw("a", succeededBy: .named("c"), at: now)
        #expect(try ring.publishedKeyIDs(at: now).sorted() == ["b", "c"])
        #expect(try ring.sign(.es256, for: .seconds(1), at: now) == "c")
        #expect(try ring.sign(.edDSA, for: .seconds(1), at: now) == "b")
    }

    @Test func theOneThatWasToBeNextTakesOver() throws {
        let ring = try ring()
        try ring.publishAhead(.named("next"), at: now)
        #expect(ring.algorithm(ofLoneKey: "a", at: now) == nil)
        try ring.withdraw("a", succeededBy: nil, at: now)
        #expect(try ring.sign(.es256, for: .seconds(1), at: now) == "next")
    }

    @Test func oneThatIsToBeNextOrRetiresTakesNobodyWithIt() throws {
        let ring = try ring()
        try ring.publishAhead(.named("next"), at: now)
        try ring.withdraw("next", succeededBy: nil, at: now)
        try ring.sign(.es256, for: .seconds(1000), at: now)
        try ring.rotate(to: .named("c"), at: now)
        try ring.withdraw("a", succeededBy: nil, at: now)
        #expect(try ring.publishedKeyIDs(at: now).sorted() == ["b", "c"])
    }

    /// Of each algorithm one key signs: a ring that refuses stays as it was.
    @Test func theLastOneGoesOnlyIfAnotherOfItsAlgorithmComes() throws {
        let ring = try ring()
        #expect(ring.algorithm(ofLoneKey: "a", at: now) == .es256)
        #expect(throws: KeyRingError.noActiveKey(.es256)) { try ring.withdraw("a", succeededBy: nil, at: now) }
        #expect(throws: KeyRingError.noActiveKey(.es256)) {
            try ring.withdraw("a", succeededBy: .named("x", .edDSA), at: now)
        }
        #expect(try ring.publishedKeyIDs(at: now).sorted() == ["a", "b"])
    }

    /// Another server that keeps its keys in the same place may put it back there.
    @Test func aKeyIsNotTakenUpAgainFromOthers() throws {
        let ring = try ring()
        let others = ring.state(at: now)
        try ring.withdraw("a", succeededBy: .named("c"), at: now)
        #expect(try ring.adopt(others, at: now).isEmpty)
        #expect(try ring.publishedKeyIDs(at: now).sorted() == ["b", "c"])
        #expect(try ring.sign(.es256, for: .seconds(1), at: now) == "c")
    }

    @Test(arguments: ["none", "", "A"])
    func thereIsNoSuchKey(_ keyID: String) throws {
        let ring = try ring()
        #expect(throws: KeyRingError.unknownKeyID) { try ring.withdraw(keyID, succeededBy: .named("c"), at: now) }
        #expect(ring.algorithm(ofLoneKey: keyID, at: now) == nil)
    }
}

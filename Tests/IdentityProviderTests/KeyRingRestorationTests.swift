import IdentityProvider
import JOSE
import Primitives
import Testing

@Suite struct KeyRingRestorationTests {
    typealias Entry = KeyRing.Entry

    let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let policy = KeyRingPolicy(
        clockLeeway: .seconds(60), cacheLifetime: .seconds(300), longestTokenLifetime: .seconds(1000))

    private func fresh() throws -> KeyRing {
        var state = KeyRing.State()
        try state.rotate(to: .named("a"), at: start, by: policy)
        return KeyRing(restoring: state, policy: policy, at: start)
    }

    @Test func keepsEveryKeyWithItsRole() throws {
        let ring = try fresh()
        try ring.sign(for: .seconds(100), at: start)
        try ring.rotate(to: .named("b"), at: start)
        try ring.publishAhead(.named("c"), at: start)
        let kept = ring.state(at: start)
        let restored = KeyRing(restoring: try KeyRing.State(restoring: kept.keys), policy: policy, at: start)
        let state = restored.state(at: start)
        #expect(state.keys.map(\.key.keyID) == ["a", "b", "c"])
        #expect(
            state.keys.map(\.role) == [
                .retiring(publishedUntil: start + .seconds(160)), .active, .next(activeFrom: start + .seconds(300)),
            ])
        #expect(state.keys.map(\.created) == [start, start, start])
        #expect(restored.published(at: start).entityTag == ring.published(at: start).entityTag)
    }

    /// The state was kept before the tokens were signed, and the process was killed after.
    @Test func assumesTokensThatNobodyWroteDown() throws {
        let ring = try fresh()
        let kept = ring.state(at: start)
        try ring.sign(for: .seconds(1000), at: start + .seconds(500))

        let restored = KeyRing(restoring: kept, policy: policy, at: start + .seconds(500))
        try restored.rotate(to: .named("b"), at: start + .seconds(501))
        #expect(try restored.publishedKeyIDs(at: start + .milliseconds(1_559_999)) == ["b", "a"])
        #expect(try restored.publishedKeyIDs(at: start + .seconds(1560)) == ["b"])
    }

    @Test func assumesThemOfTheLifetimeThatWasConfiguredThen() throws {
        let kept = try fresh().state(at: start)
        let shorter = KeyRingPolicy(longestTokenLifetime: .seconds(1))
        let restored = KeyRing(restoring: kept, policy: shorter, at: start)
        try restored.rotate(to: .named("b"), at: start)
        #expect(try restored.publishedKeyIDs(at: start + .milliseconds(1_059_999)) == ["b", "a"])
    }

    /// Both the key that took over while nobody wrote it down, and the one before it, may have signed.
    @Test func assumesThemOfAKeyThatTookOverUnseen() throws {
        let ring = try fresh()
        try ring.publishAhead(.named("b"), at: start)
        let kept = ring.state(at: start)
        #expect(try ring.sign(for: .seconds(1000), at: start + .milliseconds(299_999)) == "a")
        #expect(try ring.sign(for: .seconds(1000), at: start + .seconds(400)) == "b")

        let restored = KeyRing(restoring: kept, policy: policy, at: start + .seconds(400))
        try restored.rotate(to: .named("c"), at: start + .seconds(400))
        #expect(try restored.publishedKeyIDs(at: start + .seconds(400)) == ["c", "a", "b"])
        #expect(try restored.publishedKeyIDs(at: start + .milliseconds(1_359_999)) == ["c", "a", "b"])
        #expect(try restored.publishedKeyIDs(at: start + .seconds(1360)) == ["c", "b"])
        #expect(try restored.publishedKeyIDs(at: start + .seconds(1460)) == ["c"])
    }

    @Test func whatFellDueMeanwhileHasHappened() throws {
        let ring = try fresh()
        try ring.sign(for: .seconds(100), at: start)
        try ring.rotate(to: .named("b"), at: start)
        let restored = KeyRing(restoring: ring.state(at: start), policy: policy, at: start + .seconds(160))
        #expect(try restored.publishedKeyIDs(at: start + .seconds(160)) == ["b"])
    }

    @Test func refusesStatesThatCannotBe() throws {
        let key = try SigningKey.named("a")
        let other = try SigningKey.named("b")
        let third = try SigningKey.named("c")
        func entry(_ key: SigningKey, _ role: KeyRing.Role) -> Entry { Entry(key: key, created: start, role: role) }
        func error(_ entries: Entry...) -> KeyRingError? {
            do {
                _ = try KeyRing.State(restoring: entries)
                return nil
            } catch {
                return error
            }
        }
        #expect(error() == nil)
        #expect(error(entry(key, .active), entry(other, .next(activeFrom: start))) == nil)
        #expect(error(entry(key, .active), entry(key, .retiring(publishedUntil: start))) == .repeatedKeyID)
        #expect(error(entry(key, .active), entry(other, .active)) == .severalActiveKeys(.es256))
        #expect(error(entry(key, .next(activeFrom: start))) == .noActiveKey(.es256))
        #expect(error(entry(key, .retiring(publishedUntil: start))) == .noActiveKey(.es256))
        #expect(
            error(entry(key, .active), entry(other, .next(activeFrom: start)), entry(third, .next(activeFrom: start)))
                == .severalNextKeys(.es256))
    }
}

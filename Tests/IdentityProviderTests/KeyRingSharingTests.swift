import IdentityProvider
import JOSE
import Primitives
import Testing

/// Keys that a server signs with, and that others change where they are kept.
@Suite struct KeyRingSharingTests {
    let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let policy = KeyRingPolicy(
        clockLeeway: .seconds(60), cacheLifetime: .seconds(300), longestTokenLifetime: .seconds(1000))
    let outside = KeyRingPolicy(
        clockLeeway: .seconds(60), cacheLifetime: .seconds(300), longestTokenLifetime: .zero)

    private func server() throws -> KeyRing {
        var state = KeyRing.State()
        try state.rotate(to: .named("a"), at: start, by: policy)
        return KeyRing(restoring: state, policy: policy, at: start)
    }

    private func role(of keyID: String, in state: KeyRing.State) -> KeyRing.Role? {
        state.keys.first { $0.key.keyID == keyID }?.role
    }

    @Test func aNotedTokenKeepsAKeyThatSignsPublished() throws {
        let ring = try server()
        var kept = ring.state(at: start)
        try kept.noteToken(signedBy: "a", expiring: start + .seconds(5000), by: outside)
        #expect(try ring.adopt(kept, at: start).isEmpty)
        try ring.rotate(to: .named("b"), at: start)
        #expect(try ring.publishedKeyIDs(at: start + .milliseconds(5_059_999)) == ["b", "a"])
        #expect(try ring.publishedKeyIDs(at: start + .seconds(5060)) == ["b"])
    }

    @Test func aNotedTokenKeepsAKeyThatRetiresPublished() throws {
        let ring = try server()
        try ring.sign(for: .seconds(10), at: start)
        var kept = ring.state(at: start)
        try ring.rotate(to: .named("b"), at: start)
        // Noted while the key was still the one that signs there.
        try kept.noteToken(signedBy: "a", expiring: start + .seconds(5000), by: outside)
        _ = try ring.adopt(kept, at: start)
        #expect(ring.state(at: start).activeKeyIDs() == ["b"])
        #expect(role(of: "a", in: ring.state(at: start)) == .retiring(publishedUntil: start + .seconds(5060)))
        // And once it retires there too.
        kept = ring.state(at: start)
        try kept.noteToken(signedBy: "a", expiring: start + .seconds(6000), by: outside)
        #expect(role(of: "a", in: kept) == .retiring(publishedUntil: start + .seconds(6060)))
        _ = try ring.adopt(kept, at: start)
        #expect(role(of: "a", in: ring.state(at: start)) == .retiring(publishedUntil: start + .seconds(6060)))
    }

    /// The ring let the key go, because it had signed nothing here.
    @Test func aNotedTokenBringsAKeyBackThatHadGone() throws {
        let ring = try server()
        try ring.publishAhead(.named("b"), at: start)
        var kept = ring.state(at: start)
        try kept.noteToken(signedBy: "a", expiring: start + .seconds(5000), by: outside)
        let later = start + .seconds(300)
        #expect(try ring.publishedKeyIDs(at: later) == ["b"])
        #expect(try ring.adopt(kept, at: later).isEmpty)
        #expect(try ring.publishedKeyIDs(at: later) == ["b", "a"])
        #expect(ring.state(at: later).activeKeyIDs() == ["b"])
    }

    @Test func refusesToNoteATokenOfAKeyThatIsNotThere() throws {
        var state = try server().state(at: start)
        #expect(throws: KeyRingError.unknownKeyID) {
            try state.noteToken(signedBy: "b", expiring: start, by: outside)
        }
    }

    @Test func aNotedTokenSaysNothingOfOthers() throws {
        let ring = try server()
        var kept = ring.state(at: start)
        try kept.noteToken(signedBy: "a", expiring: start + .seconds(315_360_000), by: outside)
        _ = try ring.adopt(kept, at: start)
        #expect(ring.state(at: start).keys.map(\.longestLifetime) == [.seconds(1000)])
    }

    @Test func aKeyFromOutsideComesWithItsAgeAndItsTokens() throws {
        let ring = try server()
        var kept = ring.state(at: start)
        try kept.rotateBeside(to: .named("b"), at: start + .seconds(1), by: outside)
        try kept.noteToken(signedBy: "b", expiring: start + .seconds(5000), by: outside)
        #expect(try ring.adopt(kept, at: start + .seconds(10)) == ["b"])
        let entry = try #require(ring.state(at: start + .seconds(10)).keys.first { $0.key.keyID == "b" })
        #expect(entry.role == .active)
        #expect(entry.created == start + .seconds(1))
        #expect(entry.latestExpiry == start + .seconds(5000))
        #expect(entry.longestLifetime == .seconds(1000))
    }

    @Test func whatIsTakenOverIsTakenOverOnce() throws {
        let ring = try server()
        var kept = ring.state(at: start)
        try kept.publishAhead(.named("b"), at: start, by: policy)
        #expect(try ring.adopt(kept, at: start) == ["b"])
        #expect(role(of: "b", in: ring.state(at: start)) == .next(activeFrom: start + .seconds(300)))
        #expect(try ring.adopt(kept, at: start).isEmpty)
        #expect(ring.state(at: start).keys.map(\.longestLifetime) == [.seconds(1000), .seconds(1000)])
    }

    /// Nobody told the server, so it signed with what it had until it was killed.
    @Test func assumesThatAServerWentOnWithWhatOthersRetired() throws {
        let ring = try server()
        try ring.publishAhead(.named("b"), at: start)
        var kept = ring.state(at: start)
        try kept.rotateBeside(to: .named("c"), at: start + .seconds(100), by: outside)
        #expect(try ring.sign(for: .seconds(1000), at: start + .milliseconds(299_999)) == "a")
        #expect(try ring.sign(for: .seconds(1000), at: start + .seconds(4000)) == "b")
        // Who comes later and looks at the keys does not let go what may still be in use.
        try kept.rotateBeside(to: .named("d"), at: start + .seconds(3900), by: outside)

        let end = start + .seconds(4000)
        let restored = KeyRing(restoring: kept, policy: policy, at: end)
        #expect(try restored.publishedKeyIDs(at: end) == ["d", "a", "b"])
        #expect(try restored.publishedKeyIDs(at: end + .milliseconds(1_059_999)) == ["d", "a", "b"])
        #expect(try restored.publishedKeyIDs(at: end + .seconds(1060)) == ["d"])
    }

    /// From then on it is known that they sign no more: the next restart assumes nothing.
    @Test func assumesSoOnce() throws {
        let ring = try server()
        var kept = ring.state(at: start)
        try kept.rotateBeside(to: .named("b"), at: start, by: outside)
        let first = KeyRing(restoring: kept, policy: policy, at: start + .seconds(10)).state(at: start + .seconds(10))
        let second = KeyRing(restoring: first, policy: policy, at: start + .seconds(500))
        #expect(
            role(of: "a", in: second.state(at: start + .seconds(500)))
                == .retiring(publishedUntil: start + .seconds(1070)))
    }

    @Test func assumesNothingOfAKeyThatRetiredUnderTheEyesOfTheServer() throws {
        let ring = try server()
        try ring.sign(for: .seconds(10), at: start)
        try ring.rotate(to: .named("b"), at: start)
        let restored = KeyRing(restoring: ring.state(at: start), policy: policy, at: start + .seconds(50))
        #expect(
            role(of: "a", in: restored.state(at: start + .seconds(50)))
                == .retiring(publishedUntil: start + .seconds(70)))
    }

    /// Tokens of a lifetime that is configured no more are accounted for at the first restart, and not at every one.
    @Test func forgetsTheLifetimeOfAnEarlierConfiguration() throws {
        let kept = try server().state(at: start)
        let shorter = KeyRingPolicy(longestTokenLifetime: .seconds(1))
        let first = KeyRing(restoring: kept, policy: shorter, at: start).state(at: start)
        let second = KeyRing(restoring: first, policy: shorter, at: start + .seconds(900))
        try second.rotate(to: .named("b"), at: start + .seconds(900))
        #expect(try second.publishedKeyIDs(at: start + .milliseconds(1_059_999)) == ["b", "a"])
        #expect(try second.publishedKeyIDs(at: start + .seconds(1060)) == ["b"])
    }
}

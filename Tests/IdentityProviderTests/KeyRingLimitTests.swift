import IdentityProvider
import JOSE
import Primitives
import Testing

@Suite struct KeyRingLimitTests {
    let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let policy = KeyRingPolicy(longestTokenLifetime: .seconds(1000))

    /// Keys are dear to make, and any will do.
    static let material = Result { try SigningKey.generate(.edDSA).jwk.material }

    private func key(_ number: Int) throws -> SigningKey {
        try SigningKey(JWK(Self.material.get()), algorithm: .edDSA, keyID: "k\(number)")
    }

    private func full() throws -> KeyRing {
        var state = KeyRing.State()
        try state.rotate(to: key(1), at: start, by: policy)
        let ring = KeyRing(restoring: state, policy: policy, at: start)
        for number in 2...KeyRing.State.maximumCount {
            try ring.sign(.edDSA, for: .seconds(1000), at: start)
            try ring.rotate(to: key(number), at: start)
        }
        return ring
    }

    @Test func hasAsManyKeysAsAVerifierReads() throws {
        let ring = try full()
        #expect(try ring.publishedKeyIDs(at: start).count == JWKSet.maximumCount)
        #expect(throws: KeyRingError.tooManyKeys(limit: 256)) { try ring.rotate(to: key(0), at: start) }
        #expect(throws: KeyRingError.tooManyKeys(limit: 256)) { try ring.publishAhead(key(0), at: start) }
        #expect(try ring.publishedKeyIDs(at: start).count == 256)
        #expect(try ring.sign(.edDSA, for: .seconds(1), at: start) == "k256")
        // There is room again when tokens have expired.
        try ring.rotate(to: key(0), at: start + .seconds(1060))
    }

    @Test func takesNoMoreFromWhereTheyAreKept() throws {
        let ring = try full()
        let kept = ring.state(at: start).keys
        #expect(try KeyRing.State(restoring: kept).keys.count == 256)
        let other = KeyRing.Entry(key: try key(0), created: start, role: .retiring(publishedUntil: start + .seconds(9)))
        #expect(throws: KeyRingError.tooManyKeys(limit: 256)) { try KeyRing.State(restoring: kept + [other]) }
        var elsewhere = KeyRing.State()
        try elsewhere.rotate(to: key(256), at: start, by: policy)
        elsewhere = try KeyRing.State(restoring: elsewhere.keys + [other])
        #expect(throws: KeyRingError.tooManyKeys(limit: 256)) { try ring.adopt(elsewhere, at: start) }
    }

    @Test func knowsWhichRotationsThereIsRoomFor() {
        // Of 256 keys, 253 may be those of tokens that are valid for 1060 seconds.
        #expect(policy.hasRoom(rotatingEvery: .milliseconds(4190)))
        #expect(!policy.hasRoom(rotatingEvery: .milliseconds(4189)))
        #expect(policy.hasRoom(rotatingEvery: .seconds(86_400)))
        #expect(!policy.hasRoom(rotatingEvery: .zero))
    }

    @Test func timesThatCannotBeAddedUpStopNothing() throws {
        let last = Timestamp(millisecondsSinceEpoch: .max)
        let entry = KeyRing.Entry(
            key: try key(1), created: start, role: .active, latestExpiry: last, longestLifetime: .seconds(Int64.max))
        let ring = KeyRing(restoring: try KeyRing.State(restoring: [entry]), policy: policy, at: start)
        try ring.rotate(to: key(2), at: start)
        #expect(try ring.publishedKeyIDs(at: last - .milliseconds(1)) == ["k2", "k1"])
    }
}

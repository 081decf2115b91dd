import IdentityProvider
import JOSE
import Primitives
import Testing

/// Random histories of signing, waiting, rotating, publishing ahead and restarting, of others who rotate and sign where
/// the keys are kept, with a model beside them that knows every token.
@Suite struct KeyRingHistoryTests {
    /// A random number generator that repeats itself.
    struct Dice: RandomNumberGenerator {
        let source: SeededRandom
        mutating func next() -> UInt64 {
            source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    static let algorithms: [SignatureAlgorithm] = [.es256, .edDSA]
    static let policy = KeyRingPolicy(
        clockLeeway: .seconds(20), cacheLifetime: .seconds(50), longestTokenLifetime: .seconds(200))
    /// Of those who do not know for how long a server signs.
    static let outside = KeyRingPolicy(
        clockLeeway: .seconds(20), cacheLifetime: .seconds(50), longestTokenLifetime: .zero)

    /// Keys are dear to make, and any will do: their names tell them apart.
    static let material = Result { try algorithms.map { try SigningKey.generate($0) } }

    static func key(_ algorithm: Int, _ number: Int) throws -> SigningKey {
        try SigningKey(
            JWK(material.get()[algorithm].jwk.material), algorithm: algorithms[algorithm], keyID: "k\(number)")
    }

    @Test(arguments: 0..<60) func holdsInEveryHistory(seed: UInt64) throws {
        var dice = Dice(source: SeededRandom(seed: seed))
        var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var keyCount = 0
        var state = KeyRing.State()
        for algorithm in Self.algorithms.indices {
            keyCount += 1
            try state.rotate(to: Self.key(algorithm, keyCount), at: now, by: Self.policy)
        }
        var ring = KeyRing(restoring: state, policy: Self.policy, at: now)
        var kept = ring.state(at: now)
        // What the model knows: until when each key's tokens are valid, and until when a key may stay for other reasons.
        var lastExpiry: [String: Timestamp] = [:]
        var mayStayUntil: [String: Timestamp] = [:]
        // Tokens signed beside the server, which it knows of when it looks.
        var unseen: [String: Timestamp] = [:]
        func assume(_ kept: KeyRing.State, signingUntil moment: Timestamp) {
            for entry in kept.keys {
                let until = moment + entry.longestLifetime + Self.policy.clockLeeway
                mayStayUntil[entry.key.keyID] = max(mayStayUntil[entry.key.keyID] ?? until, until)
            }
        }
        func look() {
            lastExpiry.merge(unseen, uniquingKeysWith: max)
            unseen = [:]
        }

        for _ in 0..<200 {
            let algorithm = Int.random(in: 0..<Self.algorithms.count, using: &dice)
            switch Int.random(in: 0..<24, using: &dice) {
            case 0..<9:
                let lifetime = Duration.milliseconds(Int64.random(in: 1...200_000, using: &dice))
                let keyID = try ring.sign(Self.algorithms[algorithm], for: lifetime, at: now)
                lastExpiry[keyID] = max(lastExpiry[keyID] ?? now, now + lifetime)
            case 9..<15:
                now = now + .milliseconds(Int64.random(in: 0...60_000, using: &dice))
            case 15:
                now = now + .seconds(Int64.random(in: 0...400, using: &dice))
            case 16, 17:
                keyCount += 1
                _ = try ring.adopt(kept, at: now)
                look()
                try ring.rotate(to: Self.key(algorithm, keyCount), at: now)
                kept = ring.state(at: now)
            case 18:
                keyCount += 1
                _ = try ring.adopt(kept, at: now)
                look()
                try ring.publishAhead(Self.key(algorithm, keyCount), at: now)
                kept = ring.state(at: now)
            case 19:
                // Killed: what was kept at the last change is all that is left.
                assume(kept, signingUntil: now)
                ring = KeyRing(restoring: kept, policy: Self.policy, at: now)
                look()
                kept = ring.state(at: now)
            case 20:
                // Told to look.
                _ = try ring.adopt(kept, at: now)
                look()
                kept = ring.state(at: now)
            case 21, 22:
                // Somebody makes a key. A key that was to be next may still begin to sign where nobody knows of it.
                keyCount += 1
                assume(kept, signingUntil: now + Self.policy.cacheLifetime)
                try kept.rotateBeside(to: Self.key(algorithm, keyCount), at: now, by: Self.outside)
            default:
                // Somebody signs.
                assume(kept, signingUntil: now)
                kept.catchUp(to: now, by: Self.outside)
                let keyID = try #require(kept.activeKeyIDs(of: Self.algorithms[algorithm]).first)
                let expiry = now + .milliseconds(Int64.random(in: 1...900_000, using: &dice))
                try kept.noteToken(signedBy: keyID, expiring: expiry, by: Self.outside)
                unseen[keyID] = max(unseen[keyID] ?? expiry, expiry)
            }
            try expectInvariants(of: ring, at: now, lastExpiry, mayStayUntil)
        }
    }

    private func expectInvariants(
        of ring: KeyRing, at now: Timestamp, _ lastExpiry: [String: Timestamp], _ mayStayUntil: [String: Timestamp]
    ) throws {
        let published = Set(try ring.publishedKeyIDs(at: now))
        for (keyID, expiry) in lastExpiry where now < expiry + Self.policy.clockLeeway {
            #expect(published.contains(keyID), "a token of \(keyID) is valid, and its key is not published")
        }
        let state = ring.state(at: now)
        #expect(Set(state.keys.map(\.key.keyID)) == published)
        for algorithm in Self.algorithms { #expect(state.activeKeyIDs(of: algorithm).count == 1) }
        for entry in state.keys {
            let keyID = entry.key.keyID
            switch entry.role {
            case .active: break
            case .next(let activeFrom): #expect(now < activeFrom)
            case .retiring:
                let needed = (lastExpiry[keyID] ?? now - .seconds(1000)) + Self.policy.clockLeeway
                let permitted = max(needed, mayStayUntil[keyID] ?? needed)
                #expect(now < permitted, "\(keyID) is published for nothing")
            }
        }
    }

    /// However rotation and signing fall together, the key of every token is published.
    @Test func holdsWhenManySignWhileKeysRotate() async throws {
        let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var state = KeyRing.State()
        try state.rotate(to: Self.key(0, 0), at: now, by: Self.policy)
        let ring = KeyRing(restoring: state, policy: Self.policy, at: now)
        let used = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var used: Set<String> = []
                    for _ in 0..<2000 { used.insert(try ring.sign(for: .seconds(100), at: now)) }
                    return used
                }
            }
            group.addTask {
                for number in 1...100 { try ring.rotate(to: Self.key(0, number), at: now) }
                return []
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(try used.isSubset(of: ring.publishedKeyIDs(at: now)))
        #expect(ring.state(at: now).activeKeyIDs() == ["k100"])
    }
}

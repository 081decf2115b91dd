import IdentityProvider
import JOSE
import Primitives
import Testing

@Suite struct KeyRingTests {
    let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    let policy = KeyRingPolicy(
        clockLeeway: .seconds(60), cacheLifetime: .seconds(300), longestTokenLifetime: .seconds(1000))

    private func ring(_ keys: SigningKey...) throws -> KeyRing {
        var state = KeyRing.State()
        for key in keys { try state.rotate(to: key, at: start, by: policy) }
        return KeyRing(restoring: state, policy: policy, at: start)
    }

    @Test func severalAlgorithmsSignSideBySide() throws {
        let ring = try ring(.named("a"), .named("b", .edDSA), .named("c", .hs256))
        #expect(try ring.sign(.es256, for: .seconds(1), at: start) == "a")
        #expect(try ring.sign(.edDSA, for: .seconds(1), at: start) == "b")
        #expect(try ring.sign(.hs256, for: .seconds(1), at: start) == "c")
        #expect(throws: KeyRingError.noActiveKey(.rs256)) { try ring.sign(.rs256, for: .seconds(1), at: start) }
        #expect(ring.canSign(with: .edDSA))
        #expect(!ring.canSign(with: .es512))
    }

    @Test func secretsAreNeverPublished() throws {
        let ring = try ring(.named("a"), .named("secret", .hs256))
        try ring.sign(.hs256, for: .seconds(1000), at: start)
        try ring.publishAhead(.named("next", .hs256), at: start)
        #expect(try ring.publishedKeyIDs(at: start) == ["a"])
        #expect(!String(decoding: ring.published(at: start).bytes, as: UTF8.self).contains("\"k\""))
    }

    @Test func privatePartsAreNeverPublished() throws {
        let ring = try ring(.named("a"), .named("b", .edDSA), .named("c", .rs256))
        let bytes = ring.published(at: start).bytes
        let keys = try #require(try JSON(parsing: bytes.span)["keys"]?.array)
        #expect(keys.count == 3)
        for key in keys {
            let names = Set(key.object?.names ?? [])
            #expect(names.isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k"]))
            #expect(names.isSuperset(of: ["kty", "use", "alg", "kid"]))
        }
    }

    @Test func afterRotationTheNewKeySignsAndTheOldOneStaysUntilItsLastTokenHasExpired() throws {
        let ring = try ring(.named("old"))
        try ring.sign(for: .seconds(100), at: start)
        try ring.sign(for: .seconds(10), at: start + .seconds(5))
        try ring.rotate(to: .named("new"), at: start + .seconds(20))
        #expect(try ring.sign(for: .seconds(100), at: start + .seconds(20)) == "new")
        // The first that is published signs.
        #expect(try ring.publishedKeyIDs(at: start + .seconds(20)) == ["new", "old"])
        #expect(try ring.publishedKeyIDs(at: start + .milliseconds(159_999)) == ["new", "old"])
        #expect(try ring.publishedKeyIDs(at: start + .seconds(160)) == ["new"])
        #expect(ring.state(at: start + .seconds(160)).keys.count == 1)
    }

    @Test func aKeyThatSignedNothingGoesAtOnce() throws {
        let ring = try ring(.named("old"))
        try ring.rotate(to: .named("new"), at: start)
        #expect(try ring.publishedKeyIDs(at: start) == ["new"])
    }

    @Test func aKeyWhoseTokensHaveExpiredGoesAtOnce() throws {
        let ring = try ring(.named("old"))
        try ring.sign(for: .seconds(10), at: start)
        try ring.rotate(to: .named("new"), at: start + .seconds(70))
        #expect(try ring.publishedKeyIDs(at: start + .seconds(70)) == ["new"])
    }

    @Test func rotationOfOneAlgorithmLeavesTheOthersAlone() throws {
        let ring = try ring(.named("a"), .named("b", .edDSA))
        try ring.rotate(to: .named("c"), at: start)
        #expect(try ring.sign(.edDSA, for: .seconds(1), at: start) == "b")
        #expect(try ring.publishedKeyIDs(at: start) == ["b", "c"])
    }

    @Test func aKeyPublishedAheadSignsWhenNobodyCanHaveAnOlderSet() throws {
        let ring = try ring(.named("old"))
        try ring.publishAhead(.named("new"), at: start)
        #expect(try ring.publishedKeyIDs(at: start) == ["old", "new"])
        #expect(try ring.sign(for: .seconds(100), at: start + .milliseconds(299_999)) == "old")
        #expect(try ring.sign(for: .seconds(100), at: start + .seconds(300)) == "new")
        #expect(try ring.publishedKeyIDs(at: start + .seconds(300)) == ["new", "old"])
        #expect(try ring.publishedKeyIDs(at: start + .seconds(460)) == ["new"])
    }

    @Test func theFirstKeyOfAnAlgorithmNeedNotWait() throws {
        let ring = try ring(.named("a"))
        try ring.publishAhead(.named("b", .edDSA), at: start)
        #expect(try ring.sign(.edDSA, for: .seconds(1), at: start) == "b")
    }

    @Test func aNewerNextKeyReplacesTheOneThatWasToBeNext() throws {
        let ring = try ring(.named("old"))
        try ring.publishAhead(.named("skipped"), at: start)
        try ring.publishAhead(.named("new"), at: start + .seconds(1))
        #expect(try ring.publishedKeyIDs(at: start + .seconds(1)) == ["old", "new"])
        try ring.rotate(to: .named("newest"), at: start + .seconds(2))
        #expect(try ring.publishedKeyIDs(at: start + .seconds(2)) == ["newest"])
        #expect(ring.state(at: start + .seconds(9999)).activeKeyIDs() == ["newest"])
    }

    @Test func refusesAKeyIdentifierThatIsThere() throws {
        let ring = try ring(.named("a"), .named("b", .edDSA))
        #expect(throws: KeyRingError.repeatedKeyID) { try ring.rotate(to: .named("a"), at: start) }
        #expect(throws: KeyRingError.repeatedKeyID) { try ring.publishAhead(.named("b"), at: start) }
        #expect(try ring.publishedKeyIDs(at: start) == ["a", "b"])
    }

    @Test func theTagChangesWithTheKeysAndOnlyThen() throws {
        let ring = try ring(.named("a"))
        let tag = ring.published(at: start).entityTag
        try ring.sign(for: .seconds(100), at: start)
        #expect(ring.published(at: start + .seconds(1000)).entityTag == tag)
        try ring.rotate(to: .named("b"), at: start)
        let both = ring.published(at: start).entityTag
        #expect(both != tag)
        #expect(ring.published(at: start + .seconds(160)).entityTag != both)
    }

    @Test func aTokenOfARetiredKeyIsVerifiedToItsEnd() async throws {
        let idp = try await ProviderUnderTest(lifetime: .seconds(100))
        let token = try await idp.accessToken()
        let old = try await idp.verified(token).keyID
        idp.clock.advance(by: .seconds(1))
        try idp.keyRing.rotate(to: .generate(.es256), at: idp.clock.now())
        idp.clock.advance(by: .milliseconds(98_999))
        #expect(try await idp.verified(token).keyID == old)
        #expect(try await idp.verified(try await idp.accessToken()).keyID != old)
        idp.clock.advance(by: .milliseconds(1))
        await #expect(throws: JWTError.expired) { try await idp.verified(token) }
    }
}

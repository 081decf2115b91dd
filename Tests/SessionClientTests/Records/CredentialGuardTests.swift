import OAuth
import Primitives
import SessionClient
import Testing

/// What is kept of an answer, and when it is worth while to ask for the next.
@Suite struct CredentialGuardTests {
    private let now = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private func grant(_ change: (inout TokenGrant) -> Void = { _ in }) -> TokenGrant {
        var grant = TokenGrant(
            accessToken: Secret(utf8: "a2"), tokenType: "DPoP", expiresIn: .seconds(1000), receivedAt: now)
        change(&grant)
        return grant
    }

    private func next(_ grant: TokenGrant, learned: Duration? = nil, chance: Double = 0) throws -> Credential {
        let former = Credential(
            generation: 1, accessToken: Secret(utf8: "a1"), tokenType: "DPoP", refreshToken: Secret(utf8: "r1"),
            scope: try Scope(parsing: "notes"), idToken: Secret(utf8: "i1"), skew: .seconds(30),
            dpopKey: Secret(utf8: "k1"))
        return Credential(
            grant, replacing: former, learned: learned, ahead: RefreshAhead(), chance: chance)
    }

    /// RFC 6749 section 6: what an answer does not say again is as it was.
    @Test func whatIsNotSaidAgainIsAsBefore() throws {
        let silent = try next(grant())
        #expect(silent.refreshToken == Secret(utf8: "r1") && silent.idToken == Secret(utf8: "i1"))
        #expect(try silent.scope == Scope(parsing: "notes"))
        #expect(silent.dpopKey == Secret(utf8: "k1") && silent.generation == 2)
        let talking = try next(
            grant { grant in
                grant.refreshToken = Secret(utf8: "r2")
                grant.idToken = Secret(utf8: "i2")
                grant.scope = .empty
            })
        #expect(talking.refreshToken == Secret(utf8: "r2") && talking.idToken == Secret(utf8: "i2"))
        #expect(talking.scope == .empty)
    }

    /// R24: the answer itself says most about the clock, then what was learned since the token came, then what was known before.
    @Test func theLatestNewsOfAClockCount() throws {
        #expect(
            try next(grant { $0.serverTime = now + .seconds(60) }, learned: .seconds(45)).skew == .milliseconds(60_500))
        #expect(try next(grant(), learned: .seconds(45)).skew == .seconds(45))
        #expect(try next(grant()).skew == .seconds(30))
        #expect(Credential(grant(), ahead: RefreshAhead(), chance: 0).skew == .zero)
    }

    @Test func aTokenThatIsOverIsDueThoughNobodyHasChosenATime() {
        let token = Credential(generation: 1, accessToken: Secret(utf8: "a"), tokenType: "Bearer", expires: now)
        #expect(token.isDue(at: now) && !token.isDue(at: now - .seconds(1)))
        let endless = Credential(generation: 1, accessToken: Secret(utf8: "a"), tokenType: "Bearer")
        #expect(!endless.isDue(at: .endOfYear9999))
    }

    /// Not all users of an app in the same second, and never a large part of a short life.
    @Test func theTimeOfTheNextIsChosenWithSomeChance() {
        let ahead = RefreshAhead(atLeast: .seconds(60), jitter: .seconds(30))
        #expect(ahead.delay(withinLifetime: .seconds(3600), chance: 0) == .seconds(3540))
        #expect(ahead.delay(withinLifetime: .seconds(3600), chance: 1) == .seconds(3510))
        #expect(ahead.delay(withinLifetime: .seconds(3600), chance: 9) == .seconds(3510))
        #expect(ahead.delay(withinLifetime: .seconds(100), chance: 1) == .seconds(75))
        #expect(ahead.delay(withinLifetime: .zero, chance: 1) == .zero)
    }

    /// R3, R20: a lease from the future, or one for ever, was given under another clock.
    @Test func aLeaseIsBelievedAsFarAsItCanBeTrue() {
        func isHeld(from claimed: Timestamp, to end: Timestamp?) -> Bool {
            Rotation(holder: "h", leaseEnds: end, claimed: claimed, began: claimed, attempts: 1).isHeld(at: now)
        }
        #expect(isHeld(from: now, to: now + .seconds(300)))
        #expect(!isHeld(from: now, to: now + .seconds(301)))
        #expect(!isHeld(from: now - .seconds(30), to: now))
        #expect(!isHeld(from: now + .seconds(1), to: now + .seconds(30)))
        #expect(!isHeld(from: now, to: nil))
    }
}

import Cookies
import Primitives
import SessionClient
import Testing

/// What one refresh writes, waits for and says, step by step, where nobody else is but those whom the test lets in.
@Suite struct FlightGuardTests {
    private static let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private var now: Timestamp { Self.now }

    private func cookie(_ name: String) -> Cookie { Cookie(name: name, value: "1", domain: "app.example", at: now) }

    private func credential(expires: Timestamp? = now - .seconds(1), _ cookies: [Cookie] = []) -> Credential {
        Credential(
            generation: 3, accessToken: Secret(utf8: "a3"), tokenType: "Bearer", expires: expires,
            refreshAfter: expires.map { $0 - .seconds(60) }, refreshToken: Secret(utf8: "r3"), cookies: cookies)
    }

    private func stored(_ credential: Credential, _ rotation: Rotation? = nil) -> StoredRecord {
        StoredRecord(
            version: 5, record: SessionRecord(epoch: 7, content: .signedIn(credential), rotation: rotation))
    }

    private func claim(by holder: String, for lease: Duration = .seconds(30), attempts: Int = 1) -> Rotation {
        Rotation(
            holder: holder, leaseEnds: now + lease, claimed: now - .seconds(1), began: now - .seconds(9),
            attempts: attempts)
    }

    private func flight(
        _ goal: RefreshFlight.Goal = .due, lease: Duration = .seconds(30), learned: LearnedSkew? = nil
    ) -> RefreshFlight {
        RefreshFlight(
            goal, holder: "us", rules: RefreshRules(lease: lease), ahead: RefreshAhead(), learned: learned)
    }

    private func grant(_ cookies: [Cookie] = [], expiresIn: Duration = .seconds(300)) -> TokenGrant {
        TokenGrant(
            accessToken: Secret(utf8: "a4"), tokenType: "Bearer", expiresIn: expiresIn,
            refreshToken: Secret(utf8: "r4"), receivedAt: now, cookies: cookies)
    }

    /// A flight that has presented its token.
    private func presenting(
        _ found: StoredRecord, _ flight: RefreshFlight
    ) throws -> (flight: RefreshFlight, claimed: StoredRecord, presented: Credential) {
        var flight = flight
        _ = flight.next(.began, at: now)
        guard case .write(let claim, let version) = flight.next(.found(found), at: now),
            case .present(let credential, _) = flight.next(.written(version + 1), at: now)
        else { throw SessionError.timedOut }
        return (flight, StoredRecord(version: version + 1, record: claim), credential)
    }

    /// What it writes when it hears an answer.
    private func written(_ answer: TokenAnswer, _ found: StoredRecord, _ flight: RefreshFlight) throws -> SessionRecord
    {
        var (flight, claimed, _) = try presenting(found, flight)
        var step = flight.next(.answered(answer), at: now)
        if case .read = step { step = flight.next(.found(claimed), at: now) }
        guard case .write(let record, claimed.version) = step else { throw SessionError.timedOut }
        return record
    }

    // MARK: Claims

    @Test func whoComesBackToHisOwnClaimDoesNotWaitForHimself() throws {
        let claimed = try presenting(stored(credential(), claim(by: "us")), flight()).claimed
        #expect(claimed.record.rotation?.attempts == 2)
    }

    @Test func theJournalSaysWhenTheTokenWasFirstPresentedAndHowOften() throws {
        let old = claim(by: "them", for: .zero, attempts: 4)
        let claimed = try presenting(stored(credential(), old), flight()).claimed
        #expect(claimed.record.rotation?.began == old.began && claimed.record.rotation?.attempts == 5)
        #expect(claimed.record.rotation?.claimed == now && claimed.record.rotation?.holder == "us")
    }

    /// R20: no lease is for ever, whatever somebody has configured.
    @Test func aLeaseHasAnEndThatEverybodyBelieves() throws {
        let claimed = try presenting(stored(credential()), flight(lease: .seconds(86_400))).claimed
        #expect(claimed.record.rotation?.isHeld(at: now) == true)
        #expect(claimed.record.rotation?.leaseEnds == now + .seconds(300))
    }

    @Test func whoWaitsLooksAgainWhenTheLeaseEnds() {
        var flight = flight()
        _ = flight.next(.began, at: now)
        let found = stored(credential(), claim(by: "them", for: .milliseconds(20)))
        guard case .wait(.milliseconds(20)) = flight.next(.found(found), at: now) else {
            return #expect(Bool(false), "the lease ends before the next look")
        }
    }

    /// R12: others claim it one after the other, and nothing comes of it.
    @Test(arguments: [true, false])
    func nobodyWaitsForOthersForEver(tokenIsGood: Bool) throws {
        var flight = flight()
        let expires = tokenIsGood ? now + .seconds(3600) : now
        var credential = credential(expires: expires)
        credential.refreshAfter = now
        var step = flight.next(.began, at: now)
        for second in 0...90 {
            let moment = now + .seconds(second)
            var rotation = claim(by: "them")
            (rotation.claimed, rotation.leaseEnds) = (moment, moment + .seconds(30))
            step = flight.next(.found(stored(credential, rotation)), at: moment)
            guard case .wait = step else { break }
            #expect(second < 90)
            _ = flight.next(.waited, at: moment)
        }
        guard case .finish(let outcome) = step else { return #expect(Bool(false), "it has an end") }
        if tokenIsGood {
            // R8: the present one is good.
            #expect(try outcome.result.get().mark.generation == 3)
        } else {
            #expect(throws: SessionError.timedOut) { try outcome.result.get() }
        }
    }

    /// R24: the server is told what its own clock shows, by what was learned since the token came.
    @Test func whatIsPresentedKnowsTheClockOfTheServer() throws {
        let found = stored(credential())
        let learned = LearnedSkew(.seconds(3600), with: found.mark)
        #expect(try presenting(found, flight(learned: learned)).presented.skew == .seconds(3600))
        let other = LearnedSkew(.seconds(3600), with: CredentialMark(epoch: 7, generation: 2))
        #expect(try presenting(found, flight(learned: other)).presented.skew == .zero)
    }

    // MARK: What is kept

    @Test func whatCameEndsTheClaimAndNamesTheCookiesThatAreGone() throws {
        let found = stored(credential([cookie("old"), cookie("both")]))
        let record = try written(.granted(grant([cookie("both"), cookie("new")])), found, flight())
        #expect(record.rotation == nil && record.gone.map(\.name) == ["old"])
        #expect(record.credential?.generation == 4 && record.epoch == 7)
        #expect(record.credential?.presentation == Presentation(of: 3, attempt: 1))
    }

    @Test func aSuccessorAloneIsKeptLikeEverythingThatCame() throws {
        let found = stored(credential([cookie("old"), cookie("both")]), claim(by: "them", for: .zero, attempts: 4))
        let successor = TokenSuccessor(refreshToken: Secret(utf8: "r4"), cookies: [cookie("both")])
        let record = try written(.incomplete(successor), found, flight())
        #expect(record.credential?.presentation == Presentation(of: 3, attempt: 5))
        #expect(record.credential?.generation == 4 && record.credential?.refreshToken == Secret(utf8: "r4"))
        #expect(record.credential?.cookies.map(\.name) == ["both"] && record.gone.map(\.name) == ["old"])
        // Given back: whoever comes next does not wait for the lease to end.
        #expect(record.rotation?.leaseEnds == nil)
        #expect(record.rotation?.failure?.cause == .unavailable(.unreadable))
        let withoutCookies = try written(.incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r4"))), found, flight())
        #expect(withoutCookies.credential?.cookies.count == 2)
    }

    /// A successor alone, which somebody else was faster to replace; and then a whole answer of a token that is over at once.
    @Test func whatCameLaterIsWholeAgain() throws {
        var (flight, claimed, _) = try presenting(stored(credential()), flight())
        _ = flight.next(.answered(.incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r4")))), at: now)
        _ = flight.next(.conflict, at: now)
        var theirs = credential()
        theirs.generation = 9
        let later = StoredRecord(
            version: claimed.version + 1, record: SessionRecord(epoch: 7, content: .signedIn(theirs)))
        guard case .write(_, let version) = flight.next(.found(later), at: now) else {
            return #expect(Bool(false), "it begins anew")
        }
        _ = flight.next(.written(version + 1), at: now)
        _ = flight.next(.answered(.granted(grant(expiresIn: .zero))), at: now)
        guard case .finish(let outcome) = flight.next(.written(version + 2), at: now) else {
            return #expect(Bool(false), "it has an end")
        }
        #expect(try outcome.result.get().mark.generation == 10)
    }

    @Test func anEndIsAnEpochOfItsOwnAndNamesTheCookiesThatAreGone() throws {
        let record = try written(ModelServer.refusal, stored(credential([cookie("a")])), flight())
        #expect(record.epoch == 8 && record.gone.map(\.name) == ["a"])
        #expect(record.signOut == SignOut(.refused(code: "invalid_grant"), at: now))
    }

    @Test func noServerIsLeftAloneForMoreThanAnHour() throws {
        let answer = TokenAnswer.unavailable(Unavailability(.server(status: 503), retryAfter: .seconds(86_400)))
        let record = try written(answer, stored(credential()), flight())
        #expect(record.rotation?.failure?.retryAt == now + .seconds(3600))
        #expect(record.rotation?.leaseEnds == nil && record.rotation?.holder == "us")
        // What would be longer was chosen under another clock, and is not waited for.
        for (pause, isWaitedFor) in [(3600, true), (3601, false)] {
            var later = record
            later.rotation?.failure?.retryAt = now + .seconds(pause)
            var flight = flight()
            _ = flight.next(.began, at: now)
            let step = flight.next(.found(StoredRecord(version: 9, record: later)), at: now)
            if case .finish = step { #expect(isWaitedFor) } else { #expect(!isWaitedFor) }
        }
    }

    /// R22: longer each time, and no longer than a minute.
    @Test(arguments: [(0, 1), (1, 2), (5, 32), (6, 60), (40, 60)])
    func aServerIsLeftAloneForLongerEachTime(attempts: Int, seconds: Int) throws {
        let before = claim(by: "them", for: .zero, attempts: attempts)
        let record = try written(
            .unavailable(Unavailability(.offline)), stored(credential(), attempts == 0 ? nil : before), flight())
        #expect(record.rotation?.failure?.retryAt == now + .seconds(seconds))
    }

    /// What the server said is not lost with the store that cannot take a note of it.
    @Test func whoCannotNoteAFailureTellsItAllTheSame() throws {
        var flight = try presenting(stored(credential()), flight()).flight
        _ = flight.next(.answered(.unavailable(Unavailability(.offline))), at: now)
        guard case .finish(let outcome) = flight.next(.storeFailed(.failed(reason: "full")), at: now) else {
            return #expect(Bool(false), "it has an end")
        }
        #expect(throws: SessionError.unavailable(.offline, retryAt: now + .seconds(1))) { try outcome.result.get() }
    }

    @Test func whoeverIsToldThatItIsOverIsToldOfWhichLogin() throws {
        var (flight, claimed, _) = try presenting(stored(credential()), flight())
        _ = flight.next(.answered(ModelServer.refusal), at: now)
        _ = flight.next(.found(claimed), at: now)
        guard case .finish(let ended) = flight.next(.written(7), at: now) else { throw SessionError.timedOut }
        #expect(ended.mark == CredentialMark(epoch: 8, generation: 0))
        var late = self.flight()
        _ = late.next(.began, at: now)
        var expired = credential()
        expired.refreshToken = nil
        guard case .finish(let over) = late.next(.found(stored(expired)), at: now) else { throw SessionError.timedOut }
        #expect(over.mark == CredentialMark(epoch: 7, generation: 3))
    }
}

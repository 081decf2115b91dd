import Primitives

/// One refresh from its wish to its end, as a machine that does nothing itself: it is told what happened, and says what to do
/// next. So every order of events can be tried in no time.
///
///     var flight = RefreshFlight(.due, holder: "…", rules: RefreshRules(), ahead: RefreshAhead())
///     var step = flight.next(.began, at: now)
///     while case .finish = step {} else { step = flight.next(await shell.do(step), at: clock.now()) }
///
/// What it keeps to:
/// - The record is read anew before each decision, and written only over the version that was read.
/// - The refresh token is presented by whoever has written his claim, and by nobody else while that holds.
/// - Of all that a server can say, `invalid_grant` alone ends the session, and only if nobody has refreshed meanwhile.
/// - What the server gave is stored before anything else is done with it.
package struct RefreshFlight: Sendable {
    /// What the flight is for.
    package enum Goal: Hashable, Sendable {
        /// A token that is good for a while: the present one, unless its time has come.
        case due
        /// Another one than this, which was refused: nothing is done where it has been replaced already.
        case replacing(CredentialMark)
    }

    /// What is to be done, and told in the next event.
    package enum Step: Sendable {
        case read
        case write(SessionRecord, over: UInt64)
        /// The refresh token of a credential goes to the server, unless the moment has passed: an app that was stopped here may
        /// go on an hour later, when somebody else has presented it. Then the next event is `waited`.
        case present(Credential, before: Timestamp)
        /// Until the entry may have changed, but no longer.
        case wait(Duration)
        case finish(Outcome)
    }

    /// What happened.
    package enum Event: Sendable {
        case began
        case found(StoredRecord?)
        case written(UInt64)
        case conflict
        case storeFailed(SessionStoreError)
        case answered(TokenAnswer)
        case waited
    }

    /// What came of it, for whoever waits and for whoever flies.
    package struct Outcome: Sendable {
        package let result: Result<StoredRecord, SessionError>
        /// What the server gave and the store has not taken: to be written over the version in it, as soon as the store does.
        package var unsaved: StoredRecord?
        /// Of the record that says that nobody is signed in, where that is the result.
        package var mark: CredentialMark?
        /// A credential that belongs to nobody any more: its session was ended while it was on its way.
        package var orphan: Credential?
    }

    private enum Place: Sendable {
        case reading
        case claiming(SessionRecord)
        case presenting(StoredRecord)
        /// The answer is there and is to be kept.
        case keeping(SessionRecord, over: UInt64)
        case noting(SessionRecord, Result<StoredRecord, SessionError>)
        case refused(StoredRecord, TokenRefusal)
        case ending(SessionRecord)
        case waiting
    }

    private let goal: Goal
    private let holder: String
    private let rules: RefreshRules
    private let ahead: RefreshAhead
    private let learned: LearnedSkew?
    private let chance: Double
    private var place = Place.reading
    private var began: Timestamp?
    /// What is good enough where nothing better can be had (R8).
    private var fallback: Result<StoredRecord, SessionError>?
    private var orphan: Credential?
    private var claimCount = 0
    /// What was missing in what the server gave.
    private var flaw: Rotation.Failure?

    /// - Parameters:
    ///   - learned: of the server's clock, since a credential came.
    ///   - chance: from 0 to 1, for the time of the next refresh.
    package init(
        _ goal: Goal, holder: String, rules: RefreshRules, ahead: RefreshAhead, learned: LearnedSkew? = nil,
        chance: Double = 0
    ) {
        self.goal = goal
        self.holder = holder
        self.rules = rules
        self.ahead = ahead
        self.learned = learned
        self.chance = chance
    }
}

// MARK: - Events

extension RefreshFlight {
    package mutating func next(_ event: Event, at now: Timestamp) -> Step {
        if began == nil { began = now }
        switch (event, place) {
        case (.began, _), (.waited, _): return read()
        case (.found(let found), .refused(let presented, let refusal)):
            return endUnlessReplaced(found, presented, refusal, at: now)
        case (.found(let found), .keeping(let record, _)): return keepOver(found, record, at: now)
        case (.found(let found), _): return decide(on: found, at: now)
        case (.written(let version), .claiming(let record)):
            return present(StoredRecord(version: version, record: record))
        case (.written(let version), .keeping(let record, _)):
            return finish(result(of: StoredRecord(version: version, record: record), at: now))
        case (.written, .noting(_, let result)): return finish(result)
        case (.written(let version), .ending(let record)):
            return end(record.signOut, by: StoredRecord(version: version, record: record))
        case (.conflict, .keeping): return .read
        case (.conflict, _): return read()
        case (.storeFailed(let error), _): return fail(of: error, at: now)
        case (.answered(let answer), .presenting(let presented)): return take(answer, presented, at: now)
        // A shell that tells what nobody asked for.
        case (.written, _), (.answered, _): return read()
        }
    }

    private mutating func read() -> Step {
        place = .reading
        return .read
    }

    private func end(_ signOut: SignOut, by stored: StoredRecord?) -> Step {
        .finish(Outcome(result: .failure(.signedOut(signOut)), mark: stored?.mark, orphan: orphan))
    }

    private func finish(_ result: Result<StoredRecord, SessionError>, unsaved: StoredRecord? = nil) -> Step {
        .finish(Outcome(result: result, unsaved: unsaved, orphan: orphan))
    }
}

// MARK: - Before the token is presented

extension RefreshFlight {
    private mutating func decide(on found: StoredRecord?, at now: Timestamp) -> Step {
        guard let found, let credential = found.record.credential else {
            return end(found?.record.signOut ?? SignOut(.never), by: found)
        }
        let skew = learned?.skew(for: found.mark)
        let isExpired = credential.isExpired(at: now, skew: skew)
        switch goal {
        case .due: if !credential.isDue(at: now, skew: skew) { return finish(.success(found)) }
        case .replacing(let mark): if found.mark != mark, !isExpired { return finish(.success(found)) }
        }
        // A token that is good is better than none, where another one cannot be had.
        let fallback: Result<StoredRecord, SessionError>? = goal == .due && !isExpired ? .success(found) : nil
        self.fallback = fallback
        guard credential.refreshToken != nil else {
            // Who refuses a token that is good for a while says nothing about the session.
            guard isExpired else { return finish(fallback ?? .failure(.refused(code: "invalid_token"))) }
            return end(SignOut(.expired, at: credential.expires), by: found)
        }
        if let rotation = found.record.rotation {
            if rotation.holder != holder, rotation.isHeld(at: now) {
                guard now < (began ?? now) + rules.patience else { return finish(fallback ?? .failure(.timedOut)) }
                place = .waiting
                return .wait(min(rules.look, rotation.leaseEnds.map { $0 - now } ?? rules.look))
            }
            // R22: what has failed a moment ago fails again.
            if let failure = rotation.failure, now < failure.retryAt, failure.retryAt <= now + Self.longestPause {
                return finish(fallback ?? .failure(Self.error(of: failure)))
            }
        }
        // A store that takes longer to write than a lease lasts would have it claimed for ever.
        guard claimCount < Self.mostClaims else { return finish(fallback ?? .failure(.timedOut)) }
        return claim(found, at: now)
    }

    /// So often somebody claims what he could not present in time, or what another was faster to claim.
    private static let mostClaims = 16

    /// A time of the next attempt that is farther away was chosen under a clock that has been set back since; but a server may ask
    /// for an hour.
    private static let longestPause = Duration.seconds(3600)

    private mutating func claim(_ found: StoredRecord, at now: Timestamp) -> Step {
        claimCount += 1
        var record = found.record
        record.rotation = Rotation(
            holder: holder, leaseEnds: now + min(rules.lease, Rotation.longestLease), claimed: now,
            began: record.rotation?.began ?? now, attempts: (record.rotation?.attempts ?? 0) + 1)
        place = .claiming(record)
        return .write(record, over: found.version)
    }

    private mutating func present(_ claimed: StoredRecord) -> Step {
        guard var credential = claimed.record.credential, let leaseEnds = claimed.record.rotation?.leaseEnds else {
            return read()
        }
        credential.skew = learned?.skew(for: claimed.mark) ?? credential.skew
        place = .presenting(claimed)
        return .present(credential, before: leaseEnds)
    }
}

// MARK: - After it

extension RefreshFlight {
    private mutating func take(_ answer: TokenAnswer, _ presented: StoredRecord, at now: Timestamp) -> Step {
        switch answer {
        case .granted(let grant): return keep(grant, presented)
        case .incomplete(let successor): return keep(successor, presented, at: now)
        case .refused(let refusal) where refusal.endsSession:
            // R1: perhaps a sibling has refreshed, and it is his token that is good now.
            place = .refused(presented, refusal)
            return .read
        case .refused(let refusal):
            return note(.refused(code: refusal.code), retryAfter: nil, presented, at: now)
        case .unavailable(let unavailability):
            return note(
                .unavailable(unavailability.cause), retryAfter: unavailability.retryAfter, presented, at: now)
        }
    }

    private mutating func keep(_ grant: TokenGrant, _ presented: StoredRecord) -> Step {
        flaw = nil
        var record = presented.record
        let credential = Credential(
            grant, replacing: presented.record.credential, attempt: presented.record.rotation?.attempts ?? 1,
            learned: learned?.skew(for: presented.mark), ahead: ahead,
            chance: chance)
        record.gone = record.gone(with: credential.cookies)
        record.content = .signedIn(credential)
        record.rotation = nil
        place = .keeping(record, over: presented.version)
        return .write(record, over: presented.version)
    }

    /// R16: no access token came, and the refresh token that did is the one that is good now. The present access token is
    /// used on, unless it was refused.
    private mutating func keep(_ successor: TokenSuccessor, _ presented: StoredRecord, at now: Timestamp) -> Step {
        var record = presented.record
        guard var credential = record.credential, var rotation = record.rotation else { return read() }
        let failure = Rotation.Failure(
            .unavailable(.unreadable), retryAt: now + rules.backoff(afterAttempts: rotation.attempts, retryAfter: nil))
        flaw = failure
        credential.presentation = Presentation(of: credential.generation, attempt: rotation.attempts)
        credential.generation += 1
        credential.refreshToken = successor.refreshToken
        if !successor.cookies.isEmpty { credential.cookies = successor.cookies }
        if goal != .due { credential.expires = now + credential.skew }
        record.gone = record.gone(with: credential.cookies)
        record.content = .signedIn(credential)
        rotation.leaseEnds = nil
        rotation.failure = failure
        record.rotation = rotation
        place = .keeping(record, over: presented.version)
        return .write(record, over: presented.version)
    }

    /// What is made of what was kept.
    private func result(of kept: StoredRecord, at now: Timestamp) -> Result<StoredRecord, SessionError> {
        guard let flaw, kept.record.credential?.isExpired(at: now) ?? true else { return .success(kept) }
        return .failure(Self.error(of: flaw))
    }

    /// Somebody has written since the claim. Ours goes over a claim, and over what came of an earlier attempt: over a newer
    /// credential, a sign-out or another login it never does.
    private mutating func keepOver(_ found: StoredRecord?, _ record: SessionRecord, at now: Timestamp) -> Step {
        guard let found, found.record.epoch == record.epoch, found.record.credential != nil else {
            // R6: the session that it belongs to has ended meanwhile, and its newest token must end too. Where somebody has signed
            // in anew it is left to expire: there are servers to whom a revoked token means all that the user has with the app.
            if found?.record.credential == nil { orphan = record.credential }
            return decide(on: found, at: now)
        }
        guard let next = record.written(over: found.record) else {
            // R7: somebody took over and was faster.
            return decide(on: found, at: now)
        }
        place = .keeping(next, over: found.version)
        return .write(next, over: found.version)
    }

    private mutating func endUnlessReplaced(
        _ found: StoredRecord?, _ presented: StoredRecord, _ refusal: TokenRefusal, at now: Timestamp
    ) -> Step {
        // Whoever has claimed it after us presents the same token now, and hears himself what has become of it.
        guard let found, found.version == presented.version else { return decide(on: found, at: now) }
        let record = SessionRecord(
            epoch: found.record.epoch + 1, content: .signedOut(SignOut(.refused(code: refusal.code), at: now)),
            gone: found.record.gone(with: []))
        place = .ending(record)
        return .write(record, over: found.version)
    }

    /// R8, R9: what is no answer ends nothing. The claim is given back, and the journal stays: the token may be spent.
    private mutating func note(
        _ cause: Rotation.Failure.Cause, retryAfter: Duration?, _ presented: StoredRecord, at now: Timestamp
    ) -> Step {
        var record = presented.record
        guard var rotation = record.rotation, let credential = record.credential else { return read() }
        let pause = min(rules.backoff(afterAttempts: rotation.attempts, retryAfter: retryAfter), Self.longestPause)
        // Whoever gives up says nothing about the server: the next one need not wait.
        let retryAt = cause == .unavailable(.cancelled) ? now : now + pause
        let failure = Rotation.Failure(cause, retryAt: retryAt)
        rotation.leaseEnds = nil
        rotation.failure = failure
        record.rotation = rotation
        let isGood = goal == .due && !credential.isExpired(at: now, skew: learned?.skew(for: presented.mark))
        place = .noting(record, isGood ? .success(presented) : .failure(Self.error(of: failure)))
        return .write(record, over: presented.version)
    }

    /// R16: where the server has answered, what it gave is not lost with the store.
    private func fail(of error: SessionStoreError, at now: Timestamp) -> Step {
        switch place {
        case .keeping(let record, let version):
            let unsaved = StoredRecord(version: version, record: record)
            return finish(result(of: unsaved, at: now), unsaved: unsaved)
        case .noting(_, let result): return finish(result)
        default: return finish(fallback ?? .failure(.store(error)))
        }
    }

    private static func error(of failure: Rotation.Failure) -> SessionError {
        switch failure.cause {
        case .unavailable(let cause): .unavailable(cause, retryAt: failure.retryAt)
        case .refused(let code): .refused(code: code)
        }
    }

}

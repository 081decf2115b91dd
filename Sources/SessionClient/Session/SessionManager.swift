import HTTPMessages
import Primitives

/// One login, kept right for everybody who shares its store.
///
///     let session = SessionManager(
///         configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
///     let token = try await session.accessToken()              // refreshes when due, once, for everybody
///     let (response, body) = try await session.send(request)   // once more after a 401, and not a third time
///     for await state in session.states { show(state) }
///
/// Any number of managers, in any number of processes, may share a store: what is true is what the store says. A manager keeps
/// nothing but a copy that it checks before each use (R23).
public actor SessionManager {
    let server: any SessionServer
    let records: RecordStore
    let clock: any WallClock
    let alarm: any Alarm
    let timing: SessionTiming
    let logins: Logins
    /// What ``send(_:body:)`` sends with.
    let transport: any OutboundRequests
    let random: any RandomSource
    private let holder: String

    private var copy: StoredRecord?
    /// What was read before somebody signed in or out here says nothing any more.
    private(set) var newestEpoch: UInt64 = 0
    /// What a server gave and the store did not take.
    private var unsaved: StoredRecord?
    private var learned: LearnedSkew?
    private var isFlying = false
    private var waiters: [UInt64: CheckedContinuation<Result<StoredRecord, SessionError>, Never>] = [:]
    private var ticketCount: UInt64 = 0
    let broadcast = StateBroadcast()

    /// With a server's side of one's own.
    package init(
        server: any SessionServer, store: any SessionStore, timing: SessionTiming = .init(),
        clock: any WallClock, alarm: any Alarm, random: any RandomSource = SystemRandom()
    ) {
        self.init(
            server: server, logins: .elsewhere, store: store, transport: .none, timing: timing, clock: clock,
            alarm: alarm, random: random)
    }

    init(
        server: any SessionServer, logins: Logins, store: any SessionStore, transport: any OutboundRequests,
        timing: SessionTiming, clock: any WallClock, alarm: any Alarm, random: any RandomSource
    ) {
        precondition(timing.answerLimit < timing.rules.lease, "a lease outlives the answer it waits for")
        self.server = server
        self.logins = logins
        self.transport = transport
        records = RecordStore(store: store)
        self.clock = clock
        self.alarm = alarm
        self.timing = timing
        self.random = random
        holder = random.identifier()
    }
}

// MARK: - Tokens

extension SessionManager {
    /// A token that is good now. Refreshes first where that is due: once, whoever else asks. Where the refresh fails and the
    /// present token is still good, that is the answer (R8).
    public func accessToken() async throws(SessionError) -> AccessToken {
        try token(of: try await current())
    }

    /// Another token of the same login than one that was refused: if that has been replaced already, nothing is refreshed (R5).
    public func accessToken(replacing refused: AccessToken) async throws(SessionError) -> AccessToken {
        let stored = try await join(.replacing(refused.mark))
        guard stored.record.epoch == refused.mark.epoch else { throw .replacedByAnotherLogin }
        return try token(of: stored)
    }

    /// What is stored, refreshed where that is due.
    func current() async throws(SessionError) -> StoredRecord {
        let asked = broadcast.moment
        let stored = try await stored()
        guard let stored, let credential = stored.record.credential else {
            let signOut = stored?.record.signOut ?? SignOut(.never)
            show(.signedOut(signOut), of: stored, askedAt: asked)
            throw .signedOut(signOut)
        }
        guard credential.isDue(at: clock.now(), skew: learned?.skew(for: stored.mark)) else {
            show(.active(SessionInfo(stored, credential)), of: stored, askedAt: asked)
            return stored
        }
        return try await join(.due)
    }

    private func token(of stored: StoredRecord) throws(SessionError) -> AccessToken {
        guard let credential = stored.record.credential else { throw .signedOut(stored.record.signOut) }
        return AccessToken(credential, stored.mark)
    }

    /// What the store says: read anew, unless it is the copy.
    func stored() async throws(SessionError) -> StoredRecord? {
        let asked = broadcast.moment
        do throws(SessionStoreError) {
            try await saveWhatWasNot()
            if let copy, try await records.store.isCurrent(copy.version) { return copy }
            let found = try await records.read()
            adopt(found)
            return found
        } catch {
            switch error {
            // R17: locked is not signed out.
            case .locked: show(.locked, of: nil, askedAt: asked)
            // Whoever shows it has a login to offer, and no other way to go on.
            case .corrupt: show(.signedOut(SignOut(.unreadable)), of: nil, askedAt: asked)
            case .failed: break
            }
            // R16: what the server gave is good, though nobody could keep it yet.
            if let unsaved { return unsaved }
            throw .store(error)
        }
    }

    /// R16: the store may take by now what it did not take then.
    private func saveWhatWasNot() async throws(SessionStoreError) {
        while let late = unsaved {
            if case .written(let version) = try await records.write(late.record, over: late.version) {
                adopt(StoredRecord(version: version, record: late.record))
                if unsaved == late { unsaved = nil }
                return
            }
            let found = try await records.read()
            guard unsaved == late else { continue }
            // As in a flight: it goes over a mere claim, and over nothing that is newer.
            if let found, let next = late.record.written(over: found.record) {
                unsaved = StoredRecord(version: found.version, record: next)
            } else {
                unsaved = nil
                guard found?.record.credential == nil, let credential = late.record.credential else { return }
                return await giveBack(credential)
            }
        }
    }

    /// A new epoch has begun: what was given under the one before is of no use but to be given back.
    func forgetUnsaved() -> StoredRecord? {
        defer { unsaved = nil }
        return unsaved
    }

    func adopt(_ stored: StoredRecord?) {
        copy = stored
        newestEpoch = max(newestEpoch, stored?.record.epoch ?? 0)
    }

    /// Tells the server that nobody has a credential any more, and does not wait for ever for that.
    func giveBack(_ credential: Credential) async {
        await alarm.first(within: timing.answerLimit, or: ()) { [server] in await server.revoke(credential) }
    }

    func learnedSkew(for mark: CredentialMark) -> Duration? { learned?.skew(for: mark) }

    func learn(serverTime: Timestamp?, with mark: CredentialMark) {
        if let serverTime { learned = LearnedSkew(ClockSkew.learned(from: serverTime, at: clock.now()), with: mark) }
    }
}

// MARK: - Flights

extension SessionManager {
    /// Waits for the flight that is in the air, or begins one, until there is what is wanted.
    func join(_ goal: RefreshFlight.Goal) async throws(SessionError) -> StoredRecord {
        while true {
            // What is stored is spent as long as what came for it is not.
            do throws(SessionStoreError) { try await saveWhatWasNot() } catch {
                // R8: it is good, and cannot be replaced before it is stored.
                if goal == .due, let unsaved, unsaved.record.credential?.isExpired(at: clock.now()) == false {
                    return unsaved
                }
                throw .store(error)
            }
            let isOwn = !isFlying
            if isOwn { begin(goal) }
            let epoch = newestEpoch
            let result = await landing()
            // R6: somebody has signed in or out here meanwhile, and what came is of the login before.
            if newestEpoch > epoch, case .success(let stored) = result, stored.record.epoch < newestEpoch { continue }
            // What somebody else wanted need not be what is wanted here (R11).
            if isOwn || Self.suffices(result, for: goal) { return try result.get() }
        }
    }

    private static func suffices(_ result: Result<StoredRecord, SessionError>, for goal: RefreshFlight.Goal) -> Bool {
        switch (result, goal) {
        case (.success(let stored), .replacing(let mark)): stored.mark != mark
        case (.success, .due), (.failure(.cancelled), _), (.failure(.signedOut), _), (.failure(.store), _): true
        // The token that is there may still be good: whoever wants no other one gets that.
        case (.failure, .due): false
        case (.failure, .replacing): true
        }
    }

    /// A flight is nobody's child: who asked for it may go, and it goes on (R10).
    private func begin(_ goal: RefreshFlight.Goal) {
        isFlying = true
        let machine = RefreshFlight(
            goal, holder: holder, rules: timing.rules, ahead: timing.ahead, learned: learned,
            chance: Double(random.bytes(1)[0]) / 255)
        let pilot = RefreshPilot(
            records: records, server: server, clock: clock, alarm: alarm, answerLimit: timing.answerLimit)
        let asked = broadcast.moment
        Task { await self.land(await pilot.fly(machine), askedAt: asked) }
    }

    /// First what has come of it is kept, then everybody is told (R15), and nobody is told under a lock (R19).
    private func land(_ outcome: RefreshFlight.Outcome, askedAt asked: UInt64) async {
        isFlying = false
        var orphan = outcome.orphan
        if let late = outcome.unsaved {
            if late.record.epoch >= newestEpoch {
                unsaved = late
            } else if copy?.record.credential == nil {
                // As in a flight: after a sign-out it is given back, after another sign-in it is left to expire.
                orphan = late.record.credential
            }
        }
        switch outcome.result {
        case .success(let stored):
            if outcome.unsaved == nil { adopt(stored) }
            if let credential = stored.record.credential {
                show(.active(SessionInfo(stored, credential)), of: stored, askedAt: asked)
            }
        case .failure(.signedOut(let signOut)):
            broadcast.show(.signedOut(signOut), of: outcome.mark, askedAt: asked)
        case .failure(.store(.locked)): broadcast.show(.locked, of: nil, askedAt: broadcast.moment)
        // What was read before it was damaged is of no use any more: a login is all that is left.
        case .failure(.store(.corrupt)): show(.signedOut(SignOut(.unreadable)), of: nil, askedAt: asked)
        case .failure:
            if let copy, let credential = copy.record.credential {
                show(.offline(SessionInfo(copy, credential)), of: copy, askedAt: asked)
            }
        }
        for waiter in waiters.values { waiter.resume(returning: outcome.result) }
        waiters = [:]
        if let orphan { await giveBack(orphan) }
    }

    /// What comes of the flight that is in the air; a waiter's cancellation is his own.
    private func landing() async -> Result<StoredRecord, SessionError> {
        ticketCount += 1
        let ticket = ticketCount
        return await withTaskCancellationHandler {
            // Whoever was cancelled before leaves right after this.
            await withCheckedContinuation { waiters[ticket] = $0 }
        } onCancel: {
            Task { await self.leave(ticket) }
        }
    }

    private func leave(_ ticket: UInt64) {
        waiters.removeValue(forKey: ticket)?.resume(returning: .failure(.cancelled))
    }
}

// MARK: - States

extension SessionManager {
    /// How things are, and each time that they change. Any number of readers; one that is slow misses what was replaced
    /// meanwhile, and never the last.
    ///
    ///     for await state in session.states { show(state) }
    ///
    /// Whoever looks has what is stored read, and no server asked.
    public nonisolated var states: AsyncStream<SessionState> {
        Task { await self.restore() }
        return broadcast.stream()
    }

    /// How things were when somebody last looked.
    public nonisolated var state: SessionState { broadcast.state }

    private func restore() async {
        let asked = broadcast.moment
        guard broadcast.state == .restoring else { return }
        do throws(SessionError) {
            let stored = try await stored()
            show(state(of: stored), of: stored, askedAt: asked)
        } catch {
            // A store that fails now may work later, as one that is locked.
            if broadcast.state == .restoring { show(.locked, of: nil, askedAt: asked) }
        }
    }

    /// As far as it can be told from what is stored: a token that is over can be replaced, unless somebody has just tried.
    func state(of stored: StoredRecord?) -> SessionState {
        guard let stored, let credential = stored.record.credential else {
            return .signedOut(stored?.record.signOut ?? SignOut(.never))
        }
        let info = SessionInfo(stored, credential)
        let isHopeless = credential.isExpired(at: clock.now()) && stored.record.rotation?.failure != nil
        return isHopeless ? .offline(info) : .active(info)
    }

    func show(_ state: SessionState, of stored: StoredRecord?, askedAt moment: UInt64) {
        broadcast.show(state, of: stored?.mark, askedAt: moment)
    }
}

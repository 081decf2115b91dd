import Primitives
import SessionClient

/// A store, a server, a clock and some clients that all want the same session refreshed, as one value: every order of what they
/// do is tried by copying it.
struct RefreshWorld {
    var stored: StoredRecord?
    var server: ModelServer
    var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    var clients: [Client] = []
    /// How often each kind of trouble may still come.
    var kills = 0
    var losses = 0
    var leaps = 0
    var signOuts = 0
    var trail: [String] = []

    static let rules = RefreshRules(lease: .seconds(30), look: .seconds(1), patience: .seconds(90))

    static let answerLimit = Duration.seconds(14)

    struct Client {
        var flight: RefreshFlight
        var pending: Pending
        /// What it saw last: waiting on while nothing has changed leads nowhere new.
        var seen: (version: UInt64?, now: Timestamp)?
    }

    enum Pending {
        case step(RefreshFlight.Step)
        /// The server has judged; its answer is on the way.
        case answer(TokenAnswer)
        case done(RefreshFlight.Outcome)
        case dead
    }

    /// A session whose access token is over, and clients that have just found that out.
    init(clients count: Int, _ server: ModelServer, goal: RefreshFlight.Goal = .due) {
        self.server = server
        let credential = Credential(
            generation: 1, accessToken: Secret(utf8: "a1"), tokenType: "Bearer", expires: now - .seconds(1),
            refreshToken: Secret(utf8: "r1"))
        stored = StoredRecord(version: 1, record: SessionRecord(epoch: 1, content: .signedIn(credential)))
        for index in 0..<count {
            var flight = RefreshFlight(goal, holder: "client \(index)", rules: Self.rules, ahead: RefreshAhead())
            let step = flight.next(.began, at: now)
            clients.append(Client(flight: flight, pending: .step(step)))
        }
    }
}

// MARK: - What may happen next

extension RefreshWorld {
    /// Every world that may come next. None: everything is over.
    func successors() -> [RefreshWorld] {
        var worlds = clients.indices.flatMap(moves)
        if signOuts > 0, stored?.record.credential != nil { worlds.append(signingOut()) }
        if leaps > 0, isSomethingGoingOn {
            worlds.append(leaping(Self.rules.lease, costing: 1))
            worlds.append(leaping(Self.rules.lease / 2, costing: 1))
        }
        // Where everybody waits, time passes.
        if worlds.isEmpty, isSomethingGoingOn { worlds.append(leaping(Self.rules.lease, costing: 0)) }
        return worlds
    }

    private var isSomethingGoingOn: Bool {
        clients.contains { client in
            switch client.pending {
            case .step, .answer: true
            case .done, .dead: false
            }
        }
    }

    private func moves(of index: Int) -> [RefreshWorld] {
        var worlds: [RefreshWorld] = []
        switch clients[index].pending {
        case .done, .dead: return []
        case .answer(let answer):
            worlds.append(telling(index, .answered(answer), "hears the answer"))
            if losses > 0 { worlds.append(losing(index)) }
        case .step(.present(let credential, let end)):
            guard now + Self.answerLimit < end else { return [telling(index, .waited, "comes too late to present")] }
            worlds.append(presenting(index, credential))
            if losses > 0 { worlds.append(losing(index)) }
        case .step(.read): worlds.append(telling(index, .found(stored), "reads"))
        case .step(.write(let record, let version)): worlds.append(writing(index, record, version))
        case .step(.wait):
            let seen = clients[index].seen
            if seen?.version != stored?.version || seen?.now != now {
                worlds.append(telling(index, .waited, "has waited"))
            }
        case .step(.finish): return []
        }
        if kills > 0 {
            var world = self
            world.kills -= 1
            world.clients[index].pending = .dead
            worlds.append(world.noting("client \(index) is killed"))
        }
        return worlds
    }

    private func noting(_ text: String) -> RefreshWorld {
        var world = self
        world.trail.append(text)
        return world
    }

    private func telling(_ index: Int, _ event: RefreshFlight.Event, _ text: String) -> RefreshWorld {
        var world = noting("client \(index) \(text)")
        let step = world.clients[index].flight.next(event, at: now)
        if case .finish(let outcome) = step {
            world.clients[index].pending = .done(outcome)
            if let orphan = outcome.orphan?.refreshToken { world.server.revoke(orphan) }
        } else {
            world.clients[index].pending = .step(step)
        }
        if case .found(let found) = event { world.clients[index].seen = (found?.version, now) }
        return world
    }

    private func writing(_ index: Int, _ record: SessionRecord, _ version: UInt64) -> RefreshWorld {
        guard stored?.version == version else { return telling(index, .conflict, "is too late to write") }
        var world = self
        world.stored = StoredRecord(version: version + 1, record: record)
        return world.telling(index, .written(version + 1), "writes \(version + 1)")
    }

    private func presenting(_ index: Int, _ credential: Credential) -> RefreshWorld {
        var world = noting("client \(index) presents")
        world.clients[index].pending = .answer(world.server.refresh(credential.refreshToken!, at: now))
        return world
    }

    private func losing(_ index: Int) -> RefreshWorld {
        var world = self
        world.losses -= 1
        return world.telling(index, .answered(.unavailable(Unavailability(.offline))), "hears nothing")
    }

    private func leaping(_ duration: Duration, costing cost: Int) -> RefreshWorld {
        var world = noting("\(duration.inSeconds) seconds pass")
        world.leaps -= cost
        world.now = now + duration
        return world
    }

    private func signingOut() -> RefreshWorld {
        var world = noting("the user signs out")
        world.signOuts -= 1
        if let token = stored?.record.credential?.refreshToken { world.server.revoke(token) }
        world.stored = StoredRecord(
            version: stored!.version + 1,
            record: SessionRecord(
                epoch: stored!.record.epoch + 1, content: .signedOut(SignOut(.user, at: now))))
        return world
    }
}

// MARK: - All of it

extension RefreshWorld {
    /// Goes through every order. Says how many there are, and gives the end of each to `check`.
    func explore(_ check: (RefreshWorld) -> Void) -> Int {
        let next = successors()
        guard !next.isEmpty else {
            check(self)
            return 1
        }
        return next.reduce(0) { $0 + $1.explore(check) }
    }

    var outcomes: [RefreshFlight.Outcome?] {
        clients.map { if case .done(let outcome) = $0.pending { outcome } else { nil } }
    }
}

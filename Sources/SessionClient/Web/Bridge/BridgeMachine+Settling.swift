import Cookies
import Primitives

extension BridgeMachine {
    /// Where the bridge is in looking, changing and looking again.
    struct Settling: Sendable {
        var phase = Phase.idle
        var lastStep: UInt64 = 0
        var lookCount: UInt64 = 0
        /// Something was asked for while a look was under way, which may have seen too little.
        var isToLookAgain = false
        /// What was written, and is not to be seen yet.
        var written: [CookieChange]?
        var looksSinceWrite = 0
        var pauseCount = 0
        /// Writes one after the other of which nothing was seen or heard.
        var vainWrites = 0
        /// What was left undone: as long as nothing else is wrong, it stays so.
        var surrendered: [CookieChange]?
        /// Writes one soon after the other, which somebody has undone.
        var recentWrites = 0
        var lastWrite: Timestamp?
        var changesHeard: UInt64 = 0
        var changesHeardBeforeWrite: UInt64 = 0
    }

    enum Phase: Hashable, Sendable {
        case idle
        case reading(UInt64)
        case writing(UInt64)
        case pausing(UInt64)
        /// Somebody undoes what is written here, and nobody waits: the next write has time.
        case holding(UInt64)
    }

    /// Whether somebody can go on only when the store is as it should be.
    var isAwaited: Bool {
        opening?.after != nil || reloadAfter != nil || messages.contains { $0.isAwaitingStore }
    }

    /// Has a look that begins from now on.
    mutating func lookAgain() {
        settling.surrendered = nil
        settling.vainWrites = 0
        settling.recentWrites = 0
        settling.pauseCount = 0
        if case .holding = settling.phase { settling.phase = .idle }
        nudge()
    }

    mutating func nudge() {
        switch settling.phase {
        case .idle, .pausing: look()
        case .reading: settling.isToLookAgain = true
        case .writing, .holding: break
        }
    }

    mutating func look() {
        settling.isToLookAgain = false
        guard plan.target != nil else {
            settling.phase = .idle
            return
        }
        settling.lookCount += 1
        let step = nextStep(within: configuration.limits.answer)
        settling.phase = .reading(step)
        actions.append(.read(step: step))
    }

    private mutating func nextStep(within limit: Duration) -> UInt64 {
        settling.lastStep += 1
        actions.append(.ring(.step(settling.lastStep), after: limit))
        return settling.lastStep
    }

    /// A store that does not answer is asked again; a write that is not confirmed is looked after (C2).
    mutating func stepIsOver(_ step: UInt64) {
        switch settling.phase {
        case .reading(step): pause()
        case .writing(step), .pausing(step), .holding(step): look()
        default: break
        }
    }

    private mutating func pause() {
        let limits = configuration.limits
        let longest = isAwaited ? limits.longestPause : limits.quarrel
        let pause = min(limits.pause * (1 << min(settling.pauseCount, 16)), longest)
        settling.pauseCount += 1
        settling.phase = .pausing(nextStep(within: pause))
    }

    mutating func judge(_ cookies: WebCookies) {
        // Not loaded is not empty (C3): there is nothing to be judged.
        guard case .loaded(let view) = cookies else { return pause() }
        let changes = plan.changes(from: view, at: now)
        noteLook(isRight: changes.isEmpty)
        guard !changes.isEmpty else { return confirm() }
        if !isAwaited, changes == settling.surrendered { return rest() }
        // What is under way is not written a second time (C6).
        if changes == settling.written, settling.looksSinceWrite < configuration.limits.looksPerWrite {
            settling.looksSinceWrite += 1
            return pause()
        }
        if settling.written != nil {
            let wasHeard = settling.changesHeard > settling.changesHeardBeforeWrite
            settling.vainWrites = wasHeard ? 0 : settling.vainWrites + 1
        }
        if !isAwaited {
            guard settling.vainWrites < configuration.limits.idleWrites else {
                settling.surrendered = changes
                settling.written = nil
                return rest()
            }
            if let pause = pauseOfQuarrel {
                settling.phase = .holding(nextStep(within: pause))
                return
            }
        }
        write(changes)
    }

    private mutating func rest() {
        settling.phase = .idle
        if settling.isToLookAgain { look() }
    }

    /// How long to wait with a write, where the last ones have not stayed (C6). `nil`: no longer.
    private var pauseOfQuarrel: Duration? {
        let limits = configuration.limits
        guard let last = settling.lastWrite, settling.recentWrites >= limits.idleWrites else { return nil }
        let gap = min(limits.pause * (1 << min(settling.recentWrites - limits.idleWrites, 16)), limits.quarrel)
        // A clock that was set back keeps nobody waiting for longer than that.
        let elapsed = max(now - last, .zero)
        return elapsed < gap ? gap - elapsed : nil
    }

    private mutating func write(_ changes: [CookieChange]) {
        settling.written = changes
        settling.looksSinceWrite = 0
        settling.pauseCount = 0
        if let last = settling.lastWrite, now - last > configuration.limits.quarrel * 2 { settling.recentWrites = 0 }
        settling.recentWrites += 1
        settling.lastWrite = now
        settling.changesHeardBeforeWrite = settling.changesHeard
        let step = nextStep(within: configuration.limits.answer)
        settling.phase = .writing(step)
        actions.append(.apply(step: step, changes))
    }

    /// The store shows what it should: whoever waited for this goes on.
    private mutating func confirm() {
        let look = settling.lookCount
        if settling.written != nil, settling.changesHeard == settling.changesHeardBeforeWrite {
            actions.append(.ring(.observer(settling.changesHeard), after: configuration.limits.observer))
        }
        settling.written = nil
        settling.pauseCount = 0
        settling.surrendered = nil
        settling.vainWrites = 0
        settling.phase = .idle
        release(after: look)
        if isAwaited || settling.isToLookAgain { self.look() }
    }

    private mutating func release(after look: UInt64) {
        guard let target = plan.target else { return }
        if let opening, let after = opening.after, after < look {
            reloadAfter = nil
            pageGeneration = target.generation
            actions.append(.load(opening.url))
            finishOpening(.success(target.isSignedIn ? .signedIn : .signedOut))
        } else if let after = reloadAfter, after < look {
            reloadAfter = nil
            pageGeneration = target.generation
            actions.append(.reload)
        }
        for message in messages where message.isReady(after: look) {
            // The cookies are of another user than the page: for that, its login is over.
            let isSignedIn = target.isSignedIn && !plan.isOfAnotherLogin(message.seen)
            actions.append(.reply(id: message.id, .state(target.generation, isSignedIn: isSignedIn)))
        }
        messages.removeAll { $0.isReady(after: look) }
    }

    // MARK: What the store and the page do by themselves

    mutating func cookiesChanged() {
        settling.changesHeard += 1
        nudge()
    }

    /// No change was heard of since, not even that of our own write: the observer is dead (C5).
    mutating func missedOwnChange(_ count: UInt64) {
        guard settling.changesHeard == count else { return }
        actions.append(.observe)
        nudge()
    }

    mutating func contentProcessTerminated() {
        for message in messages { actions.append(.reply(id: message.id, .failure("gone"))) }
        messages = []
        // What was under way went with it.
        settling.written = nil
        settling.phase = .idle
        reloadAfter = settling.lookCount
        if plan.target == nil { _ = ask(replacing: nil) }
        lookAgain()
    }
}

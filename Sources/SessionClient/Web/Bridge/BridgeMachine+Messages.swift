import Primitives

extension BridgeMachine {
    /// A page that waits for an answer.
    struct Message: Sendable {
        enum Stage: Hashable, Sendable {
            /// Whether the page has what it should have, or has lost it, is not known before a look.
            case looking(after: UInt64)
            case asking(UInt64)
            case waiting(after: UInt64)
        }

        let id: UInt64
        /// The state that the page was refused with.
        let seen: UInt64
        var stage: Stage

        var isAwaitingStore: Bool {
            if case .asking = stage { false } else { true }
        }

        func isReady(after look: UInt64) -> Bool {
            if case .waiting(let after) = stage { after < look } else { false }
        }
    }

    mutating func heard(_ id: UInt64, _ origin: WebOrigin?, _ isMainFrame: Bool, _ body: JSON) {
        guard let origin, configuration.origins.contains(origin),
            isMainFrame || configuration.frames == .allowInnerFrames
        else { return reply(id, .failure("not allowed")) }
        guard let request = PageRequest(body) else { return reply(id, .failure("not understood")) }
        guard messages.count < configuration.limits.messages else { return reply(id, .failure("too many")) }
        actions.append(.ring(.message(id), after: configuration.limits.message))
        let seen = request.generation ?? pageGeneration
        guard let target = plan.target else {
            let flight = ask(replacing: nil)
            messages.append(Message(id: id, seen: seen, stage: .asking(flight)))
            return
        }
        messages.append(
            Message(id: id, seen: min(seen, target.generation), stage: .looking(after: settling.lookCount)))
        lookAgain()
    }

    /// A look has been had. A page whose cookies were lost was refused for that, and needs no new ones (S11); and what has
    /// been replaced already is not replaced again: the page gets the newer state (R4, R5).
    mutating func noteLook(isRight: Bool) {
        guard let target = plan.target else { return }
        for index in messages.indices {
            guard case .looking(let after) = messages[index].stage, after < settling.lookCount else { continue }
            if isRight, target.isSignedIn, messages[index].seen == target.generation {
                messages[index].stage = .asking(ask(replacing: messages[index].seen))
            } else {
                messages[index].stage = .waiting(after: isRight ? after : settling.lookCount)
            }
        }
    }

    mutating func messageIsOver(_ id: UInt64) {
        guard let index = messages.firstIndex(where: { $0.id == id }) else { return }
        let message = messages.remove(at: index)
        reply(id, .unavailable)
        // The next one asks anew, unless others still wait for this answer.
        guard case .asking(let flight) = message.stage, !messages.contains(where: { $0.stage == message.stage }) else {
            return
        }
        flights.removeAll { $0.id == flight }
    }

    mutating func replyToThose(askingIn flight: UInt64, _ answer: ScriptReply) {
        for message in messages where message.stage == .asking(flight) { reply(message.id, answer) }
        messages.removeAll { $0.stage == .asking(flight) }
    }

    private mutating func reply(_ id: UInt64, _ answer: ScriptReply) {
        actions.append(.reply(id: id, answer))
    }
}

/// What a page may ask: `{"type":"refresh"}`, after it was refused, with the `generation` that it got last, if it got one.
struct PageRequest: Hashable, Sendable {
    let generation: UInt64?

    init?(_ body: JSON) {
        guard let type = body["type"]?.string, sameText(type, "refresh") else { return nil }
        // What a script writes where it has heard none yet.
        guard let member = body["generation"], member != .null else {
            generation = nil
            return
        }
        guard let number = member.int64 ?? member.double.flatMap(Int64.init(exactly:)), number >= 0 else { return nil }
        generation = UInt64(number)
    }
}

extension ScriptReply {
    /// Nothing can be said now; what the page has may still be good.
    static let unavailable = ScriptReply.value(["status": "unavailable"])

    /// The cookies of this state are there.
    static func state(_ generation: UInt64, isSignedIn: Bool) -> ScriptReply {
        .value([
            "status": .string(isSignedIn ? "signed_in" : "signed_out"),
            "generation": .number(JSONNumber(Int64(clamping: generation))),
        ])
    }
}

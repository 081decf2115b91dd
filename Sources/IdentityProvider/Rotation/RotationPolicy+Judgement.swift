import Primitives

extension RotationPolicy {
    /// Judges the refresh token with the number `node` of a family, and notes in the family what follows.
    ///
    /// A number that was never given cannot carry a valid code, unless the store has lost what it acknowledged; it is
    /// refused and nothing is ended.
    package func judge(
        _ family: inout Family, presenting node: UInt32, at now: Timestamp,
        _ presentation: Presentation = Presentation()
    ) -> Verdict {
        if let refusal = refusal(ofAll: family, at: now) { return .refused(refusal) }
        if let end = idleEnd(of: node, in: family), now >= end { return .refused(Refusal(.idle)) }
        guard node >= 1, node <= family.rotation.count else { return .refused(Refusal(.unknown)) }
        family.rotation.forget { !isWithin($0, at: now) }
        if let leaf = family.rotation.leaf(node) { return use(leaf, of: &family, at: now, presentation) }
        // Its request came before the winner was judged: nobody stole anything.
        if race == .retryableRejection, presentation.wasGoodOnArrival {
            return .refused(Refusal(.concurrent, isRetryable: true))
        }
        guard let record = family.rotation.record(of: node) else { return refuseReuse(of: &family, at: now) }
        return replay(record, of: &family, at: now)
    }

    // MARK: Lifetimes

    /// Whether no refresh token of a family gets anything any more.
    package func isOver(_ family: Family, at now: Timestamp) -> Bool { refusal(ofAll: family, at: now) != nil }

    private func refusal(ofAll family: Family, at now: Timestamp) -> Refusal? {
        if let ending = family.ended { return Refusal(.ended, endsGrant: ending.reach == .grant) }
        if let expiry = expiry(of: family.terms), now >= expiry { return Refusal(.expired) }
        // None is younger than the newest.
        if let end = idleEnd(of: family.rotation.current, in: family), now >= end { return Refusal(.idle) }
        return nil
    }

    /// When a family is as old as it may become: what was said when it began, or sooner.
    package func expiry(of terms: FamilyTerms) -> Timestamp? {
        guard let absoluteLifetime else { return terms.expires }
        let expiry = terms.began + absoluteLifetime
        return terms.expires.map { min($0, expiry) } ?? expiry
    }

    private func idleEnd(of node: UInt32, in family: Family) -> Timestamp? {
        guard let idleLifetime else { return nil }
        let extended =
            switch idleExtension {
            case .nothing: nil as Timestamp?
            case .use: family.rotation.lastUsedAt
            // Of one that was replaced, that of the newest: what becomes of it is the business of its window.
            case .newToken: family.rotation.leaf(node)?.given ?? family.rotation.rotatedAt
            }
        return (extended ?? family.terms.began) + idleLifetime
    }

    // MARK: A good token

    private func use(
        _ leaf: RotationState.Leaf, of family: inout Family, at now: Timestamp, _ presentation: Presentation
    ) -> Verdict {
        family.rotation.use(leaf, at: now)
        guard rotates(leaf, of: family, at: now, presentation), family.rotation.canGive else {
            return .granted(node: leaf.node, isRotated: false, replay: nil)
        }
        family.rotation.spend(leaf, at: now, remembering: acceptsReplays)
        return .granted(node: family.rotation.current, isRotated: true, replay: nil)
    }

    private func rotates(
        _ leaf: RotationState.Leaf, of family: Family, at now: Timestamp, _ presentation: Presentation
    ) -> Bool {
        if let rotatesUntil, now >= family.terms.began + rotatesUntil { return false }
        if keepsYoung, isInTime(leaf.given, at: now) { return false }
        switch rotation {
        case .never: return false
        case .always: return true
        case .publicClients(let share):
            if presentation.isFromPublicClient, family.terms.confirmation == nil { return true }
            return share.map { isPast($0, of: leaf, family.terms, at: now) } ?? false
        case .afterShare(let share): return isPast(share, of: leaf, family.terms, at: now)
        }
    }

    /// Whether so much of the lifetime of a token is over, in percent. One that has no end is always young.
    private func isPast(
        _ share: Int, of leaf: RotationState.Leaf, _ terms: FamilyTerms, at now: Timestamp
    ) -> Bool {
        let ends = [expiry(of: terms), idleLifetime.map { leaf.given + $0 }].compactMap { $0 }
        guard let end = ends.min() else { return false }
        return (now - leaf.given) * 100 >= (end - leaf.given) * share
    }

    // MARK: A token that was replaced

    /// Whether a token that was replaced at a moment may still be presented. A clock that was set back makes it no older.
    private func isInTime(_ moment: Timestamp, at now: Timestamp) -> Bool {
        guard let window else { return true }
        return max(.zero, now - moment) < window
    }

    /// Whether the policy does more with a token that was replaced than refuse it. What is not any more never is again.
    private func isWithin(_ record: RotationState.Spent, at now: Timestamp) -> Bool {
        if let count, record.replays >= count { return false }
        if useOfChildCloses, record.isSuccessorUsed { return false }
        switch ancestors {
        case .parent: return isInTime(record.at, at: now) && !record.isSuccessorSpent
        case .any: return isInTime(record.at, at: now)
        case .anyAndParentAlways: return isInTime(record.at, at: now) || !record.isSuccessorSpent
        }
    }

    /// Whether any token that was replaced is worth remembering.
    var acceptsReplays: Bool {
        count != 0 && (window != .zero || ancestors == .anyAndParentAlways)
    }

    /// How many tokens of a family may be good at once.
    package var maximumLiveLeafCount: Int {
        replay == .newSuccessor && !replacesSibling && acceptsReplays ? RotationState.maximumLeafCount : 1
    }

    private func replay(_ record: RotationState.Spent, of family: inout Family, at now: Timestamp) -> Verdict {
        let replayed = Replay(
            isWithinWindow: isInTime(record.at, at: now), isParent: !record.isSuccessorSpent)
        switch replay {
        case .rejection: return .refused(Refusal(.concurrent))
        case .retryableRejection: return .refused(Refusal(.concurrent, isRetryable: true))
        case .sameSuccessor, .currentToken:
            // A successor that was replaced itself would end the family when it is used; the newest is its successor.
            let isSame = self.replay == .sameSuccessor && family.rotation.isLive(record.successor)
            let given = isSame ? record.successor : family.rotation.current
            guard given > 0 else { return .refused(Refusal(.concurrent)) }
            family.rotation.replay(record.node, at: now)
            return .granted(node: given, isRotated: false, replay: replayed)
        case .newSuccessor:
            let others =
                family.rotation.leafCount - (replacesSibling && family.rotation.isLive(record.successor) ? 1 : 0)
            guard others < RotationState.maximumLeafCount, family.rotation.canGive else {
                return .refused(Refusal(.concurrent))
            }
            family.rotation.replay(record.node, at: now)
            family.rotation.giveSuccessor(of: record, replacing: replacesSibling, at: now)
            return .granted(node: family.rotation.current, isRotated: true, replay: replayed)
        case .accessTokenOnly:
            family.rotation.replay(record.node, at: now)
            return .accessTokenOnly(replayed)
        }
    }

    /// RFC 9700 section 4.14.2: who presents a token that was replaced is the client or a thief, and nobody knows which.
    private func refuseReuse(of family: inout Family, at now: Timestamp) -> Verdict {
        switch revocation {
        case .nothing: break
        case .refreshToken: family.rotation.revokeNewest()
        case .family: family.end(.refreshTokenReused, at: now, reach: .refreshTokens)
        case .familyAndAccessTokens: family.end(.refreshTokenReused, at: now)
        case .grant: family.end(.refreshTokenReused, at: now, reach: .grant)
        }
        return .refused(Refusal(.reused, endsGrant: revocation == .grant))
    }
}

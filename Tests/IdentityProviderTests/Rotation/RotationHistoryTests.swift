import IdentityProvider
import OAuth
import Primitives
import Testing

/// Random histories of every profile against a model that remembers every token that was ever given.
@Suite struct RotationHistoryTests {
    /// The profiles, and those among them that have no window unless told with one.
    static let policies =
        RotationPolicy.profiles.map(\.text) + [
            "auth0,window=10s", "keycloak,count=2", "hydra,window=5m", "hydra,window=1m,count=3", "dex,window=3s",
            "wso2,count=5", "okta,count=1", "supabase,window=0s", "strict,window=10s,replay=retry",
            "okta,replay=access", "okta,revoke=token", "okta,idle=1h,absolute=1d", "auth0,window=unlimited,count=4",
        ]

    @Test(arguments: policies)
    func holdWhatThePolicySays(text: String) throws {
        let policy = try RotationPolicy(parsing: text)
        for seed in 1...40 as ClosedRange<UInt64> {
            var history = RotationHistory(policy, seed: seed)
            for _ in 0..<150 { history.step() }
            #expect(history.faults == [], "\(text), seed \(seed)")
            if !history.faults.isEmpty { break }
        }
    }

    /// The model would notice a policy that does not do what it says.
    @Test func theModelNoticesAnotherPolicy() throws {
        for (claimed, actual) in [
            ("strict", "okta"), ("okta", "strict"), ("auth0,window=10s", "auth0,window=11s"),
            ("wso2", "wso2,siblings=kept"),
            ("wso2", "wso2,count=2"), ("strict", "duende"), ("okta,idle=1h", "okta"), ("okta,absolute=1h", "okta"),
            ("supabase", "supabase,ancestors=any"),
            ("keycloak,count=2", "keycloak,count=2,use-closes=no,ancestors=any"),
        ] {
            var faultCount = 0
            for seed in 1...400 as ClosedRange<UInt64> where faultCount == 0 {
                var history = RotationHistory(
                    try RotationPolicy(parsing: claimed), seed: seed, judging: try RotationPolicy(parsing: actual))
                for _ in 0..<150 { history.step() }
                faultCount += history.faults.count
            }
            #expect(faultCount > 0, "\(actual) passed for \(claimed)")
        }
    }
}

/// One history, and what was wrong with it.
private struct RotationHistory {
    private struct Token {
        var parent: UInt32
        var spentAt: Timestamp?
        var replays = 0
        /// Revoked without having been spent.
        var isRevoked = false
        var isUsed = false
        /// How many were spent after it.
        var spentSince = 0
    }

    let policy: RotationPolicy
    let judging: RotationPolicy
    private let random: SeededRandom
    private var line: RotationLine
    private var tokens: [UInt32: Token] = [1: Token(parent: 0)]
    private var lastUse = RotationLine.start
    private(set) var faults: [String] = []

    init(_ policy: RotationPolicy, seed: UInt64, judging: RotationPolicy? = nil) {
        self.policy = policy
        self.judging = judging ?? policy
        random = SeededRandom(seed: seed)
        line = RotationLine(judging ?? policy, lasting: .seconds(40 * 86_400))
    }

    private mutating func check(_ holds: Bool, _ what: String) {
        if !holds { faults.append("\(what), after \(line.now - RotationLine.start)") }
    }

    mutating func step() {
        let dice = random.bytes(8)
        let gaps: [Duration] = [
            .zero, .zero, .milliseconds(1), .milliseconds(Int64(dice[1])), .seconds(Int64(dice[1] % 12)),
            .seconds(Int64(dice[1] % 70)), .seconds(300), .seconds(7200),
        ]
        line.wait(gaps[Int(dice[0] % 8)])
        let count = line.family.rotation.count
        // Mostly the newest ones, sometimes any, sometimes one that was never given.
        let node: UInt32 =
            dice[2] % 4 == 0
            ? UInt32(dice[3]) % (count + 2) : count - min(count - 1, UInt32(dice[3] % 4))
        let wasEnded = line.family.ended != nil
        let before = line.family
        let presentation = RotationPolicy.Presentation(
            isFromPublicClient: true, wasGoodOnArrival: dice[4] % 8 == 0)
        let verdict = judging.judge(&line.family, presenting: node, at: line.now, presentation)
        checkThatItIsAFunction(verdict, before, node, presentation)
        checkBounds()
        guard !wasEnded else {
            return check(verdict.refusal?.cause == .ended, "a family that had ended gave something")
        }
        judge(verdict, of: node, inRace: presentation.wasGoodOnArrival)
        if verdict.isAccepted {
            lastUse = line.now
            tokens[node]?.isUsed = true
        }
    }

    /// The same family, as an engine kept it, gets the same.
    private mutating func checkThatItIsAFunction(
        _ verdict: RotationPolicy.Verdict, _ before: Family, _ node: UInt32, _ presentation: RotationPolicy.Presentation
    ) {
        var copy = before
        guard let restored = try? RotationState(binary: before.rotation.binary) else {
            return check(false, "what an engine kept cannot be read")
        }
        copy.rotation = restored
        let again = judging.judge(&copy, presenting: node, at: line.now, presentation)
        check(
            again == verdict && copy.rotation == line.family.rotation && copy.ended == line.family.ended, "no function")
    }

    private mutating func checkBounds() {
        let rotation = line.family.rotation
        check(rotation.leafCount <= policy.maximumLiveLeafCount, "\(rotation.leafCount) live leaves")
        check(rotation.spent.count <= RotationState.maximumSpentCount, "too many remembered")
        check(rotation.binary.count <= RotationState.maximumByteCount, "too long")
    }

    private mutating func judge(_ verdict: RotationPolicy.Verdict, of node: UInt32, inRace: Bool) {
        let age = line.now - RotationLine.start
        if age >= min(.seconds(40 * 86_400), policy.absoluteLifetime ?? .seconds(40 * 86_400)) {
            return check(verdict.refusal?.cause == .expired, "older than it may become")
        }
        if let idle = policy.idleLifetime, line.now - lastUse >= idle {
            return check(verdict.refusal?.cause == .idle, "used after it was idle for too long")
        }
        guard let token = tokens[node] else {
            return check(verdict.refusal?.cause == .unknown, "\(node) was never given")
        }
        guard token.spentAt != nil || token.isRevoked else { return checkUse(verdict, of: node) }
        if policy.race == .retryableRejection, inRace {
            return check(verdict == .refused(.init(.concurrent, isRetryable: true)), "a race was taken for a theft")
        }
        guard isWithin(node, token) else { return checkReuse(verdict, of: node) }
        // What is forgotten at the bound counts as outside.
        if token.spentSince >= RotationState.maximumSpentCount, verdict.refusal?.cause == .reused {
            return checkReuse(verdict, of: node)
        }
        checkReplay(verdict, of: node)
    }

    private func isWithin(_ node: UInt32, _ token: Token) -> Bool {
        guard let spentAt = token.spentAt, token.replays < policy.count ?? .max else { return false }
        let children = tokens.values.filter { $0.parent == node }
        let isParent = !children.contains { $0.spentAt != nil }
        let isInTime = policy.window.map { line.now - spentAt < $0 } ?? true
        if policy.useOfChildCloses, children.contains(where: \.isUsed) { return false }
        return switch policy.ancestors {
        case .parent: isInTime && isParent
        case .any: isInTime
        case .anyAndParentAlways: isInTime || isParent
        }
    }

    private mutating func checkUse(_ verdict: RotationPolicy.Verdict, of node: UInt32) {
        guard case .granted(let given, let isRotated, nil) = verdict else {
            return check(false, "a good token got \(verdict)")
        }
        if isRotated {
            for key in tokens.keys where tokens[key]?.spentAt != nil { tokens[key]!.spentSince += 1 }
            tokens[node]!.spentAt = line.now
            note(given, childOf: node)
        } else {
            check(given == node, "another token without rotation")
        }
        check(isRotated == (policy.rotation != .never) || policy.keepsYoung, "rotation")
    }

    private mutating func note(_ given: UInt32, childOf node: UInt32) {
        check(tokens[given] == nil, "\(given) was given twice")
        tokens[given] = Token(parent: node)
    }

    private mutating func checkReplay(_ verdict: RotationPolicy.Verdict, of node: UInt32) {
        let isFull = line.family.rotation.leafCount >= RotationState.maximumLeafCount
        switch (policy.replay, verdict) {
        case (.rejection, .refused(let refusal)): check(refusal == .init(.concurrent), "a replay within the window")
        case (.retryableRejection, .refused(let refusal)):
            check(refusal == .init(.concurrent, isRetryable: true), "a replay within the window")
        case (.sameSuccessor, .granted(let given, false, _?)): check(tokens[given]?.parent == node, "another successor")
        case (.currentToken, .granted(let given, false, _?)): check(given == line.leaves.last, "not the current one")
        case (.newSuccessor, .granted(let given, true, _?)):
            if policy.replacesSibling {
                for key in tokens.keys where tokens[key]!.parent == node && tokens[key]!.spentAt == nil {
                    tokens[key]!.isRevoked = true
                }
            }
            note(given, childOf: node)
        case (.newSuccessor, .refused(let refusal)):
            check(isFull && refusal == .init(.concurrent), "a replay got nothing")
        case (.accessTokenOnly, .accessTokenOnly): break
        default: check(false, "a replay within the window got \(verdict)")
        }
        if verdict.isAccepted { tokens[node]!.replays += 1 }
    }

    /// A reuse outside the window is always seen, and what the policy says ends.
    private mutating func checkReuse(_ verdict: RotationPolicy.Verdict, of node: UInt32) {
        check(verdict.refusal?.cause == .reused, "a reuse outside the window got \(verdict)")
        switch policy.revocation {
        case .nothing: check(line.ended == nil, "something ended")
        case .refreshToken:
            check(line.ended == nil, "more than a token ended")
            for key in tokens.keys where tokens[key]!.spentAt == nil && !line.leaves.contains(key) {
                tokens[key]!.isRevoked = true
            }
        case .family: check(line.ended == .refreshTokens, "the family lives, or more ended")
        case .familyAndAccessTokens: check(line.ended == .everything, "the family lives")
        case .grant: check(line.ended == .grant && verdict.refusal?.endsGrant == true, "the grant lives")
        }
    }
}

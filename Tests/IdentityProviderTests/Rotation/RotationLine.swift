import IdentityProvider
import OAuth
import Primitives

/// A family under a policy, and the time: what is presented to it, and what comes of that in a few words.
struct RotationLine {
    static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    static let lifetime = Duration.seconds(3 * 366 * 86_400)

    let policy: RotationPolicy
    var family: Family
    var now = RotationLine.start

    init(_ policy: RotationPolicy, lasting: Duration? = RotationLine.lifetime, isBound: Bool = false) {
        self.policy = policy
        let terms = FamilyTerms(
            id: FamilyID(bytes: Array(1...16))!, clientID: "app", userID: "alice", scope: .empty,
            confirmation: isBound ? .proofKey(thumbprint: "x") : nil, began: Self.start,
            expires: lasting.map { Self.start + $0 })
        family = Family(terms)
        family.rotation.begin(at: Self.start)
    }

    init(_ text: String) throws {
        self.init(try RotationPolicy(parsing: text))
    }

    mutating func wait(_ duration: Duration) { now = now + duration }

    mutating func judge(
        _ node: UInt32, fromPublicClient isPublic: Bool = false, inRace isRace: Bool = false
    ) -> RotationPolicy.Verdict {
        policy.judge(
            &family, presenting: node, at: now,
            RotationPolicy.Presentation(isFromPublicClient: isPublic, wasGoodOnArrival: isRace))
    }

    /// `2`: another token, of this number. `2 again`: this one, which was given before. `3 for a replay`; `access alone`;
    /// or the cause of a refusal.
    mutating func present(
        _ node: UInt32, fromPublicClient isPublic: Bool = false, inRace isRace: Bool = false
    ) -> String {
        switch judge(node, fromPublicClient: isPublic, inRace: isRace) {
        case .granted(let node, true, nil): "\(node)"
        case .granted(let node, false, nil): "\(node) kept"
        case .granted(let node, true, _?): "\(node) for a replay"
        case .granted(let node, false, _?): "\(node) again"
        case .accessTokenOnly: "access alone"
        case .refused(let refusal): refusal.cause.rawValue + (refusal.isRetryable ? ", retry" : "")
        }
    }

    var leaves: [UInt32] { family.rotation.leaves.map(\.node) }

    /// What has ended.
    var ended: Family.Reach? { family.ended?.reach }
}

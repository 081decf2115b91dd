import Primitives

/// What became of the refresh token that a request presented.
package struct RefreshRecord: Hashable, Sendable {
    package let family: FamilyID
    /// The number of the token.
    package let node: UInt32
    /// `nil`: nothing was asked for it: it was asked about, given back, or shown for something else and accepted.
    package var verdict: Verdict?
    /// Why it was refused, or what it was that was accepted although it had been replaced.
    package var cause: String?
    /// The number of the refresh token in the answer.
    package var given: UInt32?

    package init(family: FamilyID, node: UInt32) {
        self.family = family
        self.node = node
    }

    /// What it got.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// There is another refresh token in the answer.
        case rotated
        /// There is the same refresh token in the answer.
        case kept
        /// It had been replaced, and got something nevertheless.
        case replayed
        case refused
    }

    package var json: JSON {
        [
            "family": .string(family.description), "node": .number(JSONNumber(Int64(node))),
            "verdict": verdict.map { .string($0.rawValue) } ?? .null, "cause": cause.map { .string($0) } ?? .null,
            "given": given.map { .number(JSONNumber(Int64($0))) } ?? .null,
        ]
    }
}

extension RefreshRecord {
    mutating func note(_ verdict: RotationPolicy.Verdict) {
        switch verdict {
        case .granted(let node, let isRotated, let replay):
            self.verdict = replay != nil ? .replayed : isRotated ? .rotated : .kept
            given = node
        case .accessTokenOnly: self.verdict = .replayed
        case .refused(let refusal):
            self.verdict = .refused
            cause = refusal.cause.rawValue
        }
        if let replay = verdict.replay { cause = replay.causes.joined(separator: ",") }
    }
}

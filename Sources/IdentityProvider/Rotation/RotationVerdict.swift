extension RotationPolicy {
    /// What a judgement has to know besides the family and the moment.
    package struct Presentation: Hashable, Sendable {
        /// Whether the client cannot prove who it is (RFC 6749 section 2.1).
        package var isFromPublicClient: Bool
        /// Whether the token was good when the request came. One that is spent at its judgement has lost a race.
        package var wasGoodOnArrival: Bool

        package init(isFromPublicClient: Bool = false, wasGoodOnArrival: Bool = false) {
            self.isFromPublicClient = isFromPublicClient
            self.wasGoodOnArrival = wasGoodOnArrival
        }
    }

    /// What a refresh token gets.
    package enum Verdict: Hashable, Sendable {
        /// Tokens, and the refresh token with this number.
        case granted(node: UInt32, isRotated: Bool, replay: Replay?)
        case accessTokenOnly(Replay)
        case refused(Refusal)
    }

    /// What a token was that had been replaced and was accepted nevertheless.
    package struct Replay: Hashable, Sendable {
        package let isWithinWindow: Bool
        /// Whether its successors are still there: whoever presents it has not got them, or has not kept them.
        package let isParent: Bool

        package init(isWithinWindow: Bool, isParent: Bool) {
            self.isWithinWindow = isWithinWindow
            self.isParent = isParent
        }
    }

    /// Why a refresh token gets nothing, and what else has to follow from that.
    package struct Refusal: Hashable, Sendable {
        package let cause: Cause
        /// Whether the client is told to try again.
        package let isRetryable: Bool
        /// Whether the other families of the same grant have to end too.
        package let endsGrant: Bool

        package init(_ cause: Cause, isRetryable: Bool = false, endsGrant: Bool = false) {
            self.cause = cause
            self.isRetryable = isRetryable
            self.endsGrant = endsGrant
        }
    }

    /// Why a refresh token gets nothing.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// It was replaced, and the window for it is over.
        case reused
        /// It was replaced, within the window or in a race, and is not accepted.
        case concurrent
        /// What it belongs to was ended.
        case ended
        /// Its family is as old as it may become.
        case expired
        /// Nobody used its family for too long.
        case idle
        /// No such token was given.
        case unknown
    }
}

extension RotationPolicy.Verdict {
    /// Whether there is something for the client.
    package var isAccepted: Bool {
        if case .refused = self { false } else { true }
    }

    package var refusal: RotationPolicy.Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    package var replay: RotationPolicy.Replay? {
        switch self {
        case .granted(_, _, let replay): replay
        case .accessTokenOnly(let replay): replay
        case .refused: nil
        }
    }
}

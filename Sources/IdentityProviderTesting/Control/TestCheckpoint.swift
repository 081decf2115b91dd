import IdentityProvider

/// A point that every request passes, where it can be held or something can go wrong.
///
///     let place = TestCheckpoint.refreshJudged
///     print(place.rawValue)                       // refresh.judged
public enum TestCheckpoint: String, CaseIterable, Hashable, Sendable {
    /// Nothing of the request has been looked at.
    case requestReceived = "request.received"
    /// A refresh token of ours was presented by a client that has proven itself.
    case refreshReceived = "refresh.received"
    /// It was judged, and what was decided holds.
    case refreshJudged = "refresh.judged"
    /// Something was granted for it; if it was spent, its successor is known.
    case refreshCommitted = "refresh.committed"
    /// The new tokens are made.
    case refreshResponding = "refresh.responding"
    /// A code was presented by a client that has proven itself.
    case codeReceived = "code.received"
    /// It was judged, and what was decided holds.
    case codeJudged = "code.judged"
    /// It was consumed, and what it stands for has begun.
    case codeCommitted = "code.committed"
    /// The tokens are made.
    case codeResponding = "code.responding"
    /// The answer is complete, and leaves next.
    case responseSending = "response.sending"
    /// The socket has taken the answer. Nothing can be held here, and nothing go wrong.
    case responseSent = "response.sent"

    var checkpoint: Checkpoint {
        guard let checkpoint = Checkpoint(rawValue: rawValue) else {
            preconditionFailure("\(rawValue) is a checkpoint")
        }
        return checkpoint
    }
}

/// A named point that a request passes. Tests hold requests there or have something go wrong; in production nobody listens.
///
/// Judgement and commit are one step of the store, which no request can be held within: `judged` is passed when the store
/// has judged and what it decided holds; `committed` right after it, and only if something was granted.
package enum Checkpoint: String, Sendable, Hashable, CaseIterable {
    /// Nothing of it has been looked at.
    case requestReceived = "request.received"
    /// A refresh token of ours was presented by a client that has proven itself.
    case refreshReceived = "refresh.received"
    /// The store has judged it, whatever the verdict.
    case refreshJudged = "refresh.judged"
    /// Something was granted for it; if it was spent, its successor is known to the store.
    case refreshCommitted = "refresh.committed"
    /// The new tokens are made.
    case refreshResponding = "refresh.responding"
    /// A code was presented by a client that has proven itself.
    case codeReceived = "code.received"
    case codeJudged = "code.judged"
    case codeCommitted = "code.committed"
    case codeResponding = "code.responding"
    /// The answer is complete, and the server gets it next.
    case responseSending = "response.sending"
    /// The socket has taken the answer, or there is nobody who could.
    case responseSent = "response.sent"

    /// What a barrier waits for, unless told otherwise, before it lets the next request go.
    package var next: Checkpoint {
        switch self {
        case .requestReceived: .responseSent
        case .refreshReceived: .refreshJudged
        case .refreshJudged, .refreshCommitted: .refreshResponding
        case .codeReceived: .codeJudged
        case .codeJudged, .codeCommitted: .codeResponding
        case .refreshResponding, .codeResponding, .responseSending, .responseSent: .responseSent
        }
    }

    /// Whether one request can pass this one and the other after it.
    package func comes(before other: Checkpoint) -> Bool {
        guard let own = Self.allCases.firstIndex(of: self), let others = Self.allCases.firstIndex(of: other) else {
            return false
        }
        let tracks = [track, other.track]
        return own < others && !(tracks.contains("refresh") && tracks.contains("code"))
    }

    /// Nothing can be held, nor go wrong, when all is over.
    package static var holdable: [Checkpoint] { allCases.filter { $0 != .responseSent } }

    private var track: Substring { rawValue.prefix { $0 != "." } }
}

import Primitives

/// A refresh that has begun: claim and journal in one.
///
/// It is written before the refresh token is presented. While the claim holds, nobody else presents that token; when its holder
/// was killed, or never heard an answer, whoever comes next finds here that the token may be spent, and presents it again,
/// which a server answers with the successor as long as its window is open.
package struct Rotation: Equatable, Sendable {
    /// Who is at it: chosen at random by each session manager.
    package var holder: String
    /// Until when nobody else may; `nil`: it was given back. Whoever takes it over later writes a newer version of the entry, and
    /// what the former holder writes over his own is refused: a holder who was stuck delays, and never blocks.
    package var leaseEnds: Timestamp?
    /// When its holder claimed it.
    package var claimed: Timestamp
    /// When the token was first presented.
    package var began: Timestamp
    /// How often it was presented.
    package var attempts: Int
    /// What came of the last attempt, if its holder has lived to see it.
    package var failure: Failure?

    /// A refresh that has failed, and has ended nothing. It is kept with the credential that it was to replace, so that not each
    /// request tries again.
    package struct Failure: Hashable, Sendable {
        package var cause: Cause
        /// When to try again.
        package var retryAt: Timestamp

        /// What the server said, if it said anything.
        package enum Cause: Hashable, Sendable {
            case unavailable(Unavailability.Cause)
            /// A refusal that says nothing about the session: the client is at fault, and not its user.
            case refused(code: String)
        }

        package init(_ cause: Cause, retryAt: Timestamp) {
            self.cause = cause
            self.retryAt = retryAt
        }
    }

    package init(
        holder: String, leaseEnds: Timestamp?, claimed: Timestamp, began: Timestamp, attempts: Int,
        failure: Failure? = nil
    ) {
        self.holder = holder
        self.leaseEnds = leaseEnds
        self.claimed = claimed
        self.began = began
        self.attempts = attempts
        self.failure = failure
    }

    /// No lease is longer, whoever gave it.
    static let longestLease = Duration.seconds(300)

    /// Whether somebody holds it. A lease that begins in the future, or would last for ever, was given under another clock.
    package func isHeld(at now: Timestamp) -> Bool {
        leaseEnds.map { claimed <= now && now < $0 && $0 <= claimed + Self.longestLease } ?? false
    }
}

import Primitives

/// Why nobody is signed in.
///
///     let shown = SessionState.signedOut(SignOut(.refused(code: "invalid_grant")))
public struct SignOut: Hashable, Sendable {
    /// Who ended the session.
    public enum Reason: Hashable, Sendable {
        /// Nobody: there was none.
        case never
        /// Somebody who uses the app.
        case user
        /// The server, with this code: the grant is not good any more.
        case refused(code: String)
        /// The access token is over, and there is no refresh token.
        case expired
        /// Nobody has, and nobody can read what is stored: it is damaged, or its key is gone.
        case unreadable
    }

    /// Who ended it.
    public let reason: Reason
    /// When, by the clock of the device that did it; `nil`: there was no session.
    public let moment: Timestamp?

    /// For tests and previews of what shows it.
    public init(_ reason: Reason, at moment: Timestamp? = nil) {
        self.reason = reason
        self.moment = moment
    }
}

import OAuth
import Primitives

/// How things are with a session, for whoever shows it.
package enum SessionState: Hashable, Sendable {
    /// The store has not been read yet: nobody knows whether somebody is signed in.
    case restoring
    /// The store cannot be opened now, and can later.
    case locked
    case signedOut(SignOut)
    case active(SessionInfo)
    /// Somebody is signed in, and no good access token can be had for the moment.
    case offline(SessionInfo)
}

/// What is known of a session, without any secret.
package struct SessionInfo: Hashable, Sendable {
    package let mark: CredentialMark
    package let scope: Scope?
    /// By the clock of the server.
    package let expires: Timestamp?
    package let canRefresh: Bool

    init(_ stored: StoredRecord, _ credential: Credential) {
        mark = stored.mark
        scope = credential.scope
        expires = credential.expires
        canRefresh = credential.refreshToken != nil
    }
}

/// An access token that is good now, and which one it is: to be named when a server refuses it.
package struct AccessToken: Equatable, Sendable {
    package let secret: Secret
    /// `Bearer` or `DPoP`.
    package let type: String
    package let mark: CredentialMark
    package let expires: Timestamp?
}

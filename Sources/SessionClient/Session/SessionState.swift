import OAuth
import Primitives

/// How things are with a session, for whoever shows it.
///
///     let screen =
///         switch session.state {
///         case .restoring, .locked: "splash"
///         case .signedOut: "login"
///         case .active, .offline: "app"
///         }
public enum SessionState: Hashable, Sendable {
    /// The store has not been read yet: nobody knows whether somebody is signed in.
    case restoring
    /// The store cannot be opened now, and can later.
    case locked
    /// Nobody is signed in, and this is why.
    case signedOut(SignOut)
    /// Somebody is signed in.
    case active(SessionInfo)
    /// Somebody is signed in, and no good access token can be had for the moment.
    case offline(SessionInfo)
}

/// What is known of a session, without any secret.
///
///     if case .active(let info) = session.state, !info.canRefresh {
///         print("signed in until \(info.expires, default: "the server says no")")
///     }
public struct SessionInfo: Hashable, Sendable {
    package let mark: CredentialMark
    /// What the tokens allow; `nil`: the server has not said.
    public let scope: Scope?
    /// By the clock of the server.
    public let expires: Timestamp?
    /// Whether there is a refresh token: without one the session ends with its access token.
    public let canRefresh: Bool

    init(_ stored: StoredRecord, _ credential: Credential) {
        mark = stored.mark
        scope = credential.scope
        expires = credential.expires
        canRefresh = credential.refreshToken != nil
    }
}

/// An access token that is good now, and which one it is: to be named when a server refuses it.
///
///     let token = try await session.accessToken()
///     socket.send(token.secret)
///     let another = try await session.accessToken(replacing: token)    // where the server has refused it
public struct AccessToken: Equatable, Sendable {
    /// What goes into the request. It prints as `<redacted>`.
    public let secret: Secret
    /// `Bearer` or `DPoP`.
    public let type: String
    package let mark: CredentialMark
    /// By the clock of the server; `nil`: it has not said.
    public let expires: Timestamp?
}

extension AccessToken {
    init(_ credential: Credential, _ mark: CredentialMark) {
        self.init(
            secret: credential.accessToken, type: credential.tokenType, mark: mark, expires: credential.expires)
    }
}

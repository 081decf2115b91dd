import Primitives

/// Why there is no token now. Somebody has to sign in where nobody is, ``signedOut(_:)``, and where nobody can read who was: a store that is
/// damaged gives way to the next login.
///
///     do throws(SessionError) {
///         use(try await session.accessToken())
///     } catch {
///         switch error {
///         case .signedOut, .store(.corrupt): showLogin()
///         case .store(.locked), .unavailable, .timedOut: tryAgainLater()
///         case .store, .refused, .replacedByAnotherLogin, .foreignServer: report("\(error)")
///         case .cancelled: break
///         }
///     }
public enum SessionError: Error, Hashable, Sendable {
    /// Nobody is signed in.
    case signedOut(SignOut)
    /// The store cannot be read or written now. Whoever is signed in still is.
    case store(SessionStoreError)
    /// The server did not answer, or not so that one could tell what it meant. To be tried again, at `retryAt` at the earliest.
    case unavailable(Unavailability.Cause, retryAt: Timestamp?)
    /// The server says that the client or its request is wrong, with this code; the session is as it was.
    case refused(code: String)
    /// The token that was to be replaced belongs to a login that has ended, and somebody has signed in since. What the one user
    /// wanted is not done in the name of the other.
    case replacedByAnotherLogin
    /// A request was to show the token to a server that it is not for, or to let the network read it: see
    /// ``SessionConfiguration/audience``. Nothing was sent.
    case foreignServer
    /// Somebody else was refreshing for longer than anybody waits.
    case timedOut
    /// The caller gave up. What he waited for goes on.
    case cancelled
}

extension SessionError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .signedOut(let signOut):
            switch signOut.reason {
            case .never: "nobody has signed in"
            case .user: "the user has signed out"
            case .refused(let code): "the server has ended the session (\(code)): sign in again"
            case .expired: "the access token is over, and there is no refresh token: sign in again"
            case .unreadable: "what is stored of the session cannot be read: sign in again"
            }
        case .store(let error): error.description
        case .unavailable(.offline, _): "the server cannot be reached; try again"
        case .unavailable(.server(let status), _): "the server answers with \(status); try again"
        case .unavailable(.unreadable, _): "what answers is no token endpoint: is there a page of a network in between?"
        case .unavailable(.cancelled, _): "the refresh was given up; try again"
        case .refused(let code): "the server refuses the client (\(code)): look at its configuration"
        case .replacedByAnotherLogin: "the login of that token has ended, and somebody else has signed in"
        case .foreignServer: "the request goes to a server that the token is not for, or over http to another machine"
        case .timedOut: "somebody else has been refreshing for too long; try again"
        case .cancelled: "the caller gave up"
        }
    }
}

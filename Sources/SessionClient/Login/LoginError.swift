import OAuth
import Primitives

/// Why a login, or a sign-out in the browser, came to nothing. None of these ends a session that there was before.
///
///     do throws(LoginError) {
///         try await session.finishSignIn(login, callback: callback)
///     } catch {
///         switch error {
///         case .cancelled, .denied, .expired: showLogin()
///         case .unavailable, .notKept: tryAgainLater()
///         default: report("\(error)")
///         }
///     }
public enum LoginError: Error, Hashable, Sendable {
    /// Nothing is known of the server.
    case unknownServer(DiscoveryError)
    /// The server does not offer what this login needs.
    case notOffered(String)
    /// What the app asked for cannot be asked.
    case badRequest(String)
    /// The browser came back with what is no answer to this login: another may have sent it.
    case foreignAnswer(ForeignAnswer)
    /// The user, or somebody at the server in his place, said no.
    case denied
    /// The server said no for another reason.
    case refused(TokenRefusal)
    /// The server gave no answer that says anything. The user may try again.
    case unavailable(Unavailability)
    /// There are tokens, and they are not those of this login.
    case badIDToken(IDTokenError)
    /// The user took longer than there was time.
    case expired
    /// Whoever waited gave up.
    case cancelled
    /// The app could not wait for the browser, or show what had to be shown.
    case notPossibleHere(String)
    /// What the user did could not be stored; what the server gave was given back.
    case notKept(SessionError)

    /// What was wrong with it.
    public enum ForeignAnswer: Hashable, Sendable {
        /// It did not come to the redirect URI, or says a parameter twice.
        case otherAddress
        /// `state` is missing or another: somebody else has begun it.
        case otherState
        /// `iss` names another server (RFC 9207).
        case otherIssuer
        /// It does not name its server, and this one always does (RFC 9207).
        case missingIssuer
        /// It has neither a code nor an error.
        case missingCode
    }
}

extension LoginError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .unknownServer(let error): "\(error)"
        case .notOffered(let what): "the server does not offer this login: \(what)"
        case .badRequest(let what): "the login cannot be asked for: \(what)"
        case .foreignAnswer(let answer): "the answer in the browser is not that of this login: \(answer)"
        case .denied: "the login was denied"
        case .refused(let refusal):
            "the server refused the login: \(refusal.code)" + (refusal.description.map { " (\($0))" } ?? "")
        case .unavailable(let unavailability): "the server gave no answer: \(unavailability.cause.explanation)"
        case .badIDToken(let error): "the ID token is not good: \(error)"
        case .expired: "the login took too long"
        case .cancelled: "the login was given up"
        case .notPossibleHere(let what): "the login is not possible here: \(what)"
        case .notKept(let error): "it could not be stored: \(error)"
        }
    }
}

extension LoginError.ForeignAnswer: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .otherAddress: "it did not come to the redirect URI, or says a parameter twice"
        case .otherState: "its state is missing or another"
        case .otherIssuer: "it comes from another issuer (RFC 9207)"
        case .missingIssuer: "it does not say which issuer it comes from, and this server always does (RFC 9207)"
        case .missingCode: "it has neither a code nor an error"
        }
    }
}

extension LoginError {
    /// RFC 6749 section 4.1.2.1: `access_denied` is the one error that is an answer of the user.
    init(_ refusal: TokenRefusal) {
        self = sameText(refusal.code, OAuthErrorCode.accessDenied.rawValue) ? .denied : .refused(refusal)
    }

    init(_ unavailability: Unavailability) {
        self = unavailability.cause == .cancelled ? .cancelled : .unavailable(unavailability)
    }
}

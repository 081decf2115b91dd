/// Why a page was not gone to.
///
///     do throws(WebBridgeError) {
///         try await bridge.open("https://app.example/account")
///     } catch {
///         switch error {
///         case .cookiesNotVisible, .sessionUnavailable: offerToTryAgain()
///         case .superseded, .cancelled, .closed: break
///         case .invalidURL: report("\(error)")
///         }
///     }
public enum WebBridgeError: Error, Hashable, Sendable {
    /// It is none of `http` or `https`.
    case invalidURL
    /// Nothing is known of the session, and nothing can be found out now. This is not that nobody is signed in.
    case sessionUnavailable
    /// The store of the web view did not show the cookies in time: a page that loads now would be signed out.
    case cookiesNotVisible
    /// Another page was asked for before this one was gone to.
    case superseded
    /// Whoever wanted the page gave up.
    case cancelled
    /// The bridge is closed.
    case closed
}

extension WebBridgeError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .invalidURL: "the page has no URL of http or https"
        case .sessionUnavailable: "the session cannot be read now"
        case .cookiesNotVisible: "the web view did not take the cookies of the session in time"
        case .superseded: "another page was opened instead"
        case .cancelled: "opening the page was given up"
        case .closed: "the bridge to the web view is closed"
        }
    }
}

/// What a page that was gone to has.
///
///     if try await bridge.open(url) == .signedOut { showLogin() }
public enum PageState: Hashable, Sendable {
    /// Its cookies were there when it was gone to.
    case signedIn
    /// Nobody is signed in, and none of the session's cookies were there.
    case signedOut
}

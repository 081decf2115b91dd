import OAuth
import Primitives

/// That a client may have its sessions in cookies, and what they look like. What is left alone is safe over HTTPS, and
/// works on this machine without it.
package struct CookieSessionSettings: Hashable, Sendable {
    package var accessCookie = SessionCookieSettings()
    package var refreshCookie = SessionCookieSettings()
    /// How a session may begin.
    package var signIn: Set<SignIn> = Set(SignIn.allCases)
    package var signOut = SignOut.session
    /// Pages of which other origins may use the session; the provider's own always may.
    package var origins: [WebOrigin] = []
    /// The clients that a session may be forked for.
    package var forkTo: [String] = []
    package var plainHTTP = PlainHTTP.loopback
    package var afterRefusal = AfterRefusal.keep

    package init() {}

    /// What proves who the user is.
    package enum SignIn: String, Hashable, Sendable, CaseIterable {
        /// His name and his password.
        case password
        /// An authorization code, with its verifier.
        case code
    }

    /// What ends with `DELETE /session`.
    package enum SignOut: String, Hashable, Sendable, CaseIterable {
        /// The session, and nothing beside it.
        case session
        /// The login too, with every session that hangs on it.
        case login
    }

    /// Where cookies may travel without encryption.
    package enum PlainHTTP: String, Hashable, Sendable, CaseIterable {
        case never
        /// Within this machine.
        case loopback
        /// Whoever is on the way reads them. For networks of tests, such as those of containers.
        case everywhere
    }

    /// What becomes of the cookies of a session that is over for good, when a refresh finds out.
    package enum AfterRefusal: String, Hashable, Sendable, CaseIterable {
        /// They stay, worth nothing: a browser knows cookies by their names alone, so that an answer that comes late would take
        /// away those of a newer session.
        case keep
        /// The browser is told to forget them, whichever it has by then.
        case expire
    }
}

import OAuth
import Primitives

/// What a user is in the middle of, between one page and the next: what for, in which browser, and how far he has come.
///
/// It proves nothing by itself: whoever goes on shows at each step, by cookies, that the browser is the same and that the
/// login is his.
package struct Interaction: Sendable {
    package let id: InteractionID
    package let purpose: Purpose
    /// By the digest of its cookie. `nil` until a browser has come with one: a request that another site posts brings no
    /// cookies (see `BrowserCookies`).
    package private(set) var browser: TokenDigest?
    package var progress = Progress()
    package let began: Timestamp
    package private(set) var expires: Timestamp

    package init(
        id: InteractionID, purpose: Purpose, browser: TokenDigest?, began: Timestamp, expires: Timestamp
    ) {
        self.id = id
        self.purpose = purpose
        self.browser = browser
        self.began = began
        self.expires = expires
    }

    /// What comes at the end.
    package enum Purpose: Sendable {
        /// A client gets its answer.
        case authorization(AuthorizationRequest)
        /// A page of ours that wanted to know who the user is: a path and a query below the issuer's own.
        case page(String)
    }

    /// How far the user has come.
    package struct Progress: Sendable {
        /// The login that was made, or made again, in this interaction.
        package var authenticated: LoginID?
        /// The account to go on with, made or chosen.
        package var account: LoginID?
        package var consent: Consent?

        package init() {}
    }

    /// What a user has agreed to.
    package struct Consent: Sendable {
        package let userID: String
        package let scope: Scope
    }

    /// How long it stays after its end, for a second press of the button and a step back.
    private static let timeAfterEnd = Duration.seconds(30)

    /// Notes that the client has its answer.
    package mutating func end(at now: Timestamp) { expires = min(expires, now + Self.timeAfterEnd) }

    /// Binds it to a browser, the first that comes. Says whether it belongs to one of these.
    package mutating func belongs(to browsers: [TokenDigest]) -> Bool {
        if let browser { return browsers.contains(browser) }
        browser = browsers.first
        return browser != nil
    }
}

import Primitives

/// How people log in.
package struct SignInPolicy: Sendable, Hashable {
    package var page = Page.users
    /// After so many wrong passwords for one username within the window, none is looked at until it is over.
    package var failuresAllowed = 10
    package var failureWindow = Duration.seconds(60)

    package init() {}

    /// What the page of a login offers.
    package enum Page: String, Sendable, CaseIterable {
        /// The users are offered as buttons, and a form besides.
        case users
        /// The form alone, as at a real provider.
        case form
    }
}

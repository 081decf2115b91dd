/// Asks whether the user wants to sign out.
package struct LogoutConfirmation: Sendable {
    /// Where the form is posted. It sends `decision` (`logout` or `stay`).
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    /// Where the answer may redirect: the client's `post_logout_redirect_uri`.
    package var formTargets: [ContentSource]
    /// `nil` if the request does not say who asks.
    package var clientName: String?
    /// Who is signed out: one, or as many as are signed in.
    package var users: [PagePerson]
    /// Whether the session is not one that this browser shows.
    package var isElsewhere = false

    package init(
        action: PageURL, hiddenFields: [HiddenField], formTargets: [ContentSource] = [], clientName: String? = nil,
        users: [PagePerson] = []
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.formTargets = formTargets
        self.clientName = clientName
        self.users = users
    }
}

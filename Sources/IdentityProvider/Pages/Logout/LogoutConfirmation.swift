/// Asks whether the user wants to sign out.
package struct LogoutConfirmation: Sendable {
    /// Where the form is posted. It sends `decision` (`logout` or `stay`).
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    /// Where the answer may redirect: the client's `post_logout_redirect_uri`.
    package var formTargets: [ContentSource]
    /// `nil` if the request does not say who asks.
    package var clientName: String?
    package var user: PagePerson?

    package init(
        action: PageURL, hiddenFields: [HiddenField], formTargets: [ContentSource] = [], clientName: String? = nil,
        user: PagePerson? = nil
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.formTargets = formTargets
        self.clientName = clientName
        self.user = user
    }
}

import HTTPMessages

/// Asks who the user is.
package struct LoginPage: Page {
    /// Where the form is posted. It sends `username` and `password`, or `user`, or `cancel`; and `claims` if offered.
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    /// Where the answer to the form may redirect: the client.
    package var formTargets: [ContentSource]
    package var clientName: String?
    package var policyURL: PageURL?
    package var termsURL: PageURL?
    /// What the client (`login_hint`) or the user's last try put there.
    package var username: String
    package var problem: Problem?
    /// Who can sign in by a button, without a password: for tests.
    package var users: [PagePerson]
    /// Whether claims can be added to this login: for tests. What was typed before comes back.
    package var claims: String?

    /// Why the form is shown again.
    package enum Problem: Hashable, Sendable {
        case wrongCredentials
        case tooManyAttempts(retryAfterSeconds: Int)
        case expired
        case claimsAreNoObject
    }

    package init(
        action: PageURL, hiddenFields: [HiddenField], formTargets: [ContentSource], clientName: String? = nil,
        policyURL: PageURL? = nil, termsURL: PageURL? = nil, username: String = "", problem: Problem? = nil,
        users: [PagePerson] = [], claims: String? = nil
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.formTargets = formTargets
        self.clientName = clientName
        self.policyURL = policyURL
        self.termsURL = termsURL
        self.username = username
        self.problem = problem
        self.users = users
        self.claims = claims
    }

    package var policy: ContentPolicy { ContentPolicy(formTargets: formTargets) }

    package func title(_ texts: PageTexts) -> String {
        (problem == nil ? "" : texts.common.errorPrefix) + texts.login.title
    }
}

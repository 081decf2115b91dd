/// Asks the user whether a client may have what it asks for.
package struct ConsentPage: Page {
    /// Where the form is posted. It sends `decision` (`allow` or `deny`) and a `scope` for each that is left checked;
    /// `openid` is not among them, since there is no choice about it.
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    package var formTargets: [ContentSource]
    package var clientName: String
    package var user: PagePerson
    package var scopes: [String]
    /// The APIs that the tokens are for (RFC 8707).
    package var resources: [String]
    package var policyURL: PageURL?
    package var termsURL: PageURL?

    package init(
        action: PageURL, hiddenFields: [HiddenField], formTargets: [ContentSource], clientName: String,
        user: PagePerson, scopes: [String], resources: [String] = [], policyURL: PageURL? = nil,
        termsURL: PageURL? = nil
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.formTargets = formTargets
        self.clientName = clientName
        self.user = user
        self.scopes = scopes
        self.resources = resources
        self.policyURL = policyURL
        self.termsURL = termsURL
    }

    package var policy: ContentPolicy { ContentPolicy(formTargets: formTargets) }

    package func title(_ texts: PageTexts) -> String { texts.consent.title.plain(clientName) }
}

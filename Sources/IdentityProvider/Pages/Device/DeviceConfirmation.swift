/// Asks whether a device is the user's own.
package struct DeviceConfirmation: Sendable {
    /// Where the form is posted. It sends `decision` (`allow` or `deny`).
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    package var clientName: String
    package var userCode: String
    package var user: PagePerson
    package var scopes: [String]

    package init(
        action: PageURL, hiddenFields: [HiddenField], clientName: String, userCode: String, user: PagePerson,
        scopes: [String] = []
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.clientName = clientName
        self.userCode = userCode
        self.user = user
        self.scopes = scopes
    }
}

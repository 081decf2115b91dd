/// Asks for the code that a device shows.
package struct DeviceCodeForm: Sendable {
    /// Where the form is posted. It sends `user_code`.
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    /// From the link that the device gave (`verification_uri_complete`), or from the user's last try.
    package var userCode: String
    package var problem: Problem?

    /// Why the form is shown again.
    package enum Problem: Hashable, Sendable {
        case unknownCode
        case expiredCode
        case tooManyAttempts(retryAfterSeconds: Int)
    }

    package init(action: PageURL, hiddenFields: [HiddenField], userCode: String = "", problem: Problem? = nil) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.userCode = userCode
        self.problem = problem
    }

    func message(_ texts: PageTexts.Device) -> String? {
        switch problem {
        case nil: nil
        case .unknownCode: texts.wrongCode
        case .expiredCode: texts.expiredCode
        case .tooManyAttempts(let seconds): texts.tooManyAttempts(max(1, seconds))
        }
    }
}

/// Asks which of several accounts to go on with (`prompt=select_account`, OpenID Connect Core section 3.1.2.1).
package struct AccountPickerPage: Page {
    /// Where the form is posted. It sends `account`, or `another`, or `cancel`.
    package var action: PageURL
    package var hiddenFields: [HiddenField]
    package var formTargets: [ContentSource]
    package var clientName: String?
    package var accounts: [PagePerson]

    package init(
        action: PageURL, hiddenFields: [HiddenField], formTargets: [ContentSource], clientName: String? = nil,
        accounts: [PagePerson]
    ) {
        self.action = action
        self.hiddenFields = hiddenFields
        self.formTargets = formTargets
        self.clientName = clientName
        self.accounts = accounts
    }

    package var policy: ContentPolicy { ContentPolicy(formTargets: formTargets) }

    package func title(_ texts: PageTexts) -> String { texts.accounts.title }

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        writer.element("h1", [.id("accounts")], texts.accounts.title)
        if let clientName {
            writer.element("p", [.class("lead")]) { $0.phrase(texts.accounts.lead, clientName) }
        }
        writer.form(action: action, hidden: hiddenFields) { writer in
            writer.element("ul", [.class("people"), .role("list"), .ariaLabelledBy("accounts")]) { writer in
                for account in accounts {
                    writer.element("li") { writer in
                        writer.personButton(
                            name: account.name, note: account.note, [.name("account"), .value(account.id)])
                    }
                }
                writer.element("li") { writer in
                    writer.element(
                        "button", [.type("submit"), .class("person another"), .name("another"), .value("1")],
                        texts.accounts.another)
                }
            }
            writer.button(texts.common.cancel, .quiet, [.name("cancel"), .value("1")])
        }
    }
}

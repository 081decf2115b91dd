extension LoginPage {
    /// In bytes, as the field counts characters: longer than any name and password, shorter than what would cost us.
    private static let longestCredential = 256

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        writer.element("h1", texts.login.title)
        if let clientName {
            writer.element("p", [.class("lead")]) { $0.phrase(texts.login.lead, clientName) }
        }
        if let problem { writer.notice(message(for: problem, texts.login)) }
        writer.form(action: action, hidden: hiddenFields) { writer in
            if !users.isEmpty { writeUsers(into: &writer, texts.login) }
            writeCredentials(into: &writer, texts.login)
            if let claims { writeClaims(claims, into: &writer, texts.login) }
            writer.button(texts.common.cancel, .quiet, [.name("cancel"), .value("1"), .formnovalidate])
        }
        writer.links(policy: policyURL, terms: termsURL, texts.common)
    }

    private func message(for problem: Problem, _ texts: PageTexts.Login) -> String {
        switch problem {
        case .wrongCredentials: texts.wrongCredentials
        case .tooManyAttempts(let seconds): texts.tooManyAttempts(max(1, seconds))
        case .expired: texts.expired
        case .claimsAreNoObject: texts.claimsInvalid
        }
    }

    private func writeUsers(into writer: inout HTMLWriter, _ texts: PageTexts.Login) {
        // Enter in a field presses the first button of its form (HTML Living Standard, section 4.10.22.2). That must be
        // the one for the password, not the first user's.
        writer.button("", .primary, [.hidden, .ariaHidden])
        writer.element("h2", [.id("users")], texts.chooseUser)
        writer.element("ul", [.class("people"), .role("list"), .ariaLabelledBy("users")]) { writer in
            for user in users {
                writer.element("li") { writer in
                    writer.personButton(
                        name: user.name, note: user.note, [.name("user"), .value(user.id), .formnovalidate])
                }
            }
        }
        writer.element("h2", [.class("divider")], texts.orPassword)
    }

    private func writeCredentials(into writer: inout HTMLWriter, _ texts: PageTexts.Login) {
        // A hint that hides characters is none: the user would send what he does not see.
        let username = DisplayText.isPlain(username) ? String(username.prefix(Self.longestCredential)) : ""
        let isWrong = problem == .wrongCredentials
        let focusesName = users.isEmpty && username.isEmpty
        let focusesPassword = users.isEmpty && !username.isEmpty
        writer.field(
            texts.username, name: "username",
            [
                .value(username), .autocomplete("username"), .autocapitalize("none"), .noSpellcheck,
                .maxlength(Self.longestCredential), .required, focusesName ? .autofocus : nil,
                isWrong ? .ariaInvalid : nil, isWrong ? .ariaDescribedBy(HTMLWriter.noticeID) : nil,
            ])
        writer.field(
            texts.password, name: "password", type: "password",
            [
                .autocomplete("current-password"), .maxlength(Self.longestCredential), .required,
                focusesPassword ? .autofocus : nil, isWrong ? .ariaInvalid : nil,
                isWrong ? .ariaDescribedBy(HTMLWriter.noticeID) : nil,
            ])
        writer.actions { $0.button(texts.submit, .primary) }
    }

    private func writeClaims(_ claims: String, into writer: inout HTMLWriter, _ texts: PageTexts.Login) {
        let isWrong = problem == .claimsAreNoObject
        writer.element("details", [claims.isEmpty && !isWrong ? nil : .open]) { writer in
            writer.element("summary", texts.claims)
            writer.element("div", [.class("field")]) { writer in
                writer.element("label", [.for("claims")], texts.claimsLabel)
                writer.element(
                    "textarea",
                    [
                        .id("claims"), .name("claims"), .rows(5), .class("code"), .noSpellcheck, .autocomplete("off"),
                        .ariaDescribedBy(isWrong ? "claims-hint " + HTMLWriter.noticeID : "claims-hint"),
                        isWrong ? .ariaInvalid : nil,
                    ]
                ) { writer in
                    // The parser drops a line feed that comes first.
                    writer.literal("\n")
                    writer.editable(claims)
                }
                writer.element("p", [.class("hint"), .id("claims-hint")], texts.claimsHint)
            }
        }
    }
}

extension DevicePage {
    /// In characters, with hyphens and what else people put between the groups.
    private static let longestCode = 64

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        switch step {
        case .enter(let form): write(form, into: &writer, texts)
        case .confirm(let confirmation): write(confirmation, into: &writer, texts)
        case .done: write(texts.device.doneTitle, texts.device.doneLead, isGood: true, into: &writer)
        case .denied: write(texts.device.deniedTitle, texts.device.deniedLead, isGood: false, into: &writer)
        case .expired(let url):
            write(texts.device.expiredTitle, texts.device.expiredLead, isGood: false, into: &writer)
            writer.actions { $0.element("a", [.class("primary"), .href(url)], texts.device.enterAnother) }
        }
    }

    private func write(_ form: DeviceCodeForm, into writer: inout HTMLWriter, _ all: PageTexts) {
        let texts = all.device
        writer.element("h1", texts.enterTitle)
        writer.element("p", [.class("lead")], texts.enterLead)
        let message = form.message(texts)
        if let message { writer.notice(message) }
        writer.form(action: form.action, hidden: form.hiddenFields) { writer in
            let userCode = DisplayText.isPlain(form.userCode) ? String(form.userCode.prefix(Self.longestCode)) : ""
            writer.element("div", [.class("field")]) { writer in
                writer.element("label", [.for("user_code")], texts.code)
                writer.void(
                    "input",
                    [
                        .type("text"), .class("code"), .id("user_code"), .name("user_code"), .value(userCode),
                        .autocomplete("off"), .autocapitalize("characters"), .noSpellcheck,
                        .maxlength(Self.longestCode), .required, .autofocus,
                        .ariaDescribedBy(message == nil ? "code-hint" : "code-hint " + HTMLWriter.noticeID),
                        message == nil ? nil : .ariaInvalid,
                    ])
                writer.element("p", [.class("hint"), .id("code-hint")], texts.codeHint)
            }
            writer.actions { $0.button(all.common.continueOn, .primary) }
        }
    }

    /// RFC 8628 section 5.4: whoever was sent the code by somebody else must have a chance to notice. The code is shown
    /// for comparison, the client is named, and denying comes first.
    private func write(
        _ confirmation: DeviceConfirmation, into writer: inout HTMLWriter, _ texts: PageTexts
    ) {
        writer.element("h1", texts.device.confirmTitle)
        writer.element("p", [.class("lead")]) { $0.phrase(texts.device.confirmLead, confirmation.clientName) }
        writer.signedIn(as: confirmation.user, texts.common)
        writer.element("p", [.class("below")], texts.device.compare)
        writer.element("p", [.class("usercode code")]) { $0.foreign(confirmation.userCode, limit: Self.longestCode) }
        writeScopes(confirmation.scopes, into: &writer, texts)
        writer.element("p", [.class("small below")], texts.device.warning)
        writer.form(action: confirmation.action, hidden: confirmation.hiddenFields) { writer in
            writer.actions { writer in
                writer.button(texts.device.deny, .secondary, [.name("decision"), .value("deny")])
                writer.button(texts.device.allow, .primary, [.name("decision"), .value("allow")])
            }
        }
    }

    private func writeScopes(_ scopes: [String], into writer: inout HTMLWriter, _ texts: PageTexts) {
        guard !scopes.isEmpty else { return }
        writer.element("h2", [.class("below"), .id("scopes")], texts.device.scopes)
        writer.element("ul", [.class("plain"), .role("list"), .ariaLabelledBy("scopes")]) { writer in
            for scope in scopes {
                writer.element("li") { writer in
                    if let known = texts.scopes.known(scope) { writer.text(known.name) } else { writer.foreign(scope) }
                }
            }
        }
    }

    private func write(_ title: String, _ lead: String, isGood: Bool, into writer: inout HTMLWriter) {
        writer.seal(isGood: isGood)
        writer.element("h1", title)
        writer.element("p", [.class("lead")], lead)
    }
}

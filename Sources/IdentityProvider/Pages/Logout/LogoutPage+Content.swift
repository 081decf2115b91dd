extension LogoutPage {
    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        switch step {
        case .confirm(let confirmation): write(confirmation, into: &writer, texts)
        case .done(let end): write(end, into: &writer, texts.logout)
        case .stayed:
            writer.element("h1", texts.logout.stayedTitle)
            writer.element("p", [.class("lead")], texts.logout.stayedLead)
        }
    }

    private func write(_ confirmation: LogoutConfirmation, into writer: inout HTMLWriter, _ texts: PageTexts) {
        writer.element("h1", texts.logout.confirmTitle)
        writer.element("p", [.class("lead")]) { writer in
            guard let name = confirmation.clientName else { return writer.text(texts.logout.asked) }
            writer.phrase(texts.logout.askedBy, name)
        }
        if confirmation.isElsewhere {
            list(confirmation.users, as: texts.logout.elsewhere, into: &writer)
        } else {
            write(confirmation.users, into: &writer, texts)
        }
        writer.form(action: confirmation.action, hidden: confirmation.hiddenFields) { writer in
            writer.actions { writer in
                writer.button(texts.logout.stay, .secondary, [.name("decision"), .value("stay")])
                writer.button(texts.logout.signOut, .primary, [.name("decision"), .value("logout")])
            }
        }
    }

    /// Of several, none is the one who signs out.
    private func write(_ users: [PagePerson], into writer: inout HTMLWriter, _ texts: PageTexts) {
        guard users.count != 1 else { return writer.signedIn(as: users[0], texts.common) }
        guard !users.isEmpty else { return }
        list(users, as: texts.logout.accounts, into: &writer)
    }

    private func list(_ users: [PagePerson], as label: String, into writer: inout HTMLWriter) {
        writer.element("p", [.id("accounts")], label)
        writer.element("ul", [.class("people"), .role("list"), .ariaLabelledBy("accounts")]) { writer in
            for user in users { writer.element("li") { $0.person(user) } }
        }
    }

    private func write(_ end: LogoutEnd, into writer: inout HTMLWriter, _ texts: PageTexts.Logout) {
        writer.seal(isGood: true)
        writer.element("h1", texts.doneTitle)
        if let url = end.continueTo {
            writer.actions { writer in
                writer.element("a", [.class("primary"), .href(url)]) { writer in
                    guard let name = end.clientName else { return writer.text(texts.goBackToApp) }
                    writer.phrase(texts.goBack, name)
                }
            }
        } else {
            writer.element("p", [.class("lead")], texts.doneLead)
        }
        for frame in end.frames {
            writer.element("iframe", [.class("frames"), .ariaHidden, .title(texts.frame), .framed, .src(frame)]) { _ in
            }
        }
    }
}

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
        if let user = confirmation.user { writer.signedIn(as: user, texts.common) }
        writer.form(action: confirmation.action, hidden: confirmation.hiddenFields) { writer in
            writer.actions { writer in
                writer.button(texts.logout.stay, .secondary, [.name("decision"), .value("stay")])
                writer.button(texts.logout.signOut, .primary, [.name("decision"), .value("logout")])
            }
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

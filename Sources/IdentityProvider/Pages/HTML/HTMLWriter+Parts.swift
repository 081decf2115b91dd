/// Parts that several pages have.
extension HTMLWriter {
    static let noticeID = "notice"

    /// What went wrong. A screen reader says it at once; fields point at it.
    mutating func notice(_ message: String) {
        element("p", [.class("notice"), .role("alert"), .id(Self.noticeID)], message)
    }

    /// As whom the user is here.
    mutating func signedIn(as user: PagePerson, _ texts: PageTexts.Common) {
        person(user) { $0.phrase(texts.signedInAs, user.name) }
    }

    /// Somebody, who can only be looked at.
    mutating func person(_ user: PagePerson) { person(user) { $0.foreign(user.name) } }

    private mutating func person(_ user: PagePerson, _ name: (inout HTMLWriter) -> Void) {
        element("div", [.class("self")]) { writer in
            writer.avatar(of: user.name)
            writer.element("p", [.class("who")]) { writer in
                writer.element("span", [], name)
                if let note = user.note {
                    writer.text(" ")
                    writer.element("span", [.class("note")]) { $0.foreign(note) }
                }
            }
        }
    }

    /// What a client says about itself.
    mutating func links(policy: PageURL?, terms: PageURL?, _ texts: PageTexts.Common) {
        guard policy != nil || terms != nil else { return }
        element("p", [.class("links")]) { writer in
            for case (let url?, let text) in [(policy, texts.privacyPolicy), (terms, texts.termsOfService)] {
                writer.element("a", [.href(url), .rel("noopener noreferrer")], text)
                writer.text(" ")
            }
        }
    }

    /// A picture of how it ended, which the heading says in words.
    mutating func seal(isGood: Bool) {
        element("div", [.class(isGood ? "seal" : "seal bad"), .ariaHidden]) { writer in
            writer.element("svg", [.viewBox("0 0 24 24")]) { writer in
                writer.element("path", [.path(isGood ? "M5 12.5l5 5L19.5 7" : "M7 7l10 10M17 7L7 17")]) { _ in }
            }
        }
    }
}

import Primitives

extension ConsentPage {
    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        writer.element("h1") { $0.phrase(texts.consent.title, clientName) }
        writer.signedIn(as: user, texts.common)
        writer.form(action: action, hidden: hiddenFields) { writer in
            writer.element("p", [.id("scopes")]) { $0.phrase(texts.consent.lead, clientName) }
            writer.element("ul", [.class("scopes"), .role("list"), .ariaLabelledBy("scopes")]) { writer in
                for scope in scopes {
                    writer.element("li") { writeScope(scope, into: &$0, texts) }
                }
            }
            if scopes.contains(where: { !Self.isGivenAnyway($0) }) {
                writer.element("p", [.class("hint")]) { $0.phrase(texts.consent.note, clientName) }
            }
            if !resources.isEmpty { writeResources(into: &writer, texts.consent) }
            writer.actions { writer in
                // First, so that Enter on a check box denies: nobody allows anything by accident.
                writer.button(texts.consent.deny, .secondary, [.name("decision"), .value("deny")])
                writer.button(texts.consent.allow, .primary, [.name("decision"), .value("allow")])
            }
        }
        writer.links(policy: policyURL, terms: termsURL, texts.common)
    }

    /// OpenID Connect Core section 3.1.2.1: without `openid` it is no OpenID request at all.
    private static func isGivenAnyway(_ scope: String) -> Bool { sameText(scope, "openid") }

    private func writeScope(_ scope: String, into writer: inout HTMLWriter, _ texts: PageTexts) {
        guard !Self.isGivenAnyway(scope) else {
            writer.element("div", [.class("scope")]) { writer in
                writer.element("svg", [.class("tick"), .viewBox("0 0 24 24"), .ariaHidden]) { writer in
                    writer.element("path", [.path("M4 12.5l5.5 5.5L20 6.5")]) { _ in }
                }
                writeDescription(of: scope, into: &writer, texts)
            }
            return
        }
        writer.element("label", [.class("scope")]) { writer in
            writer.void("input", [.type("checkbox"), .name("scope"), .value(scope), .checked])
            writeDescription(of: scope, into: &writer, texts)
        }
    }

    private func writeDescription(of scope: String, into writer: inout HTMLWriter, _ texts: PageTexts) {
        writer.element("span", [.class("who")]) { writer in
            if let known = texts.scopes.known(scope) {
                writer.element("span", [.class("name")], known.name)
                writer.text(" ")
                writer.element("span", [.class("note")], known.description)
            } else {
                writer.element("span", [.class("name")]) { $0.foreign(scope) }
                writer.text(" ")
                writer.element("span", [.class("note")], texts.scopes.other)
            }
        }
    }

    private func writeResources(into writer: inout HTMLWriter, _ texts: PageTexts.Consent) {
        writer.element("h2", [.class("below"), .id("resources")], texts.resources)
        writer.element("ul", [.class("plain"), .role("list"), .ariaLabelledBy("resources")]) { writer in
            for resource in resources {
                writer.element("li") { writer in writer.element("code") { $0.foreign(resource) } }
            }
        }
    }
}

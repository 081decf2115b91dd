/// Carries an answer to the client in a form that sends itself (OAuth 2.0 Form Post Response Mode section 2). Without
/// JavaScript the user presses its button.
package struct FormPostPage: Page {
    /// The client's redirect URI, or a page of ours.
    package var action: PageURL
    /// Where a page of ours sends the user on, if it does.
    package var destination: PageURL?
    /// The parameters of the answer.
    package var parameters: [HiddenField]
    package var clientName: String

    package init(action: PageURL, parameters: [HiddenField], clientName: String) {
        self.action = action
        self.parameters = parameters
        self.clientName = clientName
    }

    package var policy: ContentPolicy {
        let end = destination ?? (action.scheme == nil ? nil : action)
        return ContentPolicy(formTargets: end.map { ContentSource.leading(to: $0) } ?? [], allowsScript: true)
    }

    package func title(_ texts: PageTexts) -> String { texts.formPost.title }

    package func writeContent(into writer: inout HTMLWriter, _ setting: PageSetting) {
        let texts = setting.texts
        writer.element("h1", texts.formPost.title)
        writer.element("p", [.class("lead")]) { $0.phrase(texts.formPost.lead, clientName) }
        writer.form(action: action, hidden: parameters) { writer in
            writer.actions { $0.button(texts.common.continueOn, .primary) }
        }
        writer.element("script") { $0.literal(PageScript.source) }
    }
}

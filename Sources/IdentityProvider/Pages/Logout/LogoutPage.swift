/// Ends the user's session here, and asks before it does when a client asked for it
/// (OpenID Connect RP-Initiated Logout section 2).
package struct LogoutPage: Page {
    package var step: Step

    /// Where the user is in it.
    package enum Step: Sendable {
        case confirm(LogoutConfirmation)
        case done(LogoutEnd)
        /// The user chose to stay.
        case stayed
    }

    package init(_ step: Step) {
        self.step = step
    }

    package var policy: ContentPolicy {
        switch step {
        case .confirm(let confirmation): ContentPolicy(formTargets: confirmation.formTargets)
        case .done(let end): ContentPolicy(frames: end.frames.compactMap(ContentSource.init))
        case .stayed: ContentPolicy()
        }
    }

    package func title(_ texts: PageTexts) -> String {
        switch step {
        case .confirm: texts.logout.confirmTitle
        case .done: texts.logout.doneTitle
        case .stayed: texts.logout.stayedTitle
        }
    }

    package func writeHead(into writer: inout HTMLWriter) {
        guard case .done(let end) = step, let url = end.continueTo else { return }
        writer.void("meta", [.refreshes, .refresh(to: url, after: end.delay)])
    }
}

/// Connects a device that has no browser (RFC 8628 section 3.3): the user types its code, compares, and decides.
package struct DevicePage: Page {
    package var step: Step

    /// Where the user is in it.
    package enum Step: Sendable {
        case enter(DeviceCodeForm)
        case confirm(DeviceConfirmation)
        case done
        case denied
        /// With where another code can be entered.
        case expired(PageURL)
    }

    package init(_ step: Step) {
        self.step = step
    }

    package var isolatesItself: Bool { true }

    package var policy: ContentPolicy {
        switch step {
        case .enter, .confirm: ContentPolicy(formTargets: [])
        case .done, .denied, .expired: ContentPolicy()
        }
    }

    package func title(_ texts: PageTexts) -> String {
        switch step {
        case .enter(let form): (form.problem == nil ? "" : texts.common.errorPrefix) + texts.device.enterTitle
        case .confirm: texts.device.confirmTitle
        case .done: texts.device.doneTitle
        case .denied: texts.device.deniedTitle
        case .expired: texts.device.expiredTitle
        }
    }
}

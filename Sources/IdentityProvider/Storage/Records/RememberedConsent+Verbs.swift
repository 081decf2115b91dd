import OAuth
import Primitives

extension RememberedConsent {
    /// Notes a decision in what was remembered so far, or begins it.
    package static func note(
        _ granted: Scope, of requested: Scope, for resources: [String], in remembered: inout RememberedConsent?
    ) {
        var consent = remembered ?? RememberedConsent()
        consent.note(granted, of: requested, for: resources)
        remembered = consent
    }
}

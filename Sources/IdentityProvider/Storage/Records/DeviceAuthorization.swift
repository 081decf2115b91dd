import OAuth
import Primitives

/// A device that waits for a user to decide (RFC 8628).
package struct DeviceAuthorization: Sendable {
    package let clientID: String
    /// In which stay of the client it began (``Client/stay``). `nil`: that is not known.
    package let clientStay: Int?
    /// In its canonical spelling: no separators, upper case.
    package let userCode: String
    package let scope: Scope
    package let resources: [String]
    package let confirmation: Confirmation?
    package let expires: Timestamp
    package var decision = Decision.pending
    /// The least time between two polls; it grows when a device does not keep to it (section 3.5).
    package var interval: Duration
    package var lastPoll: Timestamp?

    package init(
        clientID: String, userCode: String, scope: Scope, resources: [String] = [], confirmation: Confirmation? = nil,
        interval: Duration, expires: Timestamp, clientStay: Int? = nil
    ) {
        self.clientID = clientID
        self.clientStay = clientStay
        self.userCode = userCode
        self.scope = scope
        self.resources = resources
        self.confirmation = confirmation
        self.interval = interval
        self.expires = expires
    }

    /// What the user has agreed to, while the device has not fetched it.
    package var approvedTerms: FamilyTerms? {
        guard case .approved(let terms) = decision else { return nil }
        return terms
    }

    /// What the user has decided.
    package enum Decision: Sendable {
        case pending
        case denied
        case approved(FamilyTerms)
        /// The device has its tokens; the code is good for nothing more.
        case redeemed
    }
}

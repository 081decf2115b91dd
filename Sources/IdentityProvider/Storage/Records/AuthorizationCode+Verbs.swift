import Primitives

extension AuthorizationCode: KeptRecord {
    package var forgettable: Timestamp? { expires }

    /// What becomes of the code that somebody presents, or of none; see ``ProviderStore/consumeCode(named:at:if:)``. For
    /// engines, which see to it that nobody else has the code meanwhile.
    package static func consume(
        _ code: inout AuthorizationCode?, at now: Timestamp, if judge: (AuthorizationCode) -> Bool
    ) -> Consumption? {
        guard let found = code else { return .unknown }
        guard judge(found) else { return nil }
        if found.isConsumed { return .replayed(found) }
        guard now < found.expires else { return .expired }
        code?.isConsumed = true
        return .consumed(found)
    }

    package func isMeant(by isMeant: (_ userID: String?, _ clientID: String) -> Bool) -> Bool {
        isMeant(terms.userID, terms.clientID)
    }
}

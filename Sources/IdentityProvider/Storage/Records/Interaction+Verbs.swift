import Primitives

extension Interaction: KeptRecord {
    package var forgettable: Timestamp? { expires }

    /// Changes an interaction that is there and whose time is not over.
    package static func change<Result>(
        _ interaction: inout Interaction?, at now: Timestamp, by body: (inout Interaction) -> Result
    ) -> Result? {
        guard var found = interaction, now < found.expires else { return nil }
        let result = body(&found)
        interaction = found
        return result
    }

    package func isMeant(by isMeant: (_ userID: String?, _ clientID: String) -> Bool) -> Bool {
        guard case .authorization(let request) = purpose else { return false }
        return isMeant(progress.consent?.userID, request.clientID)
    }
}

import Primitives

extension ProviderStore {
    /// One family after the other, each at once. Who asks again goes on where a failure has stopped it.
    package func endFamilies(
        of clientID: String, in loginID: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(StoreError) {
        try await endEachFamily(of: clientID, in: loginID, reason, at: now)
    }

    /// The same, by the other verbs of the store.
    func endEachFamily(
        of clientID: String, in loginID: LoginID, _ reason: Family.Reason, at now: Timestamp
    ) async throws(StoreError) {
        while true {
            let found = try await families(
                of: loginID, where: { !$0.isOver && sameText($0.terms.clientID, clientID) }, limit: grantBatchCount)
            for family in found { _ = try await judge(family.id) { $0.end(reason, at: now) } }
            if found.count < grantBatchCount { return }
        }
    }

    /// As many are held at once.
    private var grantBatchCount: Int { 1000 }

    package func families(
        of loginID: LoginID, where isWanted: @Sendable (Family) -> Bool, limit: Int
    ) async throws(StoreError) -> [Family] {
        try await families(where: { $0.terms.loginID == loginID && isWanted($0) }, limit: limit)
    }
}

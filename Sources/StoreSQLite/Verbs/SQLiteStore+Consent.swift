import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func consent(
        of userID: String, to clientID: String, for resources: [String]
    ) async throws(StoreError) -> Scope? {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.consents.record(StoreKey.consent(of: userID, to: clientID), on: connection)?
                .scope(for: resources)
        }
    }

    package func rememberConsent(
        _ granted: Scope, of requested: Scope, by userID: String, to clientID: String, for resources: [String]
    ) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.consents.change(StoreKey.consent(of: userID, to: clientID), in: transaction) {
                RememberedConsent.note(granted, of: requested, for: resources, in: &$0)
            }
        }
    }

    package func withdrawConsents(
        where isMeant: @Sendable (_ userID: String, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.consents.removeAll(in: transaction) { key, _ throws(SQLiteFailure) in
                let (userID, clientID) = try StoreKey.parties(key)
                return isMeant(userID, clientID)
            }
        }
    }
}

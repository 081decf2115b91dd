import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func spend(
        _ identifier: OneTimeIdentifier, until expiry: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        let key = StoreKey.identifier(identifier)
        return try await engine.write { transaction throws(SQLiteFailure) in
            try tables.spent.change(key, at: now, in: transaction) {
                ExpiryRecord.spend(&$0, until: expiry, at: now)
            }
        }
    }

    package func keep(
        _ request: PushedRequest, named digest: TokenDigest, at now: Timestamp
    ) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.pushedRequests.insert(request, for: digest.bytes, at: now, in: transaction)
        }
    }

    package func takePushedRequest(
        named digest: TokenDigest, at now: Timestamp, if judge: @Sendable (PushedRequest) -> Bool
    ) async throws(StoreError) -> PushedRequest? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.pushedRequests.change(digest.bytes, in: transaction) {
                PushedRequest.take(&$0, at: now, if: judge)
            }
        }
    }

    package func keep(_ interaction: Interaction) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.interactions.insert(
                interaction, for: StoreKey.text(interaction.id.text), at: interaction.began, in: transaction)
        }
    }

    package func changeInteraction<Result: Sendable>(
        _ id: InteractionID, at now: Timestamp, by body: @Sendable (inout Interaction) -> Result
    ) async throws(StoreError) -> Result? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.interactions.change(StoreKey.text(id.text), in: transaction) {
                Interaction.change(&$0, at: now, by: body)
            }
        }
    }
}

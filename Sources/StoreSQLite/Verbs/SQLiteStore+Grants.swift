import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func withdrawGrants(
        where isMeant: @Sendable (_ userID: String?, _ clientID: String) -> Bool
    ) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.codes.removeAll(in: transaction) { _, code throws(SQLiteFailure) in
                code.isMeant(by: isMeant)
            }
            try withdrawDevices(in: transaction, where: isMeant)
            try tables.pushedRequests.removeAll(in: transaction) { _, request throws(SQLiteFailure) in
                request.isMeant(by: isMeant)
            }
            try tables.interactions.removeAll(in: transaction) { _, interaction throws(SQLiteFailure) in
                interaction.isMeant(by: isMeant)
            }
        }
    }

    /// And frees their user codes, but those that have been given to other devices since.
    private func withdrawDevices(
        in transaction: Transaction, where isMeant: (_ userID: String?, _ clientID: String) -> Bool
    ) throws(SQLiteFailure) {
        var freed: [(userCode: String, device: [UInt8])] = []
        try tables.devices.removeAll(in: transaction) { key, device throws(SQLiteFailure) in
            guard device.isMeant(by: isMeant) else { return false }
            freed.append((device.userCode, key))
            return true
        }
        for entry in freed {
            try tables.userCodes.change(StoreKey.text(entry.userCode), in: transaction) { code in
                if code?.device.bytes == entry.device { code = nil }
            }
        }
    }
}

import IdentityProvider
import OAuth
import Primitives

extension SQLiteStore {
    package func keep(
        _ device: DeviceAuthorization, named digest: TokenDigest, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        let key = StoreKey.text(device.userCode)
        return try await engine.write { transaction throws(SQLiteFailure) in
            let isFree = try tables.userCodes.change(key, at: now, in: transaction) {
                UserCodeRecord.take(&$0, for: digest, until: device.expires, at: now)
            }
            guard isFree else { return false }
            do throws(SQLiteFailure) {
                try tables.devices.insert(device, for: digest.bytes, at: now, in: transaction)
            } catch {
                // Nothing happened: the code is free again.
                if case .refused = error { try tables.userCodes.change(key, in: transaction) { $0 = nil } }
                throw error
            }
            return true
        }
    }

    package func changeDevice<Result: Sendable>(
        named digest: TokenDigest, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.devices.changeExisting(digest.bytes, in: transaction, by: body)
        }
    }

    package func changeDevice<Result: Sendable>(
        userCode: String, at now: Timestamp, by body: @Sendable (inout DeviceAuthorization) -> Result
    ) async throws(StoreError) -> Result? {
        try await engine.write { transaction throws(SQLiteFailure) in
            guard let entry = try tables.userCodes.record(StoreKey.text(userCode), on: transaction.connection),
                now < entry.expires
            else { return nil }
            return try tables.devices.changeExisting(entry.device.bytes, in: transaction, by: body)
        }
    }
}

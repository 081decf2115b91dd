import IdentityProvider

extension SQLiteStore {
    package func keep(_ stays: [StayRecord], forgetting gone: [StayRecord]) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            for record in gone {
                try tables.stays.change(StoreKey.text(record.key), in: transaction) { $0 = nil }
            }
            for record in stays {
                try tables.stays.change(StoreKey.text(record.key), in: transaction) { $0 = record }
            }
        }
    }

    package func stays() async throws(StoreError) -> [StayRecord] {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.stays.records(where: { _ in true }, limit: .max, on: connection)
        }
    }
}

import IdentityProvider

extension SQLiteStore {
    package func keep(_ registration: Registration) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.registrations.insert(
                registration, for: StoreKey.text(registration.clientID), at: nil, in: transaction)
        }
    }

    package func update(_ registration: Registration) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.registrations.change(StoreKey.text(registration.clientID), in: transaction) {
                registration.replace(&$0)
            }
        }
    }

    package func removeRegistration(of clientID: String) async throws(StoreError) {
        try await engine.write { transaction throws(SQLiteFailure) in
            try tables.registrations.change(StoreKey.text(clientID), in: transaction) { $0 = nil }
        }
    }

    package func registrations() async throws(StoreError) -> [Registration] {
        try await engine.read { connection throws(SQLiteFailure) in
            try tables.registrations.records(where: { _ in true }, limit: .max, on: connection)
        }
    }
}

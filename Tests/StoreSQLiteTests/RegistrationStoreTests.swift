import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Testing

/// What clients have registered is there when the database is opened again, and what they have removed is not.
@Suite struct RegistrationStoreTests {
    private let database: Database

    init() throws { database = try Database() }

    private func names(_ store: SQLiteStore) async throws -> [String?] {
        try await store.registrations().map { $0.metadata["client_name"]?.string }
    }

    @Test func remembersWhatWasRegistered() async throws {
        try await database.prepare { try await $0.keep(Sample.registration()) }
        try await database.prepare { store in
            let found = try #require(try await store.registrations().first)
            #expect(found.clientID == "client")
            #expect(found.accessTokenDigest == TokenDigest(of: "token"))
            #expect(found.registered == Sample.start)
            #expect(found.stay == 1)
            #expect(try await names(store) == ["App"])
        }
    }

    /// Two changes may come in either order; the one that was made last holds.
    @Test(arguments: [[1, 2], [2, 1]])
    func theLastOfTwoChangesHolds(order: [Int]) async throws {
        try await database.prepare { store in
            try await store.keep(Sample.registration())
            for revision in order {
                try await store.update(Sample.registration(revision: revision, name: "\(revision)"))
            }
            #expect(try await names(store) == ["2"])
        }
    }

    @Test func whatWasRemovedDoesNotComeBack() async throws {
        try await database.prepare { store in
            try await store.keep(Sample.registration())
            try await store.removeRegistration(of: "client")
            try await store.update(Sample.registration(revision: 1))
            #expect(try await store.registrations().isEmpty)
        }
        try await database.prepare { store in
            let found = try await store.registrations()
            #expect(found.isEmpty)
        }
    }

    @Test func tenantsHaveTheirOwn() async throws {
        let engine = try database.open()
        defer { engine.close() }
        try await engine.store(of: "acme").keep(Sample.registration())
        #expect(try await engine.store().registrations().isEmpty)
        try await engine.store().removeAll()
        #expect(try await engine.store(of: "acme").registrations().count == 1)
    }

    /// Whoever reads the database learns no secret and no token.
    @Test func holdsNoSecret() async throws {
        try await database.prepare { try await $0.keep(Sample.registration()) }
        let record = try #require(try database.sql("SELECT hex(record) FROM registrations").first)
        for secret in ["token", "secret"] {
            #expect(!record.contains(secret.utf8.map { String($0, radix: 16, uppercase: true) }.joined()))
        }
    }
}

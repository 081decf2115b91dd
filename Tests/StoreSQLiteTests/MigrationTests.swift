import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import Testing

/// Databases of older programs are brought up to date, whole or not at all.
@Suite struct MigrationTests {
    private let database: Database
    private let login = LoginID("login")

    init() throws { database = try Database() }

    /// As the first program wrote it.
    private func prepareFirstVersion() async throws {
        try await database.prepare { store in
            try await withThrowingTaskGroup(of: Void.self) { [login] group in
                for seed in 1...2500 {
                    let terms = Sample.terms(UInt64(seed), login: seed % 1000 == 7 ? login : nil)
                    group.addTask { try await store.keep(Family(terms)) }
                }
                try await group.waitForAll()
            }
        }
        for statement in [
            "DROP INDEX families_login", "ALTER TABLE families DROP COLUMN login", "DROP TABLE registrations",
            "DROP TABLE stays",
            "PRAGMA user_version = 1",
        ] {
            try database.sql(statement)
        }
    }

    @Test func findsFamiliesOfOlderDatabasesByTheirLogin() async throws {
        try await prepareFirstVersion()
        try await database.prepare { store in
            let found = try await store.families(of: login, where: { _ in true }, limit: 10)
            #expect(Set(found.map(\.id)) == Set([7, 1007, 2007].map { Sample.terms($0).id }))
            #expect(try await store.families(where: { _ in true }, limit: 5000).count == 2500)
            try await store.keep(Sample.registration())
        }
        #expect(try database.sql("PRAGMA user_version") == ["4"])
        #expect(try database.sql("SELECT count(*) FROM families WHERE login IS NOT NULL") == ["3"])
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// What ends with a login is looked for where it is, and not among all: others are not even read.
    @Test func readsNoneButThoseOfTheLogin() async throws {
        try await database.prepare { store in
            try await store.keep(Family(Sample.terms(1, login: login)))
            try await store.keep(Family(Sample.terms(2, login: LoginID("another"))))
            try await store.keep(Family(Sample.terms(3)))
        }
        try database.sql("UPDATE families SET record = x'00' WHERE login IS NOT 'login'")
        try await database.prepare { store in
            let found = try await store.families(of: login, where: { _ in true }, limit: 10)
            #expect(found.map(\.id) == [Sample.terms().id])
            try await store.endFamilies(of: "app", in: login, .loggedOut, at: Sample.start)
            #expect(try await store.family(Sample.terms().id)?.ended?.reason == .loggedOut)
            #expect(database.notices.withLock { $0.isEmpty })
            #expect(try await store.families(where: { _ in true }, limit: 10).count == 1)
            #expect(database.notices.withLock { $0 } == [.damaged(count: 2, table: "families", tenant: "")])
        }
    }

    /// One that a step cannot be taken in stays what it was.
    @Test func aStepThatFailsChangesNothing() async throws {
        try await prepareFirstVersion()
        try database.sql("CREATE TABLE registrations (x)")
        #expect(database.refusal() != nil)
        #expect(try database.sql("PRAGMA user_version") == ["1"])
        #expect(try database.sql("SELECT count(*) FROM pragma_table_info('families') WHERE name = 'login'") == ["0"])
        try database.sql("DROP TABLE registrations")
        #expect(database.refusal() == nil)
        #expect(try database.sql("PRAGMA user_version") == ["4"])
    }
}

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
        try makeAsItWas(in: 1)
    }

    private static let tablesOfTheFirstVersion = [
        "codes", "families", "logins", "access_tokens", "revoked_access_tokens", "spent", "pushed_requests", "devices",
        "user_codes", "consents", "interactions",
    ]

    /// Brings the database back to where the programs of a version had it.
    private func makeAsItWas(in version: Int) throws {
        try database.sql("DROP TABLE heads")
        try database.sql("PRAGMA user_version = \(version)")
        guard version < 5 else { return }
        for table in Self.tablesOfTheFirstVersion {
            try makeAsItWas(table, naming: table == "families" && version >= 2 ? ["login"] : [])
            try database.sql("CREATE INDEX \(table)_forget ON \(table) (tenant, forget) WHERE forget IS NOT NULL")
        }
        if version >= 2 {
            try database.sql("CREATE INDEX families_login ON families (tenant, login) WHERE login IS NOT NULL")
        }
        for (table, first) in [("registrations", 3), ("stays", 4)] {
            if version >= first { try makeAsItWas(table) } else { try database.sql("DROP TABLE \(table)") }
        }
    }

    private func makeAsItWas(_ table: String, naming more: [String] = []) throws {
        let columns = (["tenant", "key", "record", "forget"] + more).joined(separator: ", ")
        for statement in [
            """
            CREATE TABLE former (
                tenant TEXT NOT NULL, key BLOB NOT NULL, record BLOB NOT NULL, forget INTEGER,
                \(more.map { "\($0) TEXT, " }.joined())PRIMARY KEY (tenant, key)
            ) STRICT, WITHOUT ROWID
            """,
            "INSERT INTO former SELECT \(columns) FROM \(table)", "DROP TABLE \(table)",
            "ALTER TABLE former RENAME TO \(table)",
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
            for seed in [1, 7, 2500] as [UInt64] {
                #expect(try await store.family(Sample.terms(seed).id)?.terms.id == Sample.terms(seed).id)
            }
            try await store.keep(Sample.registration())
        }
        #expect(try database.sql("PRAGMA user_version") == ["6"])
        #expect(try database.sql("SELECT count(*) FROM families WHERE login IS NOT NULL") == ["3"])
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// Each row is where it is looked for, with all that it had, whosever it is.
    @Test(arguments: 1...5) func findsTheRowsOfEveryTenant(version: Int) async throws {
        let digest = TokenDigest(of: "code")
        let family = Sample.terms(expires: Sample.start + .seconds(9), login: login)
        let stay = StayRecord(.user, "alice", 3)
        let engine = try database.open()
        for name in ["", "acme", "zoo"] {
            let store = engine.store(of: name)
            try await store.keep(Sample.code(), named: digest)
            try await store.keep(Family(family))
            try await store.keep(Sample.registration())
            try await store.keep([stay], forgetting: [])
        }
        engine.close()
        let forget = try database.sql("SELECT forget FROM families")
        try makeAsItWas(in: version)
        let again = try database.open()
        defer { again.close() }
        #expect(try database.sql("SELECT forget FROM families") == forget)
        try await again.store(of: "acme").removeAll()
        for name in ["", "acme", "zoo"] {
            let (store, isLeft) = (again.store(of: name), name != "acme")
            #expect((try await store.family(family.id) != nil) == isLeft)
            for login in [nil, login] {
                let found = try await again.families(in: name, of: login)
                #expect(found.map(\.id) == (isLeft ? [family.id] : []))
            }
            #expect(try await store.registrations().count == (isLeft && version >= 3 ? 1 : 0))
            #expect(try await store.stays() == (isLeft && version >= 4 ? [stay] : []))
            let consumption = try await store.consumeCode(named: digest, at: Sample.start) { _ in true }
            switch try #require(consumption) {
            case .consumed: #expect(isLeft)
            case .unknown: #expect(!isLeft)
            case .replayed, .expired: Issue.record("nobody had it before, and its time is not over")
            }
        }
        #expect(database.notices.withLock { $0 } == [.updating(from: version, to: 6)])
    }

    /// A row that the disk has changed is as damaged as it was, and the others are there.
    @Test(arguments: [
        "tenant = CAST(x'FA6F6F' AS TEXT)", "tenant = CAST(x'61006F' AS TEXT)", "key = x''", "record = x''",
    ])
    func takesDamagedRowsOver(change: String) async throws {
        let (one, two) = (Sample.terms(1), Sample.terms(2))
        let engine = try database.open()
        for terms in [one, two] { try await engine.store(of: "zoo").keep(Family(terms)) }
        engine.close()
        try makeAsItWas(in: 4)
        try database.sql("UPDATE families SET \(change) WHERE key = (SELECT min(key) FROM families)")
        let again = try database.open()
        defer { again.close() }
        let left = [one, two].map(\.id).max { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        #expect(try await again.families(in: "zoo", of: nil).map(\.id) == [left])
        #expect(try database.sql("SELECT count(*) FROM families") == ["2"])
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

    /// One that a step cannot be taken in stays what it was, whichever step it is.
    @Test func theLastStepThatFailsChangesNothing() async throws {
        try await database.prepare { try await $0.keep(Family(Sample.terms())) }
        try makeAsItWas(in: 4)
        try database.sql("CREATE VIEW numbered AS SELECT 1")
        #expect(database.refusal() != nil)
        #expect(try database.sql("PRAGMA user_version") == ["4"])
        #expect(try database.sql("SELECT count(*) FROM pragma_table_info('codes') WHERE name = 'number'") == ["0"])
        try database.sql("DROP VIEW numbered")
        try await database.prepare { store in
            let family = try await store.family(Sample.terms().id)
            #expect(family != nil)
        }
    }

    @Test func aStepInBetweenThatFailsChangesNothing() async throws {
        try await prepareFirstVersion()
        try database.sql("CREATE TABLE registrations (x)")
        #expect(database.refusal() != nil)
        #expect(try database.sql("PRAGMA user_version") == ["1"])
        #expect(try database.sql("SELECT count(*) FROM pragma_table_info('families') WHERE name = 'login'") == ["0"])
        try database.sql("DROP TABLE registrations")
        #expect(database.refusal() == nil)
        #expect(try database.sql("PRAGMA user_version") == ["6"])
    }
}

extension SQLiteEngine {
    /// All that a tenant has, or those of a login.
    fileprivate func families(in tenant: String, of login: LoginID?) async throws -> [Family] {
        let store = store(of: tenant)
        guard let login else { return try await store.families(where: { _ in true }, limit: 9) }
        return try await store.families(of: login, where: { _ in true }, limit: 9)
    }
}

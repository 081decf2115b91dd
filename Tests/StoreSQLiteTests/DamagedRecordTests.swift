import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import Testing

/// A record that is not as it was written is believed by nobody, and ails no other.
@Suite struct DamagedRecordTests {
    private let database: Database

    init() throws { database = try Database() }

    private var notices: [StoreNotice] { database.notices.withLock { $0 } }

    /// The reference's, of its key 0 to 15 and of messages 0 to 7 and so on.
    @Test(
        arguments: [
            (0, 0x726F_DB47_DD0E_0E31), (1, 0x93F5_F579_9A93_2462), (2, 0x3F2A_CC7F_57C2_9BDB),
            (3, 0xB8AD_50C6_F649_AF94),
        ] as [(Int, UInt64)])
    func sealsAsTheReferenceDoes(words: Int, code: UInt64) {
        func word(_ index: UInt64) -> UInt64 {
            (0..<8).reduce(0) { $0 | (index * 8 + UInt64($1)) << UInt64(8 * $1) }
        }
        var seal = RecordSeal(key: (word(0), word(1)))
        for index in 0..<words { seal.absorb(word(UInt64(index))) }
        #expect(seal.code == code)
    }

    /// Databases are full of these: by another number or another code every row of theirs would be damaged. Keys and records
    /// of all lengths are among them, a multiple of eight bytes and others.
    @Test func numbersAndSealsAsItAlwaysHas() async throws {
        try await database.prepare { store in
            try await store.keep(Family(Sample.terms(1)))
            for name in ["one", "nineteen"] { try await store.keep(Sample.registration(name)) }
        }
        let fingerprint = try database.sql("SELECT fingerprint FROM seal")
        let row = "number || ' ' || length(record) || ' ' || hex(substr(record, -8))"
        let families = try database.sql("SELECT \(row) FROM families")
        let registrations = try database.sql("SELECT \(row) FROM registrations ORDER BY length(key)")
        #expect(fingerprint == ["-1993012225050034943"])
        #expect(families == ["6571548823484032399 61 0ABC624C2C83B8CC"])
        #expect(
            registrations == ["-5995985272674606908 76 1C27203DE6AEEABC", "7364663985871570544 81 8210E1EF0A86B3A3"])
    }

    private static let anotherUser = "another user of as many bytes"
    private static let changes = [
        anotherUser,
        "record = substr(record, 1, length(record) - 1)", "record = substr(record, 2)", "record = x''",
        "record = x'00'",
        "record = CAST(record || x'00' AS BLOB)",
        "record = (SELECT other.record FROM families AS other WHERE other.key <> families.key)",
        "record = (SELECT other.record FROM families AS other WHERE other.key = families.key AND other.tenant = 'acme')",
    ]

    @Test(arguments: changes)
    func believesNoRecordThatWasChanged(change: String) async throws {
        let (one, two) = (Sample.terms(1).id, Sample.terms(2).id)
        let engine = try database.open()
        for seed in 1...2 { try await engine.store().keep(Family(Sample.terms(UInt64(seed)))) }
        let other = FamilyTerms(
            id: one, clientID: "app", userID: "other", scope: .empty, loginID: nil, began: Sample.start, expires: nil)
        try await engine.store(of: "acme").keep(Family(other))
        engine.close()
        let key = Self.hex(one.bytes)
        let bytes = change == Self.anotherUser ? try hexOfAnotherUser(key) : change
        try database.sql("UPDATE families SET \(bytes) WHERE tenant = '' AND key = x'\(key)'")
        try await database.prepare { store in
            await #expect(throws: StoreError.unavailable(reason: "a record in families is damaged")) {
                _ = try await store.family(one)
            }
            await #expect(throws: StoreError.self) {
                _ = try await store.judge(one) { $0.end(.revoked, at: Sample.start) }
            }
            #expect(try await store.families(where: { _ in true }, limit: 10).map(\.id) == [two])
            _ = try await store.judge(two) { $0.end(.revoked, at: Sample.start) }
            #expect(try await store.family(two)?.ended != nil)
        }
        #expect(notices == Array(repeating: .damaged(count: 1, table: "families", tenant: ""), count: 3))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func hexOfAnotherUser(_ key: String) throws -> String {
        let hex = try #require(
            try database.sql("SELECT hex(record) FROM families WHERE tenant = '' AND key = x'\(key)'").first)
        return "record = x'\(hex.replacing("616C696365", with: "6D696E6A69"))'"
    }

    /// What cannot be read does not keep the others from being forgotten, or found.
    @Test func goesOnWithWhatIsSound() async throws {
        try await database.prepare { store in
            for name in ["one", "two"] { try await store.keep(Sample.registration(name)) }
            for seed in 1...2 { try await store.keep(Sample.code(UInt64(seed)), named: TokenDigest(of: "\(seed)")) }
        }
        try database.sql("UPDATE registrations SET record = x'00' WHERE CAST(key AS TEXT) = 'one'")
        try database.sql("UPDATE codes SET record = x'00' WHERE key = (SELECT min(key) FROM codes)")
        try await database.prepare { store in
            #expect(try await store.registrations().map(\.clientID) == ["two"])
            try await store.withdrawGrants { _, _ in true }
        }
        #expect(try database.sql("SELECT count(*) FROM codes") == ["1"])
    }

    /// Two keys can have one number by chance: the record of one is neither read as that of the other nor put in its place.
    @Test func takesNoRowForThatOfAnotherKey() async throws {
        let (one, two, three) = (Sample.terms(1), Sample.terms(2), Sample.terms(3))
        try await database.prepare { store in for terms in [one, two] { try await store.keep(Family(terms)) } }
        let rows = "SELECT number FROM families ORDER BY key = x'\(Self.hex(one.id.bytes))'"
        let numbers = try database.sql(rows)
        try database.sql("DELETE FROM families WHERE number = \(numbers[0])")
        try database.sql("UPDATE families SET number = \(numbers[0])")
        try await database.prepare { store in
            await #expect(throws: StoreError.self) { _ = try await store.family(two.id) }
            await #expect(throws: StoreError.self) { try await store.keep(Family(two)) }
            try await store.keep(Family(three))
            // Nor does anybody who looks at all find the first one where it is not.
            #expect(try await store.families(where: { _ in true }, limit: 9).map(\.id) == [three.id])
        }
    }

    @Test func refusesADatabaseOfAnotherSecret() async throws {
        try await database.prepare()
        let before = try database.bytes()
        #expect(throws: SQLiteStoreError.ofAnotherSecret(path: database.file)) {
            _ = try SQLiteEngine(DirectoryLock(database.data), seal: RecordSeal(key: (1, 2)))
        }
        #expect(try database.bytes() == before)
    }
}

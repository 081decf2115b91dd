import IdentityProvider
import Primitives
import Testing

@Suite struct ShardedTableTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private struct Entry: Sendable, Equatable {
        var value: Int
        var expires: Timestamp
    }

    private static func table(maximumCount: Int? = nil) -> ShardedTable<Int, Entry> {
        ShardedTable(maximumCount: maximumCount) { $0.expires <= $1 }
    }

    @Test func keepsWhatItIsGiven() throws {
        let table = Self.table()
        for key in 0..<5000 {
            try table.insert(Entry(value: key, expires: Self.start + .seconds(1)), for: key, at: Self.start)
        }
        #expect(table.count == 5000)
        #expect((0..<5000).allSatisfy { table[$0]?.value == $0 })
        #expect(table[5000] == nil)
        table.removeAll()
        #expect(table.count == 0)
        #expect(table[1] == nil)
    }

    @Test func changesAddsAndRemoves() throws {
        let table = Self.table()
        let entry = Entry(value: 1, expires: .endOfYear9999)
        #expect(try table.change(1) { $0 == nil })
        #expect(table.count == 0)
        try table.insert(entry, for: 1, at: Self.start)
        try table.change(1) { $0?.value += 1 }
        #expect(table[1]?.value == 2)
        try table.change(1) { $0 = nil }
        #expect(table[1] == nil)
        #expect(table.count == 0)
    }

    /// Whoever has to refuse does so before he changes anything, and then nothing has changed.
    @Test func whatIsRefusedChangesNothing() throws {
        let table = Self.table()
        let refuse = { (_: inout Entry?) throws(StoreError) in throw StoreError.unavailable(reason: "no") }
        try table.insert(Entry(value: 1, expires: .endOfYear9999), for: 1, at: Self.start)
        for key in 1...2 {
            #expect(throws: StoreError.unavailable(reason: "no")) { try table.change(key, by: refuse) }
        }
        #expect(table[1]?.value == 1)
        #expect(table[2] == nil)
        #expect(table.count == 1)
    }

    /// What has expired does not pile up, however much comes.
    @Test func forgetsWhatHasExpired() throws {
        let table = Self.table()
        var now = Self.start
        for key in 0..<200_000 {
            if key % 100 == 0 { now = now + .seconds(1) }
            try table.insert(Entry(value: key, expires: now + .seconds(1)), for: key, at: now)
        }
        // Two hundred are alive at a time; each of the parts keeps a few hundred before it looks.
        #expect(table.count < 40_000)
        #expect(table[199_999] != nil)
    }

    @Test func whatIsAliveIsNotForgotten() throws {
        let table = Self.table()
        for key in 0..<50_000 {
            let isLong = key % 2 == 0
            let expires = isLong ? Timestamp.endOfYear9999 : Self.start
            try table.insert(Entry(value: key, expires: expires), for: key, at: Self.start + .seconds(1))
        }
        #expect(stride(from: 0, to: 50_000, by: 2).allSatisfy { table[$0] != nil })
    }

    @Test func refusesMoreThanItsLimit() throws {
        let table = Self.table(maximumCount: 640)
        var refused = 0
        for key in 0..<5000 {
            do {
                try table.insert(Entry(value: key, expires: .endOfYear9999), for: key, at: Self.start)
            } catch {
                #expect(error == .full(limit: 640))
                refused += 1
            }
        }
        #expect(table.count == 640)
        #expect(refused == 5000 - 640)
        // Those that are there can still be changed and removed.
        let key = try #require((0..<5000).first { table[$0] != nil })
        try table.insert(Entry(value: -1, expires: .endOfYear9999), for: key, at: Self.start)
        #expect(table[key]?.value == -1)
    }

    @Test func whatHasExpiredMakesRoomAtTheLimit() throws {
        let table = Self.table(maximumCount: 64)
        for key in 0..<64 {
            try? table.insert(Entry(value: key, expires: Self.start + .seconds(1)), for: key, at: Self.start)
        }
        let full = (64..<10_000).filter { key in
            (try? table.insert(Entry(value: key, expires: .endOfYear9999), for: key, at: Self.start)) == nil
        }
        #expect(!full.isEmpty)
        let later = Self.start + .seconds(1)
        let made = full.filter { key in
            (try? table.insert(Entry(value: key, expires: later + .seconds(1)), for: key, at: later)) != nil
        }
        #expect(!made.isEmpty)
        #expect(table.count <= 64)
    }

    /// Whoever tells no moment is told by that of others what has expired.
    @Test func whatHasExpiredMakesRoomForAChangeWithoutAMoment() throws {
        let table = Self.table(maximumCount: 64)
        let now = Self.start + .seconds(1)
        try table.insert(Entry(value: 0, expires: Self.start), for: 0, at: now)
        for key in 1..<5000 {
            _ = try? table.change(key) { $0 = Entry(value: key, expires: .endOfYear9999) }
        }
        #expect(table[0] == nil)
        #expect(table.count == 64)
    }

    @Test func forgetsTheKeysThatAreMeant() throws {
        let table = Self.table()
        for key in 0..<100 { try table.insert(Entry(value: key, expires: .endOfYear9999), for: key, at: Self.start) }
        table.removeAll { key, _ in key % 2 == 0 }
        #expect(table.count == 50)
        #expect(table[1] != nil && table[2] == nil)
    }

    @Test func findsUpToALimit() throws {
        let table = Self.table()
        for key in 0..<1000 { try table.insert(Entry(value: key, expires: .endOfYear9999), for: key, at: Self.start) }
        #expect(table.values(where: { $0.value < 10 }, limit: 100).count == 10)
        #expect(table.values(where: { _ in true }, limit: 100).count == 100)
        #expect(table.values(where: { _ in true }, limit: 0).isEmpty)
    }

    /// A change is atomic: no increment is lost.
    @Test func manyChangeOneEntryAtOnce() async throws {
        let table = Self.table()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    for key in 0..<1000 {
                        try table.change(key % 10, at: Self.start) { entry in
                            entry = Entry(value: (entry?.value ?? 0) + 1, expires: .endOfYear9999)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect((0..<10).allSatisfy { table[$0]?.value == 3200 })
        #expect(table.count == 10)
    }
}

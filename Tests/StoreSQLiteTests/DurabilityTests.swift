import Foundation
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Testing

/// What was acknowledged is there when the database is opened again.
@Suite struct DurabilityTests {
    private let database: Database

    init() throws { database = try Database() }

    @Test func remembersWhatHappened() async throws {
        let digest = TokenDigest(of: "code")
        let identifier = OneTimeIdentifier(.proof, of: "app", named: "jti")
        let scope = try Scope(parsing: "read")
        try await database.prepare { store in
            try await store.keep(Sample.code(), named: digest)
            _ = try await store.consumeCode(named: digest, at: Sample.start) { _ in true }
            try await store.keep(Family(Sample.terms()))
            _ = try await store.judge(Sample.terms().id) { $0.end(.loggedOut, at: Sample.start) }
            _ = try await store.spend(identifier, until: .endOfYear9999, at: Sample.start)
            try await store.rememberConsent(scope, of: scope, by: "alice", to: "app", for: [])
            try await store.revokeAccessToken("a.b", expiring: .endOfYear9999, at: Sample.start)
        }
        try await database.prepare { store in
            guard case .replayed? = try await store.consumeCode(named: digest, at: Sample.start, if: { _ in true })
            else {
                Issue.record("the code can be redeemed again")
                return
            }
            #expect(try await store.family(Sample.terms().id)?.ended?.reason == .loggedOut)
            #expect(try await !store.spend(identifier, until: .endOfYear9999, at: Sample.start))
            #expect(try await store.consent(of: "alice", to: "app", for: []) == scope)
            #expect(try await store.isAccessTokenRevoked("a.b", at: Sample.start))
        }
    }

    @Test func keepsTenantsApart() async throws {
        let engine = try database.open()
        defer { engine.close() }
        let (root, tenant, other) = (engine.store(), engine.store(of: "acme"), engine.store(of: "acme2"))
        let family = Family(Sample.terms())
        try await tenant.keep(family)
        #expect(try await root.family(family.id) == nil)
        #expect(try await other.family(family.id) == nil)
        try await root.keep(family)
        try await tenant.removeAll()
        #expect(try await tenant.family(family.id) == nil)
        #expect(try await root.family(family.id) != nil)
        #expect(try await tenant.families(where: { _ in true }, limit: 9).isEmpty)
    }

    /// What has expired goes by and by, without anybody asking for it.
    @Test func whatHasExpiredDoesNotPileUp() async throws {
        try await database.prepare { store in
            for index in 0..<1000 {
                let now = Sample.start + .seconds(Int64(index))
                let request = PushedRequest(clientID: "app", parameters: FormParameters(), expires: now + .seconds(10))
                try await store.keep(request, named: TokenDigest(of: "\(index)"), at: now)
            }
        }
        let rows = Int(try database.sql("SELECT count(*) FROM pushed_requests")[0])!
        #expect(rows < 200)
        #expect(rows >= 10)
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'pushed_requests'") == ["\(rows)"])
    }

    /// The log is taken into the database while it is written, again and again.
    @Test func theLogStaysShort() async throws {
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        for round in 0..<100 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    let name = TokenDigest(of: "\(round) \(index)")
                    group.addTask { try await store.keep(Sample.request(), named: name, at: Sample.start) }
                }
                try await group.waitForAll()
            }
        }
        // Of 10,000 bytes each: more than twice what the log may have, 10,000 pages of 4 KiB and what comes while they are
        // taken in.
        let log = try FileManager.default.attributesOfItem(atPath: database.file + "-wal")[.size] as? Int
        #expect(try #require(log) < 46 << 20)
        engine.close()
        #expect(try database.sql("SELECT count(*) FROM pushed_requests") == ["10000"])
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// Many who wait share a transaction, and each is told what became of his own.
    @Test func countsWhatManyHaveKept() async throws {
        try await database.prepare { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...500 { group.addTask { try await store.keep(Family(Sample.terms(UInt64(seed)))) } }
                try await group.waitForAll()
            }
            #expect(try await store.families(where: { _ in true }, limit: 1000).count == 500)
        }
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'families'") == ["500"])
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// Whoever copies the database of a server that has ended has all of it.
    @Test func leavesNoLogBehind() async throws {
        for round in 1...40 {
            let engine = try database.open()
            let store = engine.store()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 1...8 {
                    let family = Family(Sample.terms(UInt64(round * 100 + seed)))
                    group.addTask {
                        try await store.keep(family)
                        _ = try await store.family(family.id)
                    }
                }
                try await group.waitForAll()
            }
            engine.close()
            #expect(!FileManager.default.fileExists(atPath: database.file + "-wal"))
        }
    }

    @Test func answersNobodyAfterItsEnd() async throws {
        let engine = try database.open()
        let store = engine.store()
        engine.close()
        await #expect(throws: StoreError.self) { try await store.keep(Family(Sample.terms())) }
        await #expect(throws: StoreError.self) { try await store.family(Sample.terms().id) }
        // And the directory is free.
        #expect(database.refusal() == nil)
    }
}

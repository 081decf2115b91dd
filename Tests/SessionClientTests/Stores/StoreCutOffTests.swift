import Foundation
import SessionClient
import Synchronization
import Testing

/// A write that ends in the middle, at any call to the system and at any byte: what was kept is kept, or what was written is.
@Suite struct StoreCutOffTests {
    private static func prepared(_ base: Int, key: StoreKey) throws -> StoreDirectory {
        let directory = try StoreDirectory()
        for _ in 0..<base { directory.files(key: key).append("o") }
        return directory
    }

    private func expectOldOrNew(
        _ directory: StoreDirectory, base: Int, key: StoreKey, isWritten: Bool?, _ comment: Comment
    ) {
        let old = String(repeating: "o", count: base)
        // Whoever comes next finds a store that works, and leaves it tidy, drafts of killed processes aside.
        let text = directory.files(key: key).text ?? ""
        switch isWritten {
        case true?: #expect(text == old + "A", comment)
        case false?: #expect(text == old, comment)
        case nil: #expect(text == old || text == old + "A", comment)
        }
        #expect(directory.files(key: key).append("z") == UInt64(text.count + 1), comment)
        #expect(directory.files(key: key).text == text + "z", comment)
    }

    @Test(arguments: [0, 1, 2, 3, 4], [true, false])
    func aProcessKilledBeforeAnyCallLeavesTheOldOrTheNew(base: Int, hasKeyFile: Bool) throws {
        let key = hasKeyFile ? StoreKey.file : .bytes(StoreDirectory.key)
        for call in 0..<200 {
            let directory = try Self.prepared(base, key: key)
            let count = Mutex(0)
            let wasKilled = Mutex(false)
            let wasLinked = Mutex(false)
            let calls = WatchedCalls { kind, name in
                let isTime = count.withLock { count in
                    defer { count += 1 }
                    return count == call
                }
                guard !isTime else {
                    wasKilled.withLock { $0 = true }
                    return .kills
                }
                if kind == .link, name == StoreDirectory.file(base + 1) { wasLinked.withLock { $0 = true } }
                return .happens
            }
            let result = Result {
                try directory.files(calls, key: key).write(
                    Array((String(repeating: "o", count: base) + "A").utf8), over: base == 0 ? nil : UInt64(base))
            }
            let comment: Comment = "call \(call)"
            guard wasKilled.withLock({ $0 }) else {
                #expect(call > 12)
                return
            }
            // What was acknowledged is there; and before the link nothing is.
            if case .success(let written?) = result { #expect(written.version == UInt64(base + 1), comment) }
            expectOldOrNew(directory, base: base, key: key, isWritten: wasLinked.withLock { $0 }, comment)
        }
        Issue.record("a write took more than 200 calls")
    }

    /// S19, and what R13 asks of a store: the draft is written under a name that nobody reads.
    @Test(arguments: [0, 1, 3])
    func aDraftThatEndsAtAnyByteLeavesTheOld(base: Int) throws {
        for byte in 0..<400 {
            let directory = try Self.prepared(base, key: .bytes(StoreDirectory.key))
            let calls = WatchedCalls { call, _ in call == .write ? .killsAfterBytes(byte) : .happens }
            #expect(throws: SessionStoreError.self) {
                try directory.files(calls).write(
                    [UInt8](repeating: 65, count: 32), over: base == 0 ? nil : UInt64(base))
            }
            let draft = try #require(directory.drafts.first)
            let isWhole = (directory.bytes(draft)?.count ?? 0) < byte
            #expect(directory.drafts.count == 1)
            expectOldOrNew(
                directory, base: base, key: .bytes(StoreDirectory.key), isWritten: false, "byte \(byte)")
            if isWhole { return }
        }
        Issue.record("a draft has more than 400 bytes")
    }

    /// Every call may fail, for want of room or of a disk that works. What the caller is told is true.
    @Test(arguments: [0, 1, 2, 4], [ENOSPC, EIO, EDQUOT, EROFS, EACCES])
    func aCallThatFailsLeavesTheOldOrTheNew(base: Int, code: Int32) throws {
        let key = StoreKey.file
        for call in 0..<200 {
            let directory = try Self.prepared(base, key: key)
            let count = Mutex(0)
            let calls = WatchedCalls { _, _ in
                count.withLock { count in
                    defer { count += 1 }
                    return count == call ? .fails(code) : .happens
                }
            }
            let result = Result {
                try directory.files(calls, key: key).write(
                    Array((String(repeating: "o", count: base) + "A").utf8), over: base == 0 ? nil : UInt64(base))
            }
            guard count.withLock({ $0 > call }) else { return }
            let comment: Comment = "call \(call)"
            switch result {
            case .success(let written):
                expectOldOrNew(directory, base: base, key: key, isWritten: written != nil, comment)
            case .failure(let error as SessionStoreError):
                if case .corrupt = error { Issue.record("\(comment): \(error)") }
                expectOldOrNew(directory, base: base, key: key, isWritten: nil, comment)
            case .failure(let error): throw error
            }
        }
        Issue.record("a write took more than 200 calls")
    }

    /// What has its name is whole on the disk, what is acknowledged has its name there, and only then what was before is removed.
    @Test(arguments: [0, 1, 2, 5])
    func everythingIsOnTheDiskBeforeAnybodyRelies(base: Int) throws {
        let directory = try Self.prepared(base, key: .file)
        let asked = Mutex<[(call: WatchedCalls.Call, name: String)]>([])
        let calls = WatchedCalls { call, name in
            asked.withLock { $0.append((call, name)) }
            return .happens
        }
        _ = try directory.files(calls, key: .file).write([65], over: base == 0 ? nil : UInt64(base))
        let said = asked.withLock { $0 }
        let link = try #require(said.lastIndex { $0.call == .link && $0.name == StoreDirectory.file(base + 1) })
        let write = try #require(said[..<link].lastIndex { $0.call == .write })
        #expect(said[write..<link].contains { $0.call == .synchronise })
        let names = try #require(said[link...].firstIndex { $0.call == .synchronise })
        let removed = said.firstIndex {
            $0.call == .rename || $0.call == .remove && directory.version($0.name) || $0.call == .makeReadOnly
        }
        #expect((removed ?? .max) > names && (removed != nil) == (base > 1))
        if base == 0 {
            let key = try #require(said.firstIndex { $0.call == .link && $0.name == "session.key" })
            #expect(said[..<key].contains { $0.call == .synchronise })
            #expect(said[key..<link].filter { $0.call == .synchronise }.count == 2)
        }
    }

    @Test func aFullDiskLeavesWhatIsKeptAndNoDraft() async throws {
        let directory = try Self.prepared(2, key: .bytes(StoreDirectory.key))
        let names = directory.names
        let store = directory.store(calls: WatchedCalls { call, _ in call == .write ? .fails(ENOSPC) : .happens })
        do {
            _ = try await store.write([1], over: 2)
            Issue.record("it was written")
        } catch {
            guard case .failed(let reason) = error else { throw error }
            #expect(reason.contains("No space left"))
        }
        #expect(directory.names == names)
        #expect(try await store.read()?.payload == Array("oo".utf8))
    }

    /// RLIMIT_FSIZE, quotas and full disks also cut a write short without an error, the first time.
    @Test func refusesMoreThanItKeeps() async throws {
        let directory = try Self.prepared(1, key: .bytes(StoreDirectory.key))
        let store = directory.store()
        let limit = EncryptedFileStore.greatestPayloadByteCount
        await #expect(throws: SessionStoreError.self) {
            try await store.write([UInt8](repeating: 1, count: limit + 1), over: 1)
        }
        #expect(try await store.write([UInt8](repeating: 1, count: limit), over: 1) == .written(2))
        #expect(try await store.read()?.payload.count == limit)
    }
}

extension StoreDirectory {
    fileprivate func version(_ name: String) -> Bool { name.hasPrefix("session.0") }
}

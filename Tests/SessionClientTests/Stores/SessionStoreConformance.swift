import SessionClient
import Synchronization
import Testing

/// A kind of store, as the rules for all of them see it.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    /// One place that is shared: each that is opened there is another's view of the same login.
    struct Place: Sendable {
        let open: @Sendable () -> any SessionStore
    }

    let testDescription: String
    let makePlace: @Sendable () throws -> Place

    static let all = [
        StoreUnderTest(testDescription: "memory") {
            let store = MemorySessionStore()
            return Place { store }
        },
        StoreUnderTest(testDescription: "encrypted file, key in a file") {
            let directory = try StoreDirectory()
            return Place { StoreWithDirectory(store: directory.store(key: .file), directory: directory) }
        },
        StoreUnderTest(testDescription: "encrypted file, key handed in") {
            let directory = try StoreDirectory()
            return Place {
                StoreWithDirectory(store: directory.store(calls: SystemFileCalls()), directory: directory)
            }
        },
    ]
}

/// A store whose directory is there as long as it is.
private struct StoreWithDirectory: SessionStore {
    let store: EncryptedFileStore
    let directory: StoreDirectory

    func read() async throws(SessionStoreError) -> StoredEntry? { try await store.read() }

    func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        try await store.write(payload, over: version)
    }

    func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool { try await store.isCurrent(version) }

    func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome {
        try await store.writeOverDamage(payload)
    }
}

/// What every store has to keep to.
@Suite struct SessionStoreConformance {
    @Test(arguments: StoreUnderTest.all)
    func hasNothingUntilSomethingIsWritten(_ kind: StoreUnderTest) async throws {
        let store = try kind.makePlace().open()
        #expect(try await store.read() == nil)
        #expect(try await !store.isCurrent(0))
        #expect(try await !store.isCurrent(1))
        #expect(try await store.write([1], over: 1) == .conflict)
        #expect(try await store.write([1], over: 0) == .conflict)
        #expect(try await store.read() == nil)
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsNotDamagedIsNotWrittenOver(_ kind: StoreUnderTest) async throws {
        let store = try kind.makePlace().open()
        #expect(try await store.writeOverDamage([9]) == .conflict)
        let version = try #require(try await store.written([1], over: nil))
        #expect(try await store.writeOverDamage([9]) == .conflict)
        #expect(try await store.read() == StoredEntry(version: version, payload: [1]))
    }

    @Test(arguments: StoreUnderTest.all)
    func whatIsWrittenIsReadByWhoeverSharesThePlace(_ kind: StoreUnderTest) async throws {
        let place = try kind.makePlace()
        let version = try #require(try await place.open().written([1, 2, 3], over: nil))
        let other = place.open()
        #expect(try await other.read() == StoredEntry(version: version, payload: [1, 2, 3]))
        #expect(try await other.isCurrent(version))
    }

    @Test(arguments: StoreUnderTest.all)
    func refusesToWriteOverAnythingButWhatIsThere(_ kind: StoreUnderTest) async throws {
        let place = try kind.makePlace()
        let store = place.open()
        let first = try #require(try await store.written([1], over: nil))
        #expect(try await place.open().write([9], over: nil) == .conflict)
        #expect(try await store.write([9], over: first + 1) == .conflict)
        #expect(try await store.write([9], over: first &- 1) == .conflict)
        #expect(try await store.write([9], over: .max) == .conflict)
        let second = try #require(try await place.open().written([2], over: first))
        #expect(second > first)
        #expect(try await store.write([9], over: first) == .conflict)
        #expect(try await store.write([9], over: nil) == .conflict)
        #expect(try await store.read() == StoredEntry(version: second, payload: [2]))
    }

    /// However long ago that was: what the writer had read is gone, and its number is not given again.
    @Test(arguments: StoreUnderTest.all)
    func refusesToWriteOverWhatIsLongGone(_ kind: StoreUnderTest) async throws {
        let store = try kind.makePlace().open()
        var versions: [UInt64] = []
        for index in 0..<12 {
            versions.append(try #require(try await store.written([UInt8(index)], over: versions.last)))
            for old in versions.dropLast() {
                #expect(try await store.write([99], over: old) == .conflict)
                #expect(try await !store.isCurrent(old))
            }
            #expect(try await store.write([99], over: nil) == .conflict)
            #expect(try await store.isCurrent(try #require(versions.last)))
            #expect(try await !store.isCurrent(try #require(versions.last) + 1))
        }
        #expect(versions == versions.sorted() && Set(versions).count == versions.count)
        #expect(try await store.read()?.payload == [11])
    }

    @Test(arguments: StoreUnderTest.all)
    func keepsWhateverBytesThereAre(_ kind: StoreUnderTest) async throws {
        let store = try kind.makePlace().open()
        var version: UInt64?
        for payload in [[], [0], Array(0...255), [UInt8](repeating: 7, count: 1 << 17), []] as [[UInt8]] {
            version = try await store.written(payload, over: version)
            #expect(try await store.read() == StoredEntry(version: try #require(version), payload: payload))
        }
    }

    /// R1, R3: of those who write over the same version, one has done so and the others know that they have not.
    @Test(arguments: StoreUnderTest.all)
    func R3_hasOneWinnerForEachVersion(_ kind: StoreUnderTest) async throws {
        let place = try kind.makePlace()
        let (writerCount, roundCount) = (16, 12)
        var current: UInt64?
        for round in 0..<roundCount {
            let before = current
            let winners = await withTaskGroup(of: (Int, StoreOutcome?).self) { group in
                for writer in 0..<writerCount {
                    group.addTask {
                        (writer, try? await place.open().write([UInt8(round), UInt8(writer)], over: before))
                    }
                }
                return await group.reduce(into: [(writer: Int, version: UInt64)]()) { winners, result in
                    switch result.1 {
                    case .written(let version): winners.append((result.0, version))
                    case .conflict: break
                    case nil: Issue.record("a writer was refused with an error")
                    }
                }
            }
            let winner = try #require(winners.first)
            #expect(winners.count == 1, "round \(round)")
            #expect(
                try await place.open().read()
                    == StoredEntry(version: winner.version, payload: [UInt8(round), UInt8(winner.writer)]))
            current = winner.version
        }
    }

    /// Whoever reads, adds one and writes over what he read: not one is lost, whatever the others do meanwhile.
    @Test(arguments: StoreUnderTest.all)
    func losesNothingThatWasAcknowledged(_ kind: StoreUnderTest) async throws {
        let place = try kind.makePlace()
        let (writerCount, each) = (8, 12)
        _ = try await place.open().write(encoded(0), over: nil)
        let versions = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<writerCount {
                group.addTask {
                    let store = place.open()
                    var mine: [UInt64] = []
                    while mine.count < each {
                        let entry = try #require(try await store.read())
                        let next = encoded(decoded(entry.payload) + 1)
                        if case .written(let version) = try await store.write(next, over: entry.version) {
                            mine.append(version)
                        }
                        await Task.yield()
                    }
                    return mine
                }
            }
            return try await group.reduce(into: [UInt64]()) { $0 += $1 }
        }
        #expect(Set(versions).count == writerCount * each)
        let last = try #require(try await place.open().read())
        #expect(decoded(last.payload) == UInt64(writerCount * each))
        #expect(last.version == versions.max())
    }

    /// Whoever reads beside a writer sees one version after the other, each whole, and never none.
    @Test(arguments: StoreUnderTest.all)
    func isNeverEmptyForWhoeverReadsBesideAWriter(_ kind: StoreUnderTest) async throws {
        let place = try kind.makePlace()
        _ = try await place.open().write(encoded(0), over: nil)
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isOver.raise() }
                let store = place.open()
                for index in 1...120 {
                    let entry = try #require(try await store.read())
                    #expect(try await store.write(encoded(UInt64(index)), over: entry.version) != .conflict)
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let store = place.open()
                    var latest: UInt64 = 0
                    while !isOver.isRaised {
                        let entry = try #require(try await store.read())
                        #expect(decoded(entry.payload) >= latest)
                        latest = decoded(entry.payload)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

private final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .releasing) }
    var isRaised: Bool { value.load(ordering: .acquiring) }
}

private func encoded(_ number: UInt64) -> [UInt8] { Array("\(number)".utf8) }
private func decoded(_ payload: [UInt8]) -> UInt64 { UInt64(String(decoding: payload, as: UTF8.self)) ?? .max }

extension SessionStore {
    /// The version, where it was written.
    func written(_ payload: [UInt8], over version: UInt64?) async throws -> UInt64? {
        guard case .written(let version) = try await write(payload, over: version) else { return nil }
        return version
    }
}

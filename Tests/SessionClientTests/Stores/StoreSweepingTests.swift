import Foundation
import Primitives
import SessionClient
import Testing

/// What a store leaves behind, and what it removes.
@Suite struct StoreSweepingTests {
    private let directory: StoreDirectory

    init() throws {
        directory = try StoreDirectory()
    }

    @Test func keepsTheVersionBeforeAndNoOlderOne() throws {
        for count in 1...9 {
            directory.files().append("o")
            #expect(directory.versions == (max(1, count - 1)...count).map { StoreDirectory.file($0) })
        }
        // The first name stays taken, so that nobody who is late can have it.
        #expect(directory.bytes(StoreDirectory.file(1)) == [])
        #expect(directory.names.count == 3)
    }

    @Test func removesDraftsOfTheDeadAndLeavesThoseOfTheLiving() throws {
        directory.files().append("o")
        let draft = "session.draft.left"
        try directory.put([1], draft)
        let times: [(age: TimeInterval, stays: Bool)] = [
            (0, true), (86_000, true), (-86_400 * 3, true), (87_000, false),
        ]
        for (age, stays) in times {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: directory.url(draft).path())
            directory.files().append("o")
            #expect(directory.names.contains(draft) == stays, "\(age)")
        }
    }

    /// By the clock that was handed in, which tests and time machines move.
    @Test func goesByTheClockThatItWasGiven() async throws {
        let clock = ManualClock(startingAt: StoreDirectory.clock.now())
        let store = directory.store(clock: clock)
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try directory.put([1], "session.draft.left")
        _ = try await store.write([1], over: nil)
        #expect(directory.drafts.count == 1)
        clock.advance(by: .seconds(86_400 + 60))
        _ = try await store.write([1], over: 1)
        #expect(directory.drafts == [])
    }

    @Test func leavesOtherStoresAndFilesAlone() async throws {
        let others = [
            StoreDirectory.file(1, "session-2"), StoreDirectory.file(2, "sess"), "session", "session.key",
            "session.txt",
            "other.draft.x", "sessions.draft.x",
        ]
        directory.files().append("o")
        for name in others {
            try directory.put([1], name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -1_000_000)],
                ofItemAtPath: directory.url(name).path())
        }
        for _ in 0..<4 { directory.files().append("o") }
        for name in others { #expect(directory.bytes(name) == [1], "\(name)") }
        #expect(directory.files().text == "ooooo")
    }

    /// Stopped for longer than a draft lives: the writer finds it gone, and writes another.
    @Test(arguments: [1, 2])
    func aWriterWhoseDraftWasSweptWritesAnother(times: Int) throws {
        directory.files().append("o")
        let count = CallCount()
        let calls = WatchedCalls { [directory] call, _ in
            guard call == .link else { return .happens }
            count.add()
            let sofar = count.take()
            for _ in 0..<sofar { count.add() }
            if sofar <= times { for draft in directory.drafts { try? directory.remove(draft) } }
            return .happens
        }
        #expect(try directory.files(calls).write(Array("oA".utf8), over: 1)?.version == 2)
        #expect(directory.files().text == "oA")
        #expect(directory.drafts == [])
    }

    /// A listing may miss what it should not. No name is freed above one that may still be there.
    @Test func freesNoNameAboveOneThatItDidNotSee() throws {
        let stubborn = WatchedCalls { call, name in
            call == .remove && name.contains(".0") || call == .rename ? .fails(13) : .happens
        }
        for _ in 1...5 { directory.files(stubborn).append("o") }
        let blind = WatchedCalls { call, _ in
            call == .names ? .lists { $0.filter { $0 != StoreDirectory.file(3) } } : .happens
        }
        #expect(directory.files(blind).append("o") == 6)
        #expect(directory.versions == [StoreDirectory.file(5), StoreDirectory.file(6)])
    }

    /// What cannot be removed is no reason to say that nothing was written, and nothing is freed above it.
    @Test func aSweepThatFailsIsMadeUpForLater() throws {
        let stubborn = WatchedCalls { call, name in
            call == .remove && name.contains(".0") || call == .rename ? .fails(13) : .happens
        }
        for count in 1...6 { #expect(directory.files(stubborn).append("o") == UInt64(count)) }
        #expect(directory.versions.count == 6)
        let partly = WatchedCalls { call, name in
            call == .remove && name == StoreDirectory.file(3) ? .fails(13) : .happens
        }
        #expect(directory.files(partly).append("o") == 7)
        #expect(directory.versions == (3...7).map { StoreDirectory.file($0) })
        #expect(directory.files().append("o") == 8)
        #expect(directory.versions == (7...8).map { StoreDirectory.file($0) })
    }
}

/// The directory that a group of programs shares.
@Suite struct StoreGroupTests {
    private func directory(_ group: String, _ container: String?) throws -> String {
        try EncryptedFileStore.directory(ofGroup: group) { _ in container }
    }

    @Test func isNamedForTheGroup() throws {
        #expect(try directory("team.example.app", "/data") == "/data/team.example.app")
        #expect(try directory("a-b_c.D9", "/data/") == "/data/a-b_c.D9")
    }

    @Test(arguments: [
        "", ".", "..", "...", ".hidden", "a.", "a..b", "a/b", "../a", "/a", "a b", "a\u{0}b", "ä", "a\n",
        String(repeating: "a", count: 65), String(repeating: "a.", count: 65) + "a",
    ])
    func refusesANameThatIsNone(_ group: String) {
        #expect(throws: SessionStoreError.self) { try directory(group, "/data") }
    }

    @Test(arguments: [nil, "", "data", "~/data"])
    func refusesAContainerThatIsNowhere(_ container: String?) {
        #expect(throws: SessionStoreError.self) { try directory("group", container) }
    }

    @Test func twoThatShareItShareTheLogin() async throws {
        let place = try StoreDirectory()
        let open = { () throws -> EncryptedFileStore in
            try EncryptedFileStore(group: "team.example", container: { _ in place.path }, clock: StoreDirectory.clock)
        }
        #expect(try await open().write([1], over: nil) == .written(1))
        #expect(try await open().read()?.payload == [1])
        #expect(place.names == ["team.example"])
    }
}

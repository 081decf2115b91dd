import Foundation
import Primitives
import SessionClient
import Testing

#if canImport(Glibc)
import Glibc
#endif

/// Who may see and change what is kept, and what the store says where it may not look itself.
@Suite struct StorePrivacyTests {
    private let directory: StoreDirectory

    init() throws {
        directory = try StoreDirectory()
    }

    private func expectError(
        _ expected: (SessionStoreError) -> Bool, _ words: String, from store: EncryptedFileStore,
        at place: SourceLocation = #_sourceLocation
    ) async {
        do {
            let entry = try await store.read()
            Issue.record("read \(String(describing: entry))", sourceLocation: place)
        } catch {
            #expect(expected(error) && (words.isEmpty || "\(error)".contains(words)), "\(error)", sourceLocation: place)
        }
    }

    private func isFailed(_ error: SessionStoreError) -> Bool {
        if case .failed = error { true } else { false }
    }

    private func isLocked(_ error: SessionStoreError) -> Bool {
        if case .locked = error { true } else { false }
    }

    @Test func isClosedToOthers() async throws {
        let store = directory.store(key: .file)
        for version in 0..<3 { _ = try await store.write([1], over: version == 0 ? nil : UInt64(version)) }
        #expect(directory.names.count == 4)
        #expect(try directory.permissions("") == 0o700)
        for name in directory.names { #expect(try directory.permissions(name) == 0o600, "\(name)") }
    }

    @Test func makesTheDirectoriesAboveIt() async throws {
        let path = directory.path + "/a/b/c"
        let store = EncryptedFileStore(directory: path, clock: StoreDirectory.clock)
        #expect(try await store.read() == nil)
        #expect(directory.names == [])
        #expect(try await store.write([1], over: nil) == .written(1))
        for name in ["a", "a/b", "a/b/c"] { #expect(try directory.permissions(name) == 0o700) }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o666])
    func refusesFilesThatAreOpenToOthers(_ mode: Int) async throws {
        let store = directory.store(key: .file)
        #expect(try await store.write([1], over: nil) == .written(1))
        for name in [StoreDirectory.file(1), "session.key"] {
            let bytes = try #require(directory.bytes(name))
            try directory.put(bytes, name, permissions: mode)
            await expectError(isFailed, "chmod 600 \(directory.path)/\(name)", from: store)
            await #expect(throws: SessionStoreError.self) { try await store.write([2], over: 1) }
            try directory.put(bytes, name)
        }
        #expect(try await store.read()?.payload == [1])
    }

    @Test(arguments: [0o755, 0o770, 0o701, 0o777])
    func refusesADirectoryThatIsOpenToOthers(_ mode: Int) async throws {
        let store = directory.store()
        #expect(try await store.write([1], over: nil) == .written(1))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)
        await expectError(isFailed, "chmod 700 \(directory.path)", from: store)
        await #expect(throws: SessionStoreError.self) { try await store.write([2], over: 1) }
        await #expect(throws: SessionStoreError.self) { try await store.isCurrent(1) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func refusesWhatBelongsToAnother() async throws {
        let store = directory.store()
        #expect(try await store.write([1], over: nil) == .written(1))
        let file = directory.url(StoreDirectory.file(1)).path()
        #expect(chown(file, 12345, 12345) == 0)
        await expectError(isFailed, "another user", from: store)
        #expect(chown(file, 0, 0) == 0)
        #expect(chown(directory.path, 12345, 12345) == 0)
        await expectError(isFailed, "another user", from: store)
    }

    @Test func followsNoLink() async throws {
        let store = directory.store(key: .file)
        #expect(try await store.write([1], over: nil) == .written(1))
        for name in [StoreDirectory.file(1), "session.key"] {
            let bytes = try #require(directory.bytes(name))
            try directory.put(bytes, "elsewhere")
            try directory.remove(name)
            try FileManager.default.createSymbolicLink(
                at: directory.url(name), withDestinationURL: directory.url("elsewhere"))
            await expectError(isFailed, "is a link", from: store)
            try directory.put(bytes, name)
        }
        // Nor is the next version written through one that waits for it.
        try FileManager.default.createSymbolicLink(
            at: directory.url(StoreDirectory.file(2)), withDestinationURL: directory.url("target"))
        await #expect(throws: SessionStoreError.self) { try await store.write([2], over: 1) }
        #expect(directory.bytes("target") == nil)
        try directory.remove(StoreDirectory.file(2))
        let path = directory.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.path)
        let linked = EncryptedFileStore(directory: path, clock: StoreDirectory.clock)
        await expectError(isFailed, "link", from: linked)
    }

    /// Whoever opens a pipe waits for its writer, unless told not to.
    @Test func refusesWhatIsNoFile() async throws {
        let store = directory.store()
        #expect(try await store.write([1], over: nil) == .written(1))
        let path = directory.url(StoreDirectory.file(2)).path()
        #expect(mkfifo(path, 0o600) == 0)
        await expectError(isFailed, "no file", from: store)
        try directory.remove(StoreDirectory.file(2))
        #expect(mkdir(path, 0o700) == 0)
        await expectError(isFailed, "no file", from: store)
        let file = EncryptedFileStore(
            directory: directory.url(StoreDirectory.file(1)).path(), clock: StoreDirectory.clock)
        await expectError(isFailed, "no directory", from: file)
    }

    /// R17: a device that was not unlocked yet refuses to open what is there. That is no sign-out.
    @Test(arguments: [EACCES, EPERM], [WatchedCalls.Call.open, .read])
    func whatMayNotBeReadIsLocked(code: Int32, call: WatchedCalls.Call) async throws {
        let store = directory.store(key: .file)
        #expect(try await store.write([1], over: nil) == .written(1))
        let locked = directory.store(
            key: .file, calls: WatchedCalls { asked, _ in asked == call ? .fails(code) : .happens })
        await expectError(isLocked, "", from: locked)
        await #expect(throws: SessionStoreError.self) { try await locked.write([2], over: 1) }
        #expect(try await store.read()?.payload == [1])
    }

    @Test func whatCannotBeReadOtherwiseHasFailed() async throws {
        #expect(try await directory.store().write([1], over: nil) == .written(1))
        for call in [WatchedCalls.Call.openDirectory, .names, .open, .status, .statusOfFile, .read] {
            let store = directory.store(calls: WatchedCalls { asked, _ in asked == call ? .fails(EIO) : .happens })
            await expectError(isFailed, "", from: store)
        }
    }
}

/// The key in a file beside the store.
@Suite struct StoreKeyTests {
    private let directory: StoreDirectory

    init() throws {
        directory = try StoreDirectory()
    }

    @Test func isMadeWithTheFirstVersionAndNotBefore() async throws {
        let store = directory.store(key: .file)
        #expect(try await store.read() == nil)
        #expect(try await store.write([1], over: 1) == .conflict)
        #expect(directory.bytes("session.key") == nil)
        #expect(try await store.write([1], over: nil) == .written(1))
        let key = try #require(directory.bytes("session.key"))
        #expect(key.count == 32 && Set(key).count > 8)
        #expect(try await store.write([2], over: 1) == .written(2))
        #expect(directory.bytes("session.key") == key)
        #expect(try await directory.store(key: .bytes(Secret(key))).read()?.payload == [2])
    }

    /// A new key would open nothing of what is there, and hide that it is there.
    @Test func isNotMadeAnewWhereSomethingIsKept() async throws {
        let store = directory.store(key: .file)
        let key = try await { () -> [UInt8] in
            _ = try await store.write([1], over: nil)
            return try #require(directory.bytes("session.key"))
        }()
        try directory.remove("session.key")
        let error = SessionStoreError.corrupt(reason: "the key \(directory.path)/session.key is gone")
        await #expect(throws: error) { try await store.read() }
        await #expect(throws: error) { try await store.write([2], over: 1) }
        #expect(directory.bytes("session.key") == nil)
        try directory.put(key, "session.key")
        #expect(try await store.read()?.payload == [1])
    }

    @Test(arguments: [0, 1, 16, 31, 33, 64])
    func ofAnotherLengthIsDamaged(count: Int) async throws {
        let store = directory.store(key: .file)
        _ = try await store.write([1], over: nil)
        try directory.put([UInt8](repeating: 1, count: count), "session.key")
        await #expect(throws: SessionStoreError.self) { try await store.read() }
        do { _ = try await store.read() } catch {
            guard case .corrupt = error else { throw error }
        }
        await #expect(throws: SessionStoreError.self) { try await store.write([2], over: 1) }
        #expect(directory.versions == [StoreDirectory.file(1)])
    }

    /// Two processes that start at once: one key, one first version.
    @Test func ofTwoThatAreMadeAtOnceIsTheFirst() throws {
        for call in 0..<60 {
            let directory = try StoreDirectory()
            let others = directory.files(key: .file)
            let calls = WatchedCalls(before: call) { others.append("o") }
            let outcome = try directory.files(calls, key: .file).write([65], over: nil)
            #expect(directory.files(key: .file).text == (outcome == nil ? "o" : others.text))
            #expect(directory.files(key: .file).append("z") != nil)
            #expect(directory.drafts == [])
        }
    }

    /// Neither the payload nor the key is in a file in the clear, or in what a store says of itself and of its faults.
    @Test func nothingSecretIsWrittenOrSaid() async throws {
        let payload = Array("secret-refresh-token".utf8)
        let key = Array("0123456789abcdefghijklmnopqrstuv".utf8)
        let store = directory.store(key: .bytes(Secret(key)))
        _ = try await store.write(payload, over: nil)
        _ = try await store.write(payload, over: 1)
        var said: [String] = []
        for name in directory.names {
            let bytes = try #require(directory.bytes(name))
            #expect(!Data(bytes).contains(payload) && !Data(bytes).contains(key), "\(name)")
        }
        func collect(_ store: EncryptedFileStore) async {
            do { _ = try await store.read() } catch { said += ["\(error)", String(reflecting: error)] }
            do { _ = try await store.write(payload, over: 2) } catch {
                said += ["\(error)", String(reflecting: error)]
            }
            var dumped = ""
            dump(store, to: &dumped)
            said.append(dumped)
        }
        for call in [WatchedCalls.Call.open, .read, .create, .write, .link, .synchronise] {
            await collect(
                directory.store(
                    key: .bytes(Secret(key)), calls: WatchedCalls { $1.isEmpty || $0 == call ? .fails(EIO) : .happens })
            )
        }
        try directory.put([1], StoreDirectory.file(2))
        await collect(store)
        await collect(directory.store(key: .bytes(Secret(key.dropLast()))))
        #expect(said.count > 12)
        for text in said {
            #expect(!text.contains("secret-refresh-token") && !text.contains("0123456789abcdef"), "\(text)")
        }
    }
}

extension Data {
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { range(of: Data(bytes)) != nil }
}

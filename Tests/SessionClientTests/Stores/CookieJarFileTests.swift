import Cookies
import Foundation
import Primitives
import SessionClient
import Synchronization
import Testing

/// A jar on the disk (S13, S19, S20, S22).
@Suite struct CookieJarFileTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_800_000_000)
    private let directory: StoreDirectory
    private let clock = ManualClock(startingAt: CookieJarFileTests.start)

    init() throws {
        directory = try StoreDirectory()
    }

    private func file(_ calls: any FileCalls = QuickCalls(), key: StoreKey = .bytes(StoreDirectory.key))
        -> CookieJarFile
    {
        CookieJarFile(directory: directory.path, key: key, clock: clock, calls: calls)
    }

    private func jar(_ fields: [String]) throws -> CookieJar {
        var jar = CookieJar()
        let context = CookieContext(url: try #require(CookieURL("https://app.example/")))
        for field in fields { try jar.receive(field, from: context, at: clock.now()) }
        return jar
    }

    private func restored(_ file: CookieJarFile? = nil) throws -> CookieArchive.Restored? {
        guard case .restored(let restored, _) = try (file ?? self.file()).restore() else { return nil }
        return restored
    }

    private func names(_ file: CookieJarFile? = nil) throws -> [String]? { try restored(file)?.jar.all.map(\.name) }

    @Test func whatWasSavedComesBackWhole() throws {
        let jar = try jar(["a=1; Max-Age=60; HttpOnly; Secure; SameSite=Strict", "b=ä; Max-Age=90; Path=/p"])
        #expect(try file().save(jar, epoch: 0) == .saved)
        let restored = try #require(try restored())
        #expect(restored.jar.all == jar.all)
        #expect(restored.expired.isEmpty && restored.damagedCount == 0)
    }

    @Test func aSaveThatChangesNothingWritesNothing() throws {
        let jar = try jar(["a=1; Max-Age=60"])
        #expect(try file().save(jar, epoch: 0) == .saved)
        let names = directory.names
        for _ in 0..<3 { #expect(try file().save(jar, epoch: 0) == .unchanged) }
        #expect(directory.names == names)
        #expect(try file().save(try self.jar(["a=2; Max-Age=60"]), epoch: 0) == .saved)
    }

    @Test func saysWhatItDid() throws {
        guard case .notFound = try file().restore() else { return #expect(Bool(false)) }
        try file().save(try jar(["short=1; Max-Age=5", "long=1; Max-Age=60"]), epoch: 0)
        clock.advance(by: .seconds(10))
        let restored = try #require(try restored())
        #expect(restored.jar.all.map(\.name) == ["long"] && restored.expired.map(\.name) == ["short"])
        _ = try file().forget()
        guard case .forgotten = try file().restore() else { return #expect(Bool(false)) }
    }

    /// S4: as in a browser that is closed, unless it was decided otherwise (S20).
    @Test func sessionCookiesEndUnlessItWasDecidedOtherwise() throws {
        let jar = try jar(["session=1", "long=1; Max-Age=60"])
        try file().save(jar, epoch: 0)
        #expect(try names() == ["long"])
        try file().save(jar, sessionCookies: .kept, epoch: 0)
        #expect(try restored()?.jar.all == jar.all)
        try file().save(jar, sessionCookies: .given(.seconds(86_400)), epoch: 0)
        #expect(try restored()?.jar.all.map(\.expires) == [Self.start + .seconds(86_400), Self.start + .seconds(60)])
        clock.advance(by: .seconds(86_401))
        #expect(try restored()?.jar.count == 0)
    }

    /// S22: what was signed out of does not come back, by whichever way.
    @Test func nothingComesBackAfterASignOut() throws {
        let jar = try jar(["a=1; Max-Age=600"])
        try file().save(jar, epoch: 0)
        let epoch = try file().forget()
        #expect(try restored() == nil)
        // A save that began before.
        #expect(try file().save(jar, epoch: 0) == .forgotten)
        #expect(try file().save(jar, sessionCookies: .given(.seconds(60)), epoch: epoch - 1) == .forgotten)
        #expect(try restored() == nil)
        // What is left of it on the disk: neither version has a cookie.
        for name in directory.names where name.hasPrefix("cookies.0") {
            #expect((directory.bytes(name) ?? []).count < 120, "\(name)")
        }
        // The next login, and one that is late by a whole login.
        #expect(try file().save(try self.jar(["b=1; Max-Age=600"]), epoch: epoch) == .saved)
        #expect(try file().save(jar, epoch: 0) == .forgotten)
        #expect(try names() == ["b"])
        let later = try file().forget()
        #expect(later > epoch)
        #expect(try file().save(jar, epoch: epoch) == .forgotten)
        #expect(try restored() == nil)
    }

    @Test func aSignOutWhereNothingWasSavedKeepsOutWhatIsLate() throws {
        let epoch = try file().forget()
        #expect(try file().save(try jar(["a=1; Max-Age=60"]), epoch: 0) == .forgotten)
        #expect(try file().restore().epoch == epoch)
    }

    /// The sign-out comes between any two calls of a save.
    @Test func aSaveThatASignOutOvertakesIsRefused() throws {
        for call in 0..<200 {
            let directory = try StoreDirectory()
            let jar = try jar(["a=1; Max-Age=600"])
            let clock = clock
            let open: @Sendable (any FileCalls) -> CookieJarFile = {
                CookieJarFile(directory: directory.path, key: .bytes(StoreDirectory.key), clock: clock, calls: $0)
            }
            try open(QuickCalls()).save(try self.jar(["a=0; Max-Age=600"]), epoch: 0)
            let wasStopped = Mutex(false)
            let calls = WatchedCalls(before: call) {
                wasStopped.withLock { $0 = true }
                _ = try? open(QuickCalls()).forget()
            }
            try open(calls).save(jar, epoch: 0)
            guard wasStopped.withLock({ $0 }) else { return }
            guard case .forgotten = try open(QuickCalls()).restore() else {
                Issue.record("call \(call)")
                continue
            }
        }
        Issue.record("a save took more than 200 calls")
    }

    /// S19: a save that ends at any call or any byte leaves the one before it, or is done.
    @Test func aSaveThatIsCutOffLeavesTheOneBefore() throws {
        let (old, new) = (try jar(["a=1; Max-Age=600"]), try jar(["a=2; Max-Age=600", "b=1; Max-Age=600"]))
        var byteCount = 0
        for byte in 0..<2000 {
            let directory = try StoreDirectory()
            let open: (any FileCalls) -> CookieJarFile = {
                CookieJarFile(directory: directory.path, key: .bytes(StoreDirectory.key), clock: clock, calls: $0)
            }
            try open(QuickCalls()).save(old, epoch: 0)
            #expect(throws: SessionStoreError.self) {
                try open(WatchedCalls { call, _ in call == .write ? .killsAfterBytes(byte) : .happens })
                    .save(new, epoch: 0)
            }
            #expect(try restored(open(QuickCalls()))?.jar.all == old.all, "byte \(byte)")
            let length = directory.drafts.first.flatMap { directory.bytes($0)?.count } ?? 0
            if length < byte { break }
            byteCount = length
        }
        #expect(byteCount > 200)
        for call in 0..<200 {
            let directory = try StoreDirectory()
            let open: (any FileCalls) -> CookieJarFile = {
                CookieJarFile(directory: directory.path, key: .bytes(StoreDirectory.key), clock: clock, calls: $0)
            }
            try open(QuickCalls()).save(old, epoch: 0)
            let count = Mutex(0)
            let calls = WatchedCalls { _, _ in
                count.withLock { count in
                    defer { count += 1 }
                    return count == call ? .kills : .happens
                }
            }
            let outcome = try? open(calls).save(new, epoch: 0)
            let all = try restored(open(QuickCalls()))?.jar.all
            #expect(all == new.all || all == old.all && outcome == nil, "call \(call)")
            if count.withLock({ $0 <= call }) { return }
        }
    }

    @Test func aKeyThatIsGoneAndDamageAreNotNothing() throws {
        try file(key: .file).save(try jar(["a=1; Max-Age=600"]), epoch: 0)
        let name = StoreDirectory.file(1, "cookies")
        let (bytes, key) = (try #require(directory.bytes(name)), try #require(directory.bytes("cookies.key")))
        try directory.remove("cookies.key")
        #expect(throws: SessionStoreError.corrupt(reason: "the key \(directory.path)/cookies.key is gone")) {
            try file(key: .file).restore()
        }
        try directory.put(key, "cookies.key")
        for changed in [Array(bytes.dropLast()), [], bytes + [1]] {
            try directory.put(changed, name)
            #expect(throws: SessionStoreError.self) { try file(key: .file).restore() }
            #expect(throws: SessionStoreError.self) { try file(key: .file).save(CookieJar(), epoch: 0) }
        }
        try directory.put(bytes, name)
        #expect(try names(file(key: .file)) == ["a"])
    }

    /// Damage does not keep anybody from signing out, and what was damaged is older than that.
    @Test func aSignOutGoesOverDamage() throws {
        let jar = try jar(["a=1; Max-Age=600"])
        try file().save(jar, epoch: 0)
        let first = try file().forget()
        try file().save(jar, epoch: first)
        let latest = try #require(directory.names.last { $0.hasPrefix("cookies.0") })
        try directory.put([1, 2, 3], latest)
        clock.advance(by: .seconds(1))
        let epoch = try file().forget()
        #expect(epoch > first)
        #expect(try file().save(jar, epoch: first) == .forgotten)
        #expect(try restored() == nil)
    }

    /// It opens, and this program cannot read it: a sign-out goes over it all the same.
    @Test(arguments: [
        #"{"epoch":7,"archive":{"version":99,"cookies":[]}}"#, "{}", "", "[1]", #"{"epoch":-1,"archive":null}"#,
    ])
    func aSignOutGoesOverWhatThisProgramCannotRead(payload: String) throws {
        let place = SealedFile.Place(purpose: "pawl-cookies", name: "cookies", version: 1)
        try file().save(try jar(["a=1; Max-Age=600"]), epoch: 0)
        let sealed = try SealedFile.seal(
            Array(payload.utf8), ancestor: SealedFile.noIdentifier, nonce: [UInt8](repeating: 1, count: 12),
            with: StoreDirectory.key, at: place)
        try directory.put(sealed, StoreDirectory.file(1, "cookies"))
        #expect(throws: SessionStoreError.self) { try file().restore() }
        let epoch = try file().forget()
        guard case .forgotten(epoch) = try file().restore() else { return #expect(Bool(false), "it is forgotten") }
    }

    /// A session under the name of a jar is none, though it was sealed with the same key.
    @Test func takesNoSessionForAJar() async throws {
        _ = try await directory.store(name: "cookies").write(Array(#"{"epoch":0,"archive":null}"#.utf8), over: nil)
        #expect(throws: SessionStoreError.self) { try file().restore() }
    }

    @Test func whoeverSavesAtOnceLosesNothingHalf() async throws {
        let jars = try (0..<8).map { index in
            try jar((0...index).map { "c\($0)=\(index); Max-Age=600" })
        }
        let file = file()
        await withTaskGroup(of: Void.self) { group in
            for jar in jars {
                group.addTask { for _ in 0..<8 { _ = try? file.save(jar, epoch: 0) } }
            }
        }
        let all = try #require(try restored()?.jar.all)
        #expect(jars.contains { $0.all == all })
    }

    @Test func noCookieIsInTheClear() throws {
        try file().save(try jar(["name-of-it=value-of-it; Max-Age=60"]), epoch: 0)
        for name in directory.names {
            let text = String(decoding: directory.bytes(name) ?? [], as: UTF8.self)
            #expect(!text.contains("name-of-it") && !text.contains("value-of-it"))
        }
    }
}

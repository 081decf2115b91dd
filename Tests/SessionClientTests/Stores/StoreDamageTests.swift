import Foundation
import Primitives
import SessionClient
import Testing

/// A file that is not what was written: it is damaged, and nothing else is read in its place.
@Suite struct StoreDamageTests {
    private let directory: StoreDirectory
    private let latest: [UInt8]
    private static let name = StoreDirectory.file(3)

    init() throws {
        directory = try StoreDirectory()
        for _ in 0..<3 { directory.files().append("o") }
        latest = directory.bytes(Self.name) ?? []
    }

    private func expectDamage(
        _ comment: Comment? = nil, _ words: String = "", key: StoreKey = .bytes(StoreDirectory.key),
        at place: SourceLocation = #_sourceLocation
    ) {
        do {
            let entry = try directory.files(key: key).read()
            Issue.record("read \(String(describing: entry)) \(comment ?? "")", sourceLocation: place)
        } catch {
            guard case .corrupt(let reason) = error else {
                Issue.record("\(error) \(comment ?? "")", sourceLocation: place)
                return
            }
            #expect(words.isEmpty || reason.contains(words), comment, sourceLocation: place)
        }
    }

    @Test func noticesEveryBitThatIsChanged() throws {
        for bit in 0..<latest.count * 8 {
            var other = latest
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            try directory.put(other, Self.name)
            expectDamage("bit \(bit)")
        }
        try directory.put(latest, Self.name)
        #expect(directory.files().text == "ooo")
    }

    @Test func noticesWhatWasCutOffOrMadeLonger() throws {
        for count in 0..<latest.count {
            try directory.put(Array(latest.prefix(count)), Self.name)
            expectDamage("\(count) bytes")
        }
        try directory.put(latest + [0], Self.name)
        expectDamage()
        try directory.put(latest + [UInt8](repeating: 0, count: 2 << 20), Self.name)
        expectDamage()
    }

    /// The token in the version before it is spent: whoever presents it is taken for a thief.
    @Test func doesNotGoBackToTheVersionBefore() throws {
        #expect(directory.names.contains(StoreDirectory.file(2)))
        try directory.put([1, 2, 3], Self.name)
        expectDamage()
        #expect(directory.bytes(Self.name) == [1, 2, 3])
    }

    @Test func noticesAnOldVersionUnderANewName() throws {
        let old = try #require(directory.bytes(StoreDirectory.file(2)))
        try directory.put(old, Self.name)
        expectDamage()
        try directory.put(latest, Self.name)
        try directory.put(old, StoreDirectory.file(4))
        expectDamage()
        try directory.put(latest, StoreDirectory.file(4))
        expectDamage()
    }

    @Test func noticesTheFileOfAnotherStore() async throws {
        let other = directory.store(name: "other")
        for index in 0..<3 { _ = try await other.write([1], over: index == 0 ? nil : UInt64(index)) }
        try directory.put(try #require(directory.bytes(StoreDirectory.file(3, "other"))), Self.name)
        expectDamage()
        #expect(try await other.read()?.version == 3)
    }

    @Test func noticesAnotherKey() {
        expectDamage(key: .bytes(Secret([UInt8](repeating: 9, count: 32))))
        for count in [0, 16, 31, 33, 64] {
            expectDamage(
                "\(count)", "the key has \(count) bytes", key: .bytes(Secret([UInt8](repeating: 0, count: count))))
        }
    }

    /// A program that was put back to an older version says so, and does not write over what it cannot read.
    @Test func saysThatANewerProgramHasWritten() async throws {
        for format in [[0, 2], [1, 1], [255, 255]] as [[UInt8]] {
            try directory.put(Array(latest[..<4]) + format + latest[6...], Self.name)
            expectDamage(nil, "newer program")
        }
        try directory.put(Array(latest[..<4]) + [0, 0] + latest[6...], Self.name)
        expectDamage(nil, "never was")
    }

    @Test func readsTheLatestWhateverTheOneBeforeIs() throws {
        for bytes in [[], [1], latest] as [[UInt8]] {
            try directory.put(bytes, StoreDirectory.file(2))
            #expect(directory.files().text == "ooo")
        }
        try directory.remove(StoreDirectory.file(2))
        #expect(directory.files().text == "ooo")
        #expect(directory.files().append("o") == 4)
        #expect(directory.files().text == "oooo")
    }

    /// What a restored backup or a tidy user leaves of it is not "nothing was ever written".
    @Test func noticesThatItsVersionsWereRemoved() throws {
        for name in directory.versions { try directory.remove(name) }
        expectDamage(nil, "removed")
        #expect(try directory.files().write([1], over: nil) == nil)
    }

    @Test func aNewSignInGoesOverTheDamage() async throws {
        let store = directory.store()
        #expect(try await store.writeOverDamage([9]) == .conflict)
        for bytes in [[], [1], Array(latest.dropLast())] as [[UInt8]] {
            try directory.put(bytes, Self.name)
            #expect(try await store.writeOverDamage([9]) == .written(4))
            #expect(try await store.read() == StoredEntry(version: 4, payload: [9]))
            #expect(try await store.writeOverDamage([8]) == .conflict)
            #expect(try await store.write([7], over: 4) == .written(5))
            #expect(try await store.write([6], over: 5) == .written(6))
            for name in directory.versions { try directory.remove(name) }
            try directory.put(latest, Self.name)
        }
        for name in directory.versions { try directory.remove(name) }
        #expect(try await store.writeOverDamage([9]) == .written(2))
        #expect(try await store.read() == StoredEntry(version: 2, payload: [9]))
    }

    @Test(arguments: [
        "session.0000000000000000004", "session.000000000000000000004", "session.0000000000000000000x",
        "session.99999999999999999999", "session.00000000000000000000", "session.", "session.4",
        "session-2.00000000000000000009", "Session.00000000000000000009", "session.00000000000000000009.bak",
        "session.+0000000000000000009",
    ])
    func takesNoOtherFileForAVersion(_ name: String) throws {
        try directory.put([1], name)
        #expect(directory.files().text == "ooo")
        #expect(directory.files().append("o") == 4)
        #expect(directory.bytes(name) == [1])
    }
}

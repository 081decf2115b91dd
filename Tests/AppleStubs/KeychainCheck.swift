// swift-format-ignore-file
import CoreFoundation
import Primitives
import Security
import SessionClient

/// The rules of a store, for the one in the Keychain, on the model of the stubs. Ends with an error where one is broken.
@main struct KeychainCheck {
    static func expect(_ condition: Bool, _ rule: String) {
        guard !condition else { return }
        print("broken: \(rule)")
        fatalError(rule)
    }

    static func main() async throws {
        let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_800_000_000))
        let store = KeychainStore(service: "example", accessGroup: "team.example", clock: clock)
        let other = KeychainStore(service: "example", accessGroup: "team.example", clock: clock)
        expect(try await store.read() == nil, "nothing was written")
        expect(try await store.write([1], over: 1) == .conflict, "there is nothing to write over")
        guard case .written(let first) = try await store.write([1], over: nil) else { fatalError("the first") }
        expect(try await other.read() == StoredEntry(version: first, payload: [1]), "it is read by another")
        expect(try await other.write([9], over: nil) == .conflict, "there is one")
        expect(try await other.write([9], over: first + 1) == .conflict, "that is not the version")
        expect(try await other.write([2], over: first) == .written(first + 1), "the second")
        expect(try await store.write([9], over: first) == .conflict, "somebody was faster")
        expect(try await store.isCurrent(first + 1), "the second is current")
        expect(try await !store.isCurrent(first), "the first is not")
        expect(try await store.read()?.payload == [2], "the second is kept")
        let stranger = KeychainStore(service: "example", accessGroup: "team.other", clock: clock)
        expect(try await stranger.read() == nil, "another group")
        expect(Set(ModelKeychain.shared.calls) == ["copy", "add", "update"], "R18: nothing is deleted and added anew")

        var winnerCount = 0
        let attempts = (0..<32).map { index in
            Task { (try? await store.write([UInt8(index)], over: first + 1)) == .written(first + 2) }
        }
        for attempt in attempts where await attempt.value { winnerCount += 1 }
        expect(winnerCount == 1, "one winner")
        for (status, isRight) in [
            (errSecInteractionNotAllowed, { if case .locked = $0 { true } else { false } }),
            (errSecDecode, { if case .corrupt = $0 { true } else { false } }),
            (-34018, { if case .failed = $0 { true } else { false } }),
        ] as [(OSStatus, (SessionStoreError) -> Bool)] {
            ModelKeychain.shared.status = status
            do throws(SessionStoreError) {
                _ = try await store.read()
                fatalError("\(status) is no answer")
            } catch {
                expect(isRight(error), "\(status): \(error)")
            }
            let outcome: StoreOutcome? = try? await store.write([1], over: first + 2)
            expect(outcome == nil, "\(status) is no outcome")
        }
        ModelKeychain.shared.status = 0
        let key = KeychainKey(service: "example")
        let path = CommandLine.arguments.dropFirst().first ?? "/tmp"
        let file = EncryptedFileStore(directory: path + "/keychain-check", key: .keychain(key), clock: clock)
        let before = try await file.read()
        let written = try await file.write([7], over: before?.version)
        expect(written != .conflict, "a file with its key in the Keychain")
        expect(try await file.read()?.payload == [7], "and back")

        let lost = EncryptedFileStore(
            directory: path + "/keychain-check", key: .keychain(KeychainKey(service: "new phone")), clock: clock)
        ModelKeychain.shared.status = errSecInteractionNotAllowed
        let whileLocked: StoreOutcome? = try? await lost.writeOverDamage([8])
        expect(whileLocked == nil, "a key that is locked is not replaced")
        ModelKeychain.shared.status = 0
        do { expect(try await lost.read() == nil && false, "a key that is gone opens nothing") } catch {}
        guard case .written = try await lost.writeOverDamage([8]) else { fatalError("a new key") }
        expect(try await lost.read()?.payload == [8], "a new sign-in makes a new key")

        let spoilt = CFDictionary()
        for (name, value) in [
            (kSecClass, kSecClassGenericPassword), (kSecAttrService, CFString("spoilt")),
            (kSecAttrAccount, CFString("session")),
        ] { spoilt.members[name.text] = value }
        expect(SecItemAdd(spoilt, nil) == errSecSuccess, "an item without data and mark")
        let broken = KeychainStore(service: "spoilt", clock: clock)
        do { expect(try await broken.read() == nil && false, "it is damaged") } catch {}
        ModelKeychain.shared.status = errSecInteractionNotAllowed
        let outcome: StoreOutcome? = try? await broken.writeOverDamage([5])
        expect(outcome == nil, "what is locked is not written over")
        ModelKeychain.shared.status = 0
        guard case .written(let mended) = try await broken.writeOverDamage([5]) else { fatalError("over damage") }
        expect(try await broken.read() == StoredEntry(version: mended, payload: [5]), "a new sign-in goes over it")
        expect(try await broken.writeOverDamage([6]) == .conflict, "it is damaged no more")
        expect(Set(ModelKeychain.shared.calls) == ["copy", "add", "update"], "R18: nothing is deleted and added anew")
        let content = KeychainItem.Content(mark: [201, 202], data: [203, 204])
        var dumped = ""
        dump(content, to: &dumped)
        for text in [dumped, "\(content)", String(reflecting: content), "\(Mirror(reflecting: content).children.map(\.value))"] {
            expect(!text.contains("20"), "what is in an item is not printed")
        }
        print("the Keychain adapters keep to the rules, on the model")
        try CryptoCheck.run()
        if let directory = CommandLine.arguments.dropFirst(2).first {
            try await CryptoCheck.answer(in: EncryptedFileStore(directory: directory, clock: clock))
        }
    }
}

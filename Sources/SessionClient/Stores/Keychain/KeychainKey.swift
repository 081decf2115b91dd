#if canImport(Security)
import Crypto
import Primitives

/// The key of an encrypted file, kept in the Keychain: what lies in a shared directory, or in a backup of it, is nothing
/// without the device.
///
///     let key = KeychainKey(service: "example.app", accessGroup: "TEAM.example.shared")
///     let store = EncryptedFileStore(directory: path, key: .keychain(key), clock: clock)
public struct KeychainKey: Sendable {
    private let item: KeychainItem
    private static let mark = Array("key".utf8)

    /// - Parameter accessGroup: under which programs of one team share it; `nil`: the first that the program has.
    public init(service: String, account: String = "session-key", accessGroup: String? = nil) {
        item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// - Parameter random: to make one where there is none; `nil`: then there is none to be had.
    func secret(orMake random: (any RandomSource)?) throws(SessionStoreError) -> Secret {
        if let secret = try read() { return secret }
        guard let random else { throw .corrupt(reason: "the key is not in the Keychain any more") }
        var bytes = random.bytes(AES256GCM.keyByteCount)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        // Of two that are made at once, the first is the one.
        _ = try item.add(KeychainItem.Content(mark: Self.mark, data: bytes))
        guard let secret = try read() else {
            throw .failed(reason: "the key was removed from the Keychain as soon as it was made")
        }
        return secret
    }

    var isGone: Bool {
        get throws(SessionStoreError) { try read() == nil }
    }

    private func read() throws(SessionStoreError) -> Secret? {
        guard var bytes = try item.read()?.data else { return nil }
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        return Secret(bytes)
    }
}
#endif

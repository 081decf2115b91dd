import Primitives

/// Where the key of an encrypted store comes from.
///
///     let store = EncryptedFileStore(directory: path, key: .bytes(key), clock: clock)
public enum StoreKey: Sendable {
    /// From a file beside the store, `NAME.key`, which is made with the first version. It keeps what is stored from those who
    /// get a copy of the store alone; whoever may read the directory has both.
    case file
    /// From whoever has it: 32 bytes.
    case bytes(Secret)
    #if canImport(Security)
    /// From the Keychain, made with the first version.
    case keychain(KeychainKey)
    #endif
}

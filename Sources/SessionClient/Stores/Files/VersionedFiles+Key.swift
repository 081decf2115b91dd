import Crypto
import Primitives

extension VersionedFiles {
    /// - Parameter orMake: where nothing was ever written, or nothing of it is wanted any more. A new key opens none of it.
    func key(in directory: OpenedFile, orMake: Bool) throws(SessionStoreError) -> Secret {
        let secret =
            switch key {
            case .bytes(let secret): secret
            case .file: try keyFile(in: directory, orMake: orMake)
            #if canImport(Security)
            case .keychain(let item): try item.secret(orMake: orMake ? random : nil)
            #endif
            }
        guard secret.count == AES256GCM.keyByteCount else {
            throw .corrupt(reason: "the key has \(secret.count) bytes instead of \(AES256GCM.keyByteCount)")
        }
        return secret
    }

    /// Whether there is none at all. One that cannot be had now is an error.
    func isKeyGone(in directory: OpenedFile) throws(SessionStoreError) -> Bool {
        switch key {
        case .bytes: false
        case .file: try readKeyFile(in: directory) == nil
        #if canImport(Security)
        case .keychain(let item): try item.isGone
        #endif
        }
    }

    private func keyFile(in directory: OpenedFile, orMake: Bool) throws(SessionStoreError) -> Secret {
        if let secret = try readKeyFile(in: directory) { return secret }
        guard orMake else { throw .corrupt(reason: "the key \(path(of: keyName)) is gone") }
        var bytes = random.bytes(AES256GCM.keyByteCount)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        try place(bytes, as: keyName, in: directory)
        // Of two that were made at once, one has got the name.
        guard let secret = try readKeyFile(in: directory) else {
            throw .failed(reason: "the key \(path(of: keyName)) was removed as soon as it was made")
        }
        return secret
    }

    private func readKeyFile(in directory: OpenedFile) throws(SessionStoreError) -> Secret? {
        guard let (file, _) = try openPrivate(keyName, in: directory) else { return nil }
        var bytes = try contents(of: file, named: keyName, upTo: AES256GCM.keyByteCount + 1)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        return Secret(bytes)
    }
}

// Compiled where there is a Keychain, and read by whoever looks for an example elsewhere.
#if canImport(Security)
import Primitives
import SessionClient

private func stores(path: String, clock: any WallClock) -> [any SessionStore] {
    func inTheKeychain() -> any SessionStore {
        let store = KeychainStore(service: "example.app", accessGroup: "TEAM.example.shared", clock: clock)
        return store
    }
    func inAFile() -> any SessionStore {
        let key = KeychainKey(service: "example.app", accessGroup: "TEAM.example.shared")
        let store = EncryptedFileStore(directory: path, key: .keychain(key), clock: clock)
        return store
    }
    return [inTheKeychain(), inAFile()]
}
#endif

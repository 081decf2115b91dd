/// Where one login is kept, so that whoever shares the store shares the login: an app, its extensions, other processes.
///
/// There is one verb that writes, and it compares before it sets: no store can have the race of reading, deciding and
/// writing. Nothing is locked while somebody talks to a server, for a process that is stopped in the middle would never let
/// go. A store knows nothing of what it keeps.
///
///     let entry = try await store.read()
///     let outcome = try await store.write(payload, over: entry?.version)
///     if case .written(let version) = outcome { print(try await store.isCurrent(version)) }
///     _ = try await store.writeOverDamage(payload)             // .conflict: nothing is damaged
public protocol SessionStore: Sendable {
    /// What is kept; `nil`: nothing was ever written. A store that cannot tell throws, for "not there", "locked" and
    /// "damaged" are different answers.
    func read() async throws(SessionStoreError) -> StoredEntry?

    /// Puts a payload in the place of exactly the version that was read, or where nothing was. What it returns is on the disk,
    /// and whatever ends the process before it returns leaves the former version or this one, whole.
    func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome

    /// Puts a payload in the place of what is damaged, if that is still so: after a new sign-in, which is all that is left
    /// then. What was sealed with a key that is gone is damaged, and there is a new key then. What is locked for a while is not
    /// damaged, and neither is what can be read.
    func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome

    /// Whether `version` is what is kept, for less than `read` costs.
    func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool
}

/// What a store keeps, and the number that it has there. Each that is written has a higher one.
///
///     let entry = StoredEntry(version: 1, payload: [1, 2, 3])
///     print(entry)    // version 1, 3 bytes
public struct StoredEntry: Hashable, Sendable {
    /// The number that it has in this store.
    public let version: UInt64
    /// What is kept: a record of the session, whose form is no business of a store.
    public let payload: [UInt8]

    /// What a store of one's own hands back.
    public init(version: UInt64, payload: [UInt8]) {
        self.version = version
        self.payload = payload
    }
}

extension StoredEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its version and its length, for a log.
    public var description: String { "version \(version), \(payload.count) bytes" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing of it, for a debugger.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What became of a write.
///
///     if try await store.write(payload, over: version) == .conflict { readAgain() }
public enum StoreOutcome: Hashable, Sendable {
    /// It is kept, and has this version.
    case written(UInt64)
    /// Nothing was written: what is kept is not what the writer had read.
    case conflict
}

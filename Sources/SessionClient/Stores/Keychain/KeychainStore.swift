#if canImport(Security)
import Primitives

/// A session in the Keychain, shared by the programs of an access group.
///
///     let store = KeychainStore(service: "example.app", accessGroup: "TEAM.example.shared", clock: clock)
///
/// Readable from the first unlocking after a start on, on this device alone. It is what comes before a directory on Apple
/// platforms: other programs do not get at it, and it outlives the app that was deleted and installed again.
public struct KeychainStore: SessionStore {
    private let item: KeychainItem
    private let clock: any WallClock

    /// - Parameter clock: the first version is named after the moment, so that one whose item somebody has deleted does not
    ///   pass for a later one.
    public init(
        service: String, account: String = "session", accessGroup: String? = nil, clock: any WallClock
    ) {
        item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
        self.clock = clock
    }

    /// The item; `nil`: there is none.
    public func read() async throws(SessionStoreError) -> StoredEntry? {
        guard let content = try item.read() else { return nil }
        guard content.mark.count == 8 else { throw .corrupt(reason: "the item of the Keychain has no version") }
        return StoredEntry(version: content.mark.reduce(0) { $0 << 8 | UInt64($1) }, payload: content.data)
    }

    /// Updates the item that has this version, or adds one where there is none.
    public func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        guard let version else {
            let first = UInt64(max(1, clock.now().millisecondsSinceEpoch))
            let content = KeychainItem.Content(mark: Self.mark(first), data: payload)
            return try item.add(content) ? .written(first) : .conflict
        }
        let (next, isTooMuch) = version.addingReportingOverflow(1)
        guard !isTooMuch else { return .conflict }
        let content = KeychainItem.Content(mark: Self.mark(next), data: payload)
        return try item.replace(marked: Self.mark(version), with: content) ? .written(next) : .conflict
    }

    /// After a sign-in that follows on damage.
    public func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome {
        var mark: [UInt8]?
        do throws(SessionStoreError) {
            guard let damaged = try item.read(), damaged.mark.count != 8 else { return .conflict }
            mark = damaged.mark
        } catch {
            // Of what cannot even be read nobody knows the mark. Of two who sign in over it, the later one is signed in.
            guard case .corrupt = error else { throw error }
        }
        let first = UInt64(max(1, clock.now().millisecondsSinceEpoch))
        let content = KeychainItem.Content(mark: Self.mark(first), data: payload)
        return try item.replace(marked: mark, with: content) ? .written(first) : .conflict
    }

    /// Asks for an item of this version, without reading what is in it.
    public func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool {
        try item.exists(marked: Self.mark(version))
    }

    private static func mark(_ version: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: version >> (56 - 8 * UInt64($0))) }
    }
}
#endif

import Synchronization

/// A store that lives as long as the process, and is shared by whoever has it: for tests, and for logins that are not to be
/// kept.
///
///     let store = MemorySessionStore()
///     let app = SessionManager(
///         configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
///     let other = SessionManager(                              // the same login
///         configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
public final class MemorySessionStore: SessionStore {
    private let entry = Mutex<StoredEntry?>(nil)

    /// An empty one.
    public init() {}

    /// What was written last; `nil`: nothing was.
    public func read() async throws(SessionStoreError) -> StoredEntry? { entry.withLock { $0 } }

    /// Memory is never damaged.
    public func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome { .conflict }

    /// Whether that is what was written last.
    public func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool {
        entry.withLock { $0?.version == version }
    }

    /// Takes the place of that version, or of nothing.
    public func write(
        _ payload: [UInt8], over version: UInt64?
    ) async throws(SessionStoreError) -> StoreOutcome {
        entry.withLock { entry in
            guard entry?.version == version else { return .conflict }
            let next = (version ?? 0) + 1
            entry = StoredEntry(version: next, payload: payload)
            return .written(next)
        }
    }
}

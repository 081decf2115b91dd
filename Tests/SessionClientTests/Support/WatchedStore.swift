import SessionClient
import Synchronization

/// A store in memory that counts, and fails when a test says so.
final class WatchedStore: SessionStore {
    private struct State {
        var reads = 0
        var failure: SessionStoreError?
        var writeFailure: SessionStoreError?
    }

    private let place = Mutex(MemorySessionStore())
    private let state = Mutex(State())

    private var inner: MemorySessionStore { place.withLock { $0 } }

    /// As when an app is deleted, or clears its data.
    func empty() { place.withLock { $0 = MemorySessionStore() } }

    var reads: Int { state.withLock { $0.reads } }

    func fail(with error: SessionStoreError?) { state.withLock { $0.failure = error } }
    func failWrites(with error: SessionStoreError?) { state.withLock { $0.writeFailure = error } }

    private func check() throws(SessionStoreError) { if let error = state.withLock({ $0.failure }) { throw error } }

    func read() async throws(SessionStoreError) -> StoredEntry? {
        try check()
        state.withLock { $0.reads += 1 }
        return try await inner.read()
    }

    func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        try check()
        if let error = state.withLock({ $0.writeFailure }) { throw error }
        return try await inner.write(payload, over: version)
    }

    func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome {
        try await inner.writeOverDamage(payload)
    }

    func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool {
        try check()
        return try await inner.isCurrent(version)
    }

    /// What is in it.
    func record() async throws -> SessionRecord? {
        try await inner.read().map { try SessionRecord(encoded: $0.payload) }
    }
}

import SessionClient
import Synchronization

/// A store in memory that counts, and fails when a test says so.
final class WatchedStore: SessionStore {
    private struct State {
        var reads = 0
        var failure: SessionStoreError?
        var writeFailure: SessionStoreError?
        var failsOnce = false
        var readGate: Gate?
        var writeGate: Gate?
    }

    private let place = Mutex(MemorySessionStore())
    private let state = Mutex(State())

    private var inner: MemorySessionStore { place.withLock { $0 } }

    /// As when an app is deleted, or clears its data.
    func empty() { place.withLock { $0 = MemorySessionStore() } }

    var reads: Int { state.withLock { $0.reads } }

    func fail(with error: SessionStoreError?) { state.withLock { $0.failure = error } }
    func failWrites(with error: SessionStoreError?) {
        state.withLock { ($0.writeFailure, $0.failsOnce) = (error, false) }
    }
    /// The next one, and none after it.
    func failNextWrite(with error: SessionStoreError) {
        state.withLock { ($0.writeFailure, $0.failsOnce) = (error, true) }
    }

    /// What is read, or written, from now on is done at once, and told when the gate is open.
    func holdReads(at gate: Gate?) { state.withLock { $0.readGate = gate } }
    func holdWrites(at gate: Gate?) { state.withLock { $0.writeGate = gate } }

    private func check() throws(SessionStoreError) { if let error = state.withLock({ $0.failure }) { throw error } }

    func read() async throws(SessionStoreError) -> StoredEntry? {
        let (gate, error) = state.withLock { state in
            state.reads += 1
            return (state.readGate, state.failure)
        }
        let entry = try await inner.read()
        await gate?.pass()
        if let error { throw error }
        return entry
    }

    func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        try check()
        let error = state.withLock { state in
            defer { if state.failsOnce { state.writeFailure = nil } }
            return state.writeFailure
        }
        if let error { throw error }
        let gate = state.withLock { $0.writeGate }
        let outcome = try await inner.write(payload, over: version)
        await gate?.pass()
        return outcome
    }

    func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome {
        try check()
        return try await inner.writeOverDamage(payload)
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

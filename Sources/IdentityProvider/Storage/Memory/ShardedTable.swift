import Primitives
import Synchronization

/// A dictionary in parts, each with a lock of its own, that forgets what has expired.
///
/// Nothing is held while somebody waits: the locks are held for the time of a look-up and a pure function. A part looks
/// for expired entries when it has grown to twice what it held after it last did, so that each entry pays for a fixed
/// number of looks, however many there are.
package final class ShardedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Shard {
        var entries: [Key: Value] = [:]
        var sweepAt = ShardedTable.leastSweepCount
        var sweptAt: Timestamp?
        /// The last moment that somebody told, for those who tell none.
        var latest: Timestamp?

        /// Whoever keeps a part full must not make us look through it with each request.
        func maySweepAgain(at now: Timestamp) -> Bool {
            guard let sweptAt, sweptAt <= now else { return true }
            return now >= sweptAt + ShardedTable.leastSweepInterval
        }
    }

    /// Locks cannot be in an array, for they cannot be copied.
    private final class Part: Sendable {
        let shard = Mutex(Shard())
    }

    private let parts: [Part]
    private let isExpired: @Sendable (Value, Timestamp) -> Bool
    /// For each part; `nil`: no limit but memory.
    private let maximumCountOfPart: Int?

    /// More threads than a machine has cores meet seldom in one of so many parts.
    private static var partCount: Int { 64 }
    private static var leastSweepCount: Int { 256 }
    private static var leastSweepInterval: Duration { .milliseconds(100) }

    package init(
        maximumCount: Int? = nil, isExpired: @escaping @Sendable (Value, Timestamp) -> Bool
    ) {
        parts = (0..<Self.partCount).map { _ in Part() }
        maximumCountOfPart = maximumCount.map { max(1, $0 / Self.partCount) }
        self.isExpired = isExpired
    }

    private func part(of key: Key) -> Part {
        parts[Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) >> 40) % parts.count]
    }

    package subscript(key: Key) -> Value? { part(of: key).shard.withLock { $0.entries[key] } }

    /// Puts an entry in the place of another. Full, it throws.
    package func insert(_ value: Value, for key: Key, at now: Timestamp) throws(StoreError) {
        try part(of: key).shard.withLock { shard throws(StoreError) in
            if shard.entries.index(forKey: key) == nil { try makeRoom(in: &shard, at: now) }
            shard.entries[key] = value
        }
    }

    /// Changes the entry of a key, or makes one, or removes it by setting `nil`.
    ///
    /// - Parameter now: by which to tell what has expired, where an entry is added and there is no room; without one, the
    ///   last moment that somebody told holds.
    ///   - body: where it throws, nothing changes.
    @inline(__always)
    package func change<Result>(
        _ key: Key, at now: Timestamp? = nil, by body: (inout Value?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        var result: Result?
        try changeEntry(of: key, at: now) { value throws(StoreError) in result = try body(&value) }
        guard let result else { preconditionFailure("whoever changes an entry without an error was called") }
        return result
    }

    /// By itself, for this can be compiled for the keys and values of a table where the result's type is not known.
    private func changeEntry(
        of key: Key, at now: Timestamp?, by body: (inout Value?) throws(StoreError) -> Void
    ) throws(StoreError) {
        try part(of: key).shard.withLock { shard throws(StoreError) in
            guard let index = shard.entries.index(forKey: key) else {
                var value: Value?
                try body(&value)
                guard let value else { return }
                try makeRoom(in: &shard, at: now)
                shard.entries[key] = value
                return
            }
            var value: Value? = shard.entries.values[index]
            try body(&value)
            if let value { shard.entries.values[index] = value } else { shard.entries.remove(at: index) }
        }
    }

    private func makeRoom(in shard: inout Shard, at now: Timestamp?) throws(StoreError) {
        if let now { shard.latest = now }
        let isFull = shard.entries.count >= maximumCountOfPart ?? .max
        if let now = shard.latest, isFull ? shard.maySweepAgain(at: now) : shard.entries.count >= shard.sweepAt {
            shard.entries = shard.entries.filter { !isExpired($0.value, now) }
            shard.sweepAt = max(Self.leastSweepCount, shard.entries.count * 2)
            shard.sweptAt = now
        }
        if let limit = maximumCountOfPart, shard.entries.count >= limit { throw .full(limit: limit * parts.count) }
    }

    /// Those that `isWanted` picks, in no order, up to `limit` of them.
    package func values(where isWanted: (Value) -> Bool, limit: Int) -> [Value] {
        var found: [Value] = []
        for part in parts where found.count < limit {
            part.shard.withLock { shard in
                for value in shard.entries.values where isWanted(value) {
                    guard found.count < limit else { return }
                    found.append(value)
                }
            }
        }
        return found
    }

    package func removeAll(where isMeant: (Key, Value) -> Bool) {
        for part in parts {
            part.shard.withLock { shard in shard.entries = shard.entries.filter { !isMeant($0.key, $0.value) } }
        }
    }

    package func removeAll() {
        for part in parts { part.shard.withLock { $0 = Shard() } }
    }

    package var count: Int { parts.reduce(0) { $0 + $1.shard.withLock(\.entries.count) } }
}

import Primitives
import Synchronization

/// A dictionary in parts, each with a lock of its own, that forgets what has expired.
///
/// Nothing is held while somebody waits: the locks are held for the time of a look-up and a pure function. A part looks
/// for expired entries when it has grown to twice what it held after it last did, so that each entry pays for a fixed
/// number of looks, however many there are.
package final class ShardedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Where a value lies, so that it is changed in place, and stays there when its part of the table grows.
    private final class Entry {
        /// `nil` only while somebody changes it.
        var value: Value?

        init(_ value: Value) {
            self.value = value
        }

        /// For those who have the lock, and do not change it.
        var settled: Value {
            guard let value else { preconditionFailure("an entry without a value stays in no table") }
            return value
        }
    }

    /// A key with its hash, which says as well in which part it is.
    private struct Place: Hashable {
        let key: Key
        let hash: Int

        init(_ key: Key) {
            self.key = key
            hash = key.hashValue
        }

        static func == (left: Self, right: Self) -> Bool { left.hash == right.hash && left.key == right.key }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    private struct Shard {
        var entries: [Place: Entry] = [:]
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

    private func part(of place: Place) -> Part {
        parts[Int(truncatingIfNeeded: UInt(bitPattern: place.hash) >> 40) % parts.count]
    }

    package subscript(key: Key) -> Value? {
        let place = Place(key)
        return part(of: place).shard.withLock { $0.entries[place]?.settled }
    }

    /// Puts an entry in the place of another. Full, it throws.
    package func insert(_ value: Value, for key: Key, at now: Timestamp) throws(StoreError) {
        let place = Place(key)
        try part(of: place).shard.withLock { shard throws(StoreError) in
            if let entry = shard.entries[place] {
                entry.value = value
            } else {
                try makeRoom(in: &shard, at: now)
                shard.entries[place] = Entry(value)
            }
        }
    }

    /// Changes the entry of a key, or makes one, or removes it by setting `nil`.
    ///
    /// - Parameter now: by which to tell what has expired, where an entry is added and there is no room; without one, the
    ///   last moment that somebody told holds.
    ///   - body: changes the entry where it lies. It throws before it has changed anything, for nobody puts that back.
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
        let place = Place(key)
        try part(of: place).shard.withLock { shard throws(StoreError) in
            guard let entry = shard.entries[place] else {
                var value: Value?
                try body(&value)
                guard let value else { return }
                try makeRoom(in: &shard, at: now)
                shard.entries[place] = Entry(value)
                return
            }
            defer { if entry.value == nil { shard.entries[place] = nil } }
            try body(&entry.value)
        }
    }

    private func makeRoom(in shard: inout Shard, at now: Timestamp?) throws(StoreError) {
        if let now { shard.latest = now }
        let isFull = shard.entries.count >= maximumCountOfPart ?? .max
        if let now = shard.latest, isFull ? shard.maySweepAgain(at: now) : shard.entries.count >= shard.sweepAt {
            // To look is less than to put together anew what nobody leaves.
            if shard.entries.values.contains(where: { isExpired($0.settled, now) }) {
                shard.entries = shard.entries.filter { !isExpired($0.value.settled, now) }
            }
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
                for value in shard.entries.values.lazy.map(\.settled) where isWanted(value) {
                    guard found.count < limit else { return }
                    found.append(value)
                }
            }
        }
        return found
    }

    package func removeAll(where isMeant: (Key, Value) -> Bool) {
        for part in parts {
            part.shard.withLock { shard in
                var meant: [Place] = []
                for (place, entry) in shard.entries where isMeant(place.key, entry.settled) { meant.append(place) }
                for place in meant { shard.entries[place] = nil }
            }
        }
    }

    package func removeAll() {
        for part in parts { part.shard.withLock { $0 = Shard() } }
    }

    package var count: Int { parts.reduce(0) { $0 + $1.shard.withLock(\.entries.count) } }
}

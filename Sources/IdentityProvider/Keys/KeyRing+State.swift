import JOSE
import Primitives

extension KeyRing {
    /// The keys of a ring and the rules by which they come and go: a value that knows no clock, no lock and no file.
    ///
    ///     var state = KeyRing.State()
    ///     try state.rotate(to: .generate(.es256), at: now, by: policy)
    package struct State: Sendable {
        package internal(set) var keys: [Entry] = []
        /// Of keys that were withdrawn here, the last ones: others may still keep them where keys are kept.
        var withdrawnKeyIDs: [String] = []

        /// As many as one published set may have: a verifier, this one too, would refuse a larger one.
        package static let maximumCount = JWKSet.maximumCount
        /// Withdrawn keys that are remembered.
        static let maximumWithdrawnCount = 1000

        package init() {}

        /// Takes keys back from where they were kept.
        ///
        /// Key IDs are told apart, for tokens name their key by them (RFC 7515 section 4.1.4); and of each algorithm
        /// there is exactly one that signs.
        package init(restoring keys: [Entry]) throws(KeyRingError) {
            guard keys.count <= Self.maximumCount else { throw .tooManyKeys(limit: Self.maximumCount) }
            guard Set(keys.map(\.key.keyID)).count == keys.count else { throw .repeatedKeyID }
            for algorithm in Set(keys.map(\.key.algorithm)) {
                let own = keys.filter { $0.key.algorithm == algorithm }
                guard own.contains(where: \.isActive) else { throw .noActiveKey(algorithm) }
                guard own.filter(\.isActive).count == 1 else { throw .severalActiveKeys(algorithm) }
                guard own.filter(\.isNext).count <= 1 else { throw .severalNextKeys(algorithm) }
            }
            self.keys = keys
        }

        /// The place of the key that signs with `algorithm`.
        package func activeIndex(of algorithm: SignatureAlgorithm) -> Int? {
            keys.firstIndex { $0.isActive && $0.key.algorithm == algorithm }
        }

        func index(of keyID: String) -> Int? {
            keys.firstIndex { $0.key.keyID == keyID }
        }

        /// When the next key is due to take over or to go.
        package var nextChange: Timestamp? {
            keys.lazy.compactMap(\.dueAt).min()
        }

        /// Makes `key` the one that signs with its algorithm from now on. The one that did retires; one that was to be
        /// next, and so has signed nothing, goes.
        package mutating func rotate(
            to key: SigningKey, at now: Timestamp, by policy: KeyRingPolicy
        ) throws(KeyRingError) {
            try add(Entry(key: key, created: now, role: .next(activeFrom: now)), at: now, by: policy)
        }

        /// Publishes `key` now, and lets it sign once everybody who keeps the published set must have asked again. The
        /// first key of an algorithm signs at once: there is nobody who keeps an older set for it.
        package mutating func publishAhead(
            _ key: SigningKey, at now: Timestamp, by policy: KeyRingPolicy
        ) throws(KeyRingError) {
            let isFirst = activeIndex(of: key.algorithm) == nil
            let activeFrom = isFirst ? now : now + policy.cacheLifetime
            try add(Entry(key: key, created: now, role: .next(activeFrom: activeFrom)), at: now, by: policy)
        }

        /// Adds a key that is to be next, and lets it take over if it is due.
        mutating func add(_ entry: Entry, at now: Timestamp, by policy: KeyRingPolicy) throws(KeyRingError) {
            advance(to: now, by: policy)
            guard index(of: entry.key.keyID) == nil else { throw .repeatedKeyID }
            keys.removeAll { $0.isNext && $0.key.algorithm == entry.key.algorithm }
            guard keys.count < Self.maximumCount else { throw .tooManyKeys(limit: Self.maximumCount) }
            keys.append(entry)
            advance(to: now, by: policy)
        }

        /// Lets happen, in the order in which they were due, the changes that are due by now. Says whether there were
        /// any.
        @discardableResult
        package mutating func advance(to now: Timestamp, by policy: KeyRingPolicy) -> Bool {
            var hasChanged = false
            while let due = keys.indices.filter({ keys[$0].isDue(at: now) }).min(by: {
                keys[$0].isDue(before: keys[$1])
            }) {
                hasChanged = true
                switch keys[due].role {
                case .next(let activeFrom): activate(due, from: activeFrom, by: policy)
                case .retiring: keys.remove(at: due)
                case .active: preconditionFailure("an active key is never due")
                }
            }
            return hasChanged
        }

        private mutating func activate(_ index: Int, from moment: Timestamp, by policy: KeyRingPolicy) {
            let former = activeIndex(of: keys[index].key.algorithm)
            keys[index].role = .active
            guard let former else { return }
            if let expiry = keys[former].latestExpiry {
                // It goes by the same rule as any other that is due, perhaps at once.
                keys[former].role = .retiring(publishedUntil: max(expiry + policy.clockLeeway, moment))
            } else {
                // It signed nothing, so nobody needs it.
                keys.remove(at: former)
            }
        }
    }
}

extension KeyRing.Entry {
    /// When something happens to the key by itself.
    fileprivate var dueAt: Timestamp? {
        switch role {
        case .next(let activeFrom): activeFrom
        case .active: nil
        case .retiring(let publishedUntil): publishedUntil
        }
    }

    fileprivate func isDue(at now: Timestamp) -> Bool { dueAt.map { $0 <= now } ?? false }

    fileprivate func isDue(before other: Self) -> Bool {
        guard let dueAt, let otherDueAt = other.dueAt else { return false }
        return dueAt < otherDueAt
    }
}

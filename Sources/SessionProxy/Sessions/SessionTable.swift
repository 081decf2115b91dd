import Primitives
import Synchronization

/// The sessions of all browsers, by the digests of what these show. Bounded, and asked by verbs that each do one thing whole.
///
/// Whatever leaves it is handed to the caller, whose business it is to end it.
final class SessionTable: Sendable {
    typealias Digest = SessionIdentifier.Digest

    private struct Entry {
        let session: BrowserSession
        var lastUse: Timestamp
    }

    private let entries = Mutex<[Digest: Entry]>([:])
    private let lifetimes: ProxyLifetimes
    private let limits: ProxyLimits

    init(lifetimes: ProxyLifetimes, limits: ProxyLimits) {
        precondition(limits.sessions > 0 && limits.sessionsOfOneUser > 0, "there is room for a session")
        self.lifetimes = lifetimes
        self.limits = limits
    }

    var count: Int { entries.withLock { $0.count } }

    /// Takes a session up, in the place of the one that the browser had, and makes room where there is none: first among those of
    /// the same user, or of nobody knows whom, then among all, whichever was not used for longest.
    ///
    /// - Returns: what had to go.
    func add(
        _ session: BrowserSession, as digest: Digest, replacing former: Digest?, at now: Timestamp
    ) -> [BrowserSession] {
        entries.withLock { entries in
            var gone = [former.flatMap { entries.removeValue(forKey: $0) }?.session].compactMap(\.self)
            if let subject = session.subject {
                let own = entries.filter { $0.value.session.subject.map { sameText($0, subject) } ?? false }
                if own.count >= limits.sessionsOfOneUser { gone += Self.removeLeastUsed(of: own, from: &entries) }
            } else {
                // They may all be one user's.
                let nameless = entries.filter { $0.value.session.subject == nil }
                if nameless.count >= limits.sessionsWithoutUser {
                    gone += Self.removeLeastUsed(of: nameless, from: &entries)
                }
            }
            if entries.count >= limits.sessions { gone += Self.removeLeastUsed(of: entries, from: &entries) }
            entries[digest] = Entry(session: session, lastUse: now)
            return gone
        }
    }

    private static func removeLeastUsed(of some: [Digest: Entry], from entries: inout [Digest: Entry])
        -> [BrowserSession]
    {
        guard let least = some.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return [] }
        return [entries.removeValue(forKey: least.key)?.session].compactMap(\.self)
    }

    /// What there is under a digest.
    enum Finding: Sendable {
        case nothing
        case session(BrowserSession, idleEnd: Timestamp, end: Timestamp)
        /// It was there, and its time is over.
        case over(BrowserSession)
    }

    /// - Parameter isUse: whether its idle time begins anew.
    func find(_ digest: Digest, at now: Timestamp, isUse: Bool) -> Finding {
        entries.withLock { entries in
            guard var entry = entries[digest] else { return .nothing }
            guard !isOver(entry, at: now) else {
                entries[digest] = nil
                return .over(entry.session)
            }
            if isUse {
                entry.lastUse = max(now, entry.lastUse)
                entries[digest] = entry
            }
            let end = entry.session.began + lifetimes.absolute
            return .session(entry.session, idleEnd: min(entry.lastUse + lifetimes.idle, end), end: end)
        }
    }

    func remove(_ digest: Digest) -> BrowserSession? {
        entries.withLock { $0.removeValue(forKey: digest)?.session }
    }

    /// Removes one that the caller has in his hands, unless something else stands there by now.
    func remove(_ digest: Digest, if session: BrowserSession) {
        entries.withLock { entries in
            if entries[digest]?.session === session { entries[digest] = nil }
        }
    }

    /// Every session of a user.
    func remove(ofUser subject: String) -> [BrowserSession] {
        removeAll { $0.session.subject.map { sameText($0, subject) } ?? false }
    }

    func removeOver(at now: Timestamp) -> [BrowserSession] { removeAll { isOver($0, at: now) } }

    func removeAll() -> [BrowserSession] { removeAll { _ in true } }

    private func removeAll(where isMeant: (Entry) -> Bool) -> [BrowserSession] {
        entries.withLock { entries in
            let gone = entries.filter { isMeant($0.value) }
            for digest in gone.keys { entries[digest] = nil }
            return gone.values.map(\.session)
        }
    }

    private func isOver(_ entry: Entry, at now: Timestamp) -> Bool {
        now >= entry.lastUse + lifetimes.idle || now >= entry.session.began + lifetimes.absolute
    }
}

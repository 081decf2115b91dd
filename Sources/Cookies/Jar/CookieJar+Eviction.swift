import Primitives

extension CookieJar {
    /// RFC 6265bis section 5.7: what goes when there is no room. What is over goes first; then, of a domain that has more
    /// than its share, what is not secure and then the rest; then whatever it is. Among these, what has not been used for
    /// the longest time.
    mutating func evict(besides domain: String, at now: Timestamp) {
        guard count > policy.cookiesInAll || (shelves[domain]?.count ?? 0) > policy.cookiesPerDomain else { return }
        removeExpired(at: now)
        while let shelf = shelves[domain], shelf.count > policy.cookiesPerDomain {
            guard let victim = Self.leastUsed(shelf.filter { !$0.cookie.isSecure }) ?? Self.leastUsed(shelf) else {
                return
            }
            remove(victim.cookie.identity)
        }
        while count > policy.cookiesInAll {
            guard let victim = Self.leastUsed(Array(shelves.values.joined())) else { return }
            remove(victim.cookie.identity)
        }
    }

    private static func leastUsed(_ entries: [Entry]) -> Entry? {
        entries.min { ($0.lastUse, $0.number) < ($1.lastUse, $1.number) }
    }
}

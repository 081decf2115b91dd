import Primitives

/// The cookies of one user agent, by RFC 6265bis: takes what servers and scripts set, gives what a request has to bring.
///
///     var jar = CookieJar()
///     for field in setCookieFields { _ = try? jar.receive(field, from: context, at: now) }
///     let cookieField = jar.field(for: context, at: now)
///
/// A value: a copy is a copy of everything in it. It does no I/O and knows no clock.
public struct CookieJar: Sendable {
    /// What it decides by, besides the standard.
    public let policy: CookiePolicy
    /// By domain, since a request can only meet those of its host and of what lies above.
    private(set) var shelves: [String: [Entry]] = [:]
    private(set) package var count = 0
    private var nextNumber: UInt64 = 0

    struct Entry: Sendable {
        var cookie: Cookie
        var lastUse: Timestamp
        /// In which order they came: of two that were created in the same millisecond, the first is sent first.
        let number: UInt64
    }

    /// Empty.
    ///
    ///     let jar = CookieJar(policy: policy)
    public init(policy: CookiePolicy = CookiePolicy()) {
        self.policy = policy
    }

    /// Every cookie, expired or not, in the order in which they were created.
    public var all: [Cookie] {
        shelves.values.joined().sorted { Self.isOlder($0, $1) }.map(\.cookie)
    }

    /// The cookie in that place, expired or not.
    public subscript(identity: Cookie.Identity) -> Cookie? {
        shelves[identity.domain]?.first { $0.cookie.identity == identity }?.cookie
    }

    static func isOlder(_ one: Entry, _ other: Entry) -> Bool {
        (one.cookie.created, one.number) < (other.cookie.created, other.number)
    }

    /// Makes a change that was decided elsewhere, by another store of the same login.
    ///
    ///     try jar.apply(.set(cookie), at: now)
    ///     try jar.apply(.expire(cookie.identity), at: now)
    public mutating func apply(_ change: CookieChange, at now: Timestamp) throws(CookieRefusal) {
        switch change {
        case .set(let cookie):
            if let refusal = cookie.refusal { throw refusal }
            insert(cookie, at: now)
        case .expire(let identity):
            remove(identity)
        }
    }

    /// Drops everything, as for a user who leaves.
    ///
    ///     jar.removeAll()
    public mutating func removeAll() {
        shelves = [:]
        count = 0
    }

    /// Drops what is over, and says what that was.
    ///
    ///     for identity in jar.removeExpired(at: now) { print(identity.name, "is over") }
    @discardableResult
    public mutating func removeExpired(at now: Timestamp) -> [Cookie.Identity] {
        removeAll { $0.isExpired(at: now) }
    }

    /// The user agent ends: session cookies end with it, however young they are.
    ///
    ///     let ended = jar.endSession()
    @discardableResult
    public mutating func endSession() -> [Cookie.Identity] {
        removeAll { !$0.isPersistent }
    }

    private mutating func removeAll(where isOver: (Cookie) -> Bool) -> [Cookie.Identity] {
        let gone = all.filter(isOver).map(\.identity)
        for identity in gone { remove(identity) }
        return gone
    }

    /// Puts a cookie in the place of the one of its identity: also in the order, where it was created with it.
    mutating func insert(_ cookie: Cookie, at now: Timestamp) {
        let replaced = remove(cookie.identity)
        var number = nextNumber
        if let replaced, replaced.cookie.created == cookie.created { number = replaced.number }
        shelves[cookie.domain, default: []].append(Entry(cookie: cookie, lastUse: now, number: number))
        nextNumber += 1
        count += 1
        evict(besides: cookie.domain, at: now)
    }

    @discardableResult
    mutating func remove(_ identity: Cookie.Identity) -> Entry? {
        guard var shelf = shelves.removeValue(forKey: identity.domain) else { return nil }
        defer { if !shelf.isEmpty { shelves[identity.domain] = shelf } }
        guard let index = shelf.firstIndex(where: { $0.cookie.identity == identity }) else { return nil }
        count -= 1
        return shelf.remove(at: index)
    }

    mutating func noteUse(of domain: String, at index: Int, _ now: Timestamp) {
        shelves[domain]?[index].lastUse = now
    }
}

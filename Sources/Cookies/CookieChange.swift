/// What happens to one cookie of a store. That one goes is as much a change as that one comes: a copy that is made of
/// what is there alone keeps what is gone.
///
///     for change in changes {
///         switch change {
///         case .set(let cookie): print("came", cookie.name)
///         case .expire(let identity): print("went", identity.name)
///         }
///     }
public enum CookieChange: Hashable, Sendable {
    /// It is there, whether or not one of its identity was.
    case set(Cookie)
    /// It is gone, whether or not it was there.
    case expire(Cookie.Identity)

    /// Of the cookie that it is about.
    public var identity: Cookie.Identity {
        switch self {
        case .set(let cookie): cookie.identity
        case .expire(let identity): identity
        }
    }
}

extension CookieChange {
    /// What leads from one state of a store to another, the removals first. Cookies that are the same but for the time of
    /// their creation are no change.
    ///
    ///     let changes = CookieChange.changes(from: before.all, to: after.all)
    ///     for change in changes { try copy.apply(change, at: now) }
    public static func changes(from old: [Cookie], to new: [Cookie]) -> [CookieChange] {
        let before = Dictionary(old.map { ($0.identity, $0) }, uniquingKeysWith: { $1 })
        let after = Dictionary(new.map { ($0.identity, $0) }, uniquingKeysWith: { $1 })
        var seen: Set<Cookie.Identity> = []
        let gone = old.map(\.identity).filter { after[$0] == nil && seen.insert($0).inserted }
        let set = new.compactMap { after[$0.identity] }.filter { cookie in
            !(before[cookie.identity]?.isSame(as: cookie) ?? false) && seen.insert(cookie.identity).inserted
        }
        return gone.map(CookieChange.expire) + set.map(CookieChange.set)
    }
}

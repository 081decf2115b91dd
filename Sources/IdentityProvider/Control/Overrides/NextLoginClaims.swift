import Primitives
import Synchronization

/// Claims for the logins to come, chosen from outside: for one user, or for whoever logs in next.
package final class NextLoginClaims: Sendable {
    /// Claims that wait for a login.
    package struct Waiting: Sendable {
        /// The username; `nil`: anybody's.
        package let username: String?
        package let claims: JSONObject
        package fileprivate(set) var remaining: Int
    }

    private let entries = Mutex<[Waiting]>([])

    /// More than these at once are no test any more.
    package static let maximumCount = 10_000

    package init() {}

    /// For the next `count` logins; in the place of what was set for the same user before.
    package func set(_ claims: JSONObject, for username: String?, count: Int = 1) -> Bool {
        entries.withLock { entries in
            entries.removeAll { Self.isSame($0.username, username) }
            guard !claims.isEmpty, count > 0 else { return true }
            guard entries.count < Self.maximumCount else { return false }
            entries.append(Waiting(username: username, claims: claims, remaining: count))
            return true
        }
    }

    /// What goes into the login that begins now: what is for its user, over what is for anybody. Each is used up by it.
    package func take(for username: String) -> JSONObject {
        entries.withLock { entries in
            guard !entries.isEmpty else { return [:] }
            var claims = JSONObject()
            for index in entries.indices where entries[index].username == nil {
                for (name, value) in entries[index].claims { claims[name] = value }
                entries[index].remaining -= 1
            }
            for index in entries.indices where entries[index].username.map({ sameText($0, username) }) == true {
                for (name, value) in entries[index].claims { claims[name] = value }
                entries[index].remaining -= 1
            }
            entries.removeAll { $0.remaining <= 0 }
            return claims
        }
    }

    package var waiting: [Waiting] { entries.withLock { $0 } }

    package func removeAll() { entries.withLock { $0 = [] } }

    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): sameText(left, right)
        default: false
        }
    }
}

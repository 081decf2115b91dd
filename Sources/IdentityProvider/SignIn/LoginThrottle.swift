import Primitives

/// Keeps whoever tries passwords from trying many: for one username, and from one address. There is one for every place
/// where passwords are looked at.
///
/// An attempt is counted before the password is looked at, so that a thousand that come at once are a thousand, and taken
/// back when it was right.
struct LoginThrottle: Sendable {
    private let attempts = AttemptLimiter()

    /// How many users share one address without being taken for one who tries passwords.
    static let usersOfOnePeer = 10

    /// Counts an attempt. What is returned is how long to wait, where it is one too many.
    ///
    /// - Parameters:
    ///   - peer: `nil` where all users come from one address, that of their client.
    ///   - asker: a page of somebody else must not keep a user out, neither here nor anywhere else.
    func begin(
        _ username: String, from peer: String?, by policy: SignInPolicy, as asker: Asker = .program, at now: Timestamp
    ) -> Duration? {
        var quotas = [AttemptLimiter.Quota(Self.name(ofUser: username, asker), policy.failuresAllowed)]
        if let peer {
            quotas.append(.init(Self.name(ofPeer: peer), policy.failuresAllowed * Self.usersOfOnePeer))
        }
        return attempts.begin(quotas, at: now, within: policy.failureWindow)
    }

    /// The password was right: whoever knows it need not wait for his own slips.
    func succeed(_ username: String, from peer: String?, as asker: Asker = .program) {
        attempts.forget(Self.name(ofUser: username, asker))
        if let peer { attempts.giveBack(Self.name(ofPeer: peer)) }
    }

    func removeAll() { attempts.removeAll() }

    private static func name(ofUser username: String, _ asker: Asker) -> String {
        "user \(asker.rawValue) \(username)"
    }
    private static func name(ofPeer peer: String) -> String { "peer \(peer)" }
}

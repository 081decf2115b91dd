import OAuth
import Primitives
import Synchronization

/// Keeps whoever tries passwords from trying many: for one username, and from one address. There is one for every place
/// where passwords are looked at.
///
/// An attempt is counted before the password is looked at, so that a thousand that come at once are a thousand, and taken
/// back when it was right.
final class LoginThrottle: Sendable {
    fileprivate struct Window {
        let began: Timestamp
        var failures: Int
    }

    private enum Key: Hashable {
        case username(ExactText)
        case peer(String)
    }

    private let windows = Mutex<[Key: Window]>([:])

    /// Names are made up by whoever tries: there is an end to how many are remembered.
    static let maximumCount = 16_384
    /// How many users share one address without being taken for one who tries passwords.
    static let usersOfOnePeer = 10

    /// Counts an attempt. What is returned is how long to wait, where it is one too many.
    ///
    /// - Parameter peer: `nil` where all users come from one address, that of their client.
    func begin(_ username: String, from peer: String?, by policy: SignInPolicy, at now: Timestamp) -> Duration? {
        windows.withLock { windows in
            var limits: [(Key, Int)] = [(.username(ExactText(username)), policy.failuresAllowed)]
            if let peer { limits.append((.peer(peer), policy.failuresAllowed * Self.usersOfOnePeer)) }
            var wait: Duration?
            for (key, limit) in limits {
                guard let window = windows[key], window.isOpen(policy, at: now), window.failures >= limit else {
                    continue
                }
                wait = max(wait ?? .zero, window.began + policy.failureWindow - now)
            }
            if let wait { return wait }
            for (key, _) in limits {
                if let window = windows[key], window.isOpen(policy, at: now) {
                    windows[key]?.failures += 1
                } else {
                    Self.makeRoom(in: &windows, by: policy, at: now)
                    windows[key] = Window(began: now, failures: 1)
                }
            }
            return nil
        }
    }

    /// The password was right: whoever knows it need not wait for his own slips.
    func succeed(_ username: String, from peer: String?) {
        windows.withLock { windows in
            windows[.username(ExactText(username))] = nil
            if let peer, let window = windows[.peer(peer)] {
                let failures = window.failures - 1
                windows[.peer(peer)] = failures > 0 ? Window(began: window.began, failures: failures) : nil
            }
        }
    }

    /// Forgets every attempt.
    func removeAll() {
        windows.withLock { $0 = [:] }
    }

    /// Whoever fills the table with names tried each of them but seldom: those go first.
    private static func makeRoom(in windows: inout [Key: Window], by policy: SignInPolicy, at now: Timestamp) {
        guard windows.count >= maximumCount else { return }
        windows = windows.filter { $0.value.isOpen(policy, at: now) }
        var least = 1
        while windows.count > maximumCount / 2 {
            windows = windows.filter { $0.value.failures > least }
            least *= 2
        }
    }
}

extension LoginThrottle.Window {
    /// A clock that was set back opens no window for ever.
    fileprivate func isOpen(_ policy: SignInPolicy, at now: Timestamp) -> Bool {
        now >= began && now < began + policy.failureWindow
    }
}

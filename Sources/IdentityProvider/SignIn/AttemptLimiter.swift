import Primitives
import Synchronization

/// Counts the attempts that are made under a name, so that nobody can try everything there is. Whatever is tried here is
/// counted by one of these: passwords (``LoginThrottle``), secrets of clients (``SecretThrottle``), codes of devices.
///
/// Asking and counting are one step: of many attempts that come at once no more are admitted than of as many that come one
/// by one. Who turns out to have been right gives his attempt back.
package final class AttemptLimiter: Sendable {
    private struct Attempts: Sendable {
        var count: Int
        let began: Timestamp
    }

    private let attempts = Mutex<[ExactText: Attempts]>([:])
    private let maximumCount: Int

    /// How many attempts are admitted under a name.
    package struct Quota: Sendable {
        package let name: String
        package let limit: Int

        package init(_ name: String, _ limit: Int) {
            self.name = name
            self.limit = limit
        }
    }

    /// In names. Whoever makes up more of them makes us forget the windows that are over, and then the names that were tried
    /// least: his own.
    package static let maximumCount = 16_384

    package init(maximumCount: Int = AttemptLimiter.maximumCount) {
        precondition(maximumCount > 0, "a limiter of nothing")
        self.maximumCount = maximumCount
    }

    /// Whether one more attempt under this name is admitted within the window that its first attempt began; if so, it is
    /// counted.
    package func admits(_ name: String, at now: Timestamp, allowing limit: Int, within window: Duration) -> Bool {
        begin([Quota(name, limit)], at: now, within: window) == nil
    }

    /// Begins an attempt that counts under several names: under all of them, or, when it is one too many under some, under
    /// none. What is returned is how long to wait then.
    package func begin(_ quotas: [Quota], at now: Timestamp, within window: Duration) -> Duration? {
        attempts.withLock { attempts in
            let waits = quotas.compactMap { quota -> Duration? in
                guard let found = attempts[ExactText(quota.name)], Self.isOpen(found, at: now, window) else {
                    return quota.limit > 0 ? nil : window
                }
                return found.count >= quota.limit ? found.began + window - now : nil
            }
            if let wait = waits.max() { return wait }
            // What they count from now on is known before room is made, which may forget any of them.
            let counted = quotas.map { quota in
                let key = ExactText(quota.name)
                guard var found = attempts[key], Self.isOpen(found, at: now, window) else {
                    return (key, Attempts(count: 1, began: now))
                }
                found.count += 1
                return (key, found)
            }
            let newCount = counted.count { attempts[$0.0] == nil }
            if newCount > 0, attempts.count + newCount > maximumCount { makeRoom(in: &attempts, at: now, window) }
            for (key, count) in counted { attempts[key] = count }
            return nil
        }
    }

    /// How long it takes until an attempt is admitted again; zero when one is now.
    package func wait(
        for name: String, at now: Timestamp, allowing limit: Int, within window: Duration
    ) -> Duration {
        attempts.withLock { attempts in
            guard let found = attempts[ExactText(name)], Self.isOpen(found, at: now, window), found.count >= limit
            else { return .zero }
            return found.began + window - now
        }
    }

    /// Takes back one attempt, which was right.
    package func giveBack(_ name: String) {
        attempts.withLock { attempts in
            let key = ExactText(name)
            guard let found = attempts[key] else { return }
            if found.count <= 1 { attempts[key] = nil } else { attempts[key]?.count -= 1 }
        }
    }

    /// Takes back all of them.
    package func forget(_ name: String) {
        attempts.withLock { $0[ExactText(name)] = nil }
    }

    package func removeAll() { attempts.withLock { $0.removeAll() } }

    package var count: Int { attempts.withLock(\.count) }

    /// A clock that was moved back does not keep anybody out for longer than a window.
    private static func isOpen(_ attempts: Attempts, at now: Timestamp, _ window: Duration) -> Bool {
        attempts.began <= now && now < attempts.began + window
    }

    /// Whoever fills the table with names tried each of them but seldom: those go first.
    private func makeRoom(in attempts: inout [ExactText: Attempts], at now: Timestamp, _ window: Duration) {
        attempts = attempts.filter { Self.isOpen($0.value, at: now, window) }
        var least = 1
        // Down to a half, so that it is not done for each.
        while attempts.count > maximumCount / 2 {
            attempts = attempts.filter { $0.value.count > least }
            least *= 2
        }
    }
}

extension Duration {
    /// For `Retry-After`. Rounded up: whoever comes back then comes in.
    var secondsToWait: Int { Int((self + .milliseconds(999)).inSeconds) }
}

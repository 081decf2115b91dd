import Primitives
import Synchronization

/// Counts the attempts that are made under a name, so that nobody can try everything there is.
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

    /// In names. Whoever makes up more of them makes us forget the windows that are over, and then the oldest.
    package static let maximumCount = 10_000

    package init(maximumCount: Int = AttemptLimiter.maximumCount) {
        precondition(maximumCount > 0, "a limiter of nothing")
        self.maximumCount = maximumCount
    }

    /// Whether one more attempt under this name is admitted within the window that its first attempt began; if so, it is
    /// counted.
    package func admits(_ name: String, at now: Timestamp, allowing limit: Int, within window: Duration) -> Bool {
        attempts.withLock { attempts in
            let key = ExactText(name)
            if let found = attempts[key], Self.isOpen(found, at: now, window) {
                guard found.count < limit else { return false }
                attempts[key]?.count += 1
                return true
            }
            guard limit > 0 else { return false }
            if attempts[key] == nil, attempts.count >= maximumCount { makeRoom(in: &attempts, at: now, window) }
            attempts[key] = Attempts(count: 1, began: now)
            return true
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

    private func makeRoom(in attempts: inout [ExactText: Attempts], at now: Timestamp, _ window: Duration) {
        attempts = attempts.filter { Self.isOpen($0.value, at: now, window) }
        guard attempts.count >= maximumCount else { return }
        // A tenth at once, so that finding the oldest is not done for each.
        let oldest = attempts.sorted { $0.value.began < $1.value.began }.prefix(max(1, maximumCount / 10))
        for entry in oldest { attempts[entry.key] = nil }
    }
}

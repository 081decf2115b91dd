import IdentityProvider
import JOSE
import Primitives

/// When a server has to look after its keys.
extension ServerKeys {
    /// The key that signs now.
    var signingKeyID: String? {
        let state = ring.state(at: clock.now())
        return state.activeIndex(of: algorithm).map { state.keys[$0].key.keyID }
    }

    /// When the next key is to be made, if one is made every `interval`: counted from when the last one was made,
    /// whoever made it, so that a server which is often started anew makes keys all the same.
    func nextRotation(every interval: Duration) -> Timestamp {
        let made = ring.state(at: clock.now()).keys.filter { entry in
            if case .retiring = entry.role { return false }
            return entry.key.algorithm == algorithm
        }
        return (made.map(\.created).max() ?? clock.now()) + interval
    }

    /// How long nothing happens to the keys by itself.
    func pause(rotatingEvery interval: Duration?) -> Duration {
        let now = clock.now()
        let events = [ring.state(at: now).nextChange, interval.map { nextRotation(every: $0) }]
        guard let next = events.compactMap(\.self).min() else { return Self.longestPause }
        return min(next - now, Self.longestPause)
    }

    /// The clock may be set, and other processes make keys.
    static let longestPause = Duration.seconds(60)
}

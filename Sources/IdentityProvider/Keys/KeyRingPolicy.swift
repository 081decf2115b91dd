/// How long keys stay where others can see them.
package struct KeyRingPolicy: Sendable, Equatable {
    /// How far the clocks of resource servers may be behind: for so long after its last token has expired a key stays
    /// published.
    package var clockLeeway: Duration
    /// How long others may keep the published set: for so long a key that is published ahead does not sign.
    package var cacheLifetime: Duration
    /// The longest lifetime of a token. After a restart, it says until when tokens may be valid that were signed before.
    package var longestTokenLifetime: Duration

    package init(
        clockLeeway: Duration = .seconds(60), cacheLifetime: Duration = .seconds(300), longestTokenLifetime: Duration
    ) {
        self.clockLeeway = clockLeeway
        self.cacheLifetime = cacheLifetime
        self.longestTokenLifetime = longestTokenLifetime
    }

    /// Whether a ring has room for the keys of one algorithm if a new one is made every `interval`: the one that signs,
    /// the next one, the one that is being made, and all those whose tokens may still be valid.
    package func hasRoom(rotatingEvery interval: Duration) -> Bool {
        let retiring = (longestTokenLifetime + clockLeeway) / interval
        return retiring + 3 <= Double(KeyRing.State.maximumCount)
    }
}

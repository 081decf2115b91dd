import Primitives

/// The clock of a server, as far as it is known.
struct SkewedClock: WallClock {
    let base: any WallClock
    let skew: Duration

    func now() -> Timestamp { base.now() + skew }
}

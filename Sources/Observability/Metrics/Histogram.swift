import Synchronization

/// Counts observations by size in fixed buckets, and adds them up.
///
/// The total is the sum of the buckets, never a number of its own, so that a reader who comes between two
/// observations still sees `_count` equal to the last bucket.
package final class Histogram: Sendable {
    /// For request times in seconds: from a tenth of a millisecond to ten seconds.
    package static let secondsBuckets: [Double] = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The upper bounds, inclusive and rising. What is above the last falls into `+Inf`.
    package let upperBounds: [Double]
    private let buckets: [Counter]
    // The bits of a Double: there is no atomic one.
    private let sumBits = Atomic<UInt64>(0)

    package init(buckets upperBounds: [Double]) {
        precondition(upperBounds.allSatisfy(\.isFinite), "bounds are finite: +Inf is there by itself")
        precondition(zip(upperBounds, upperBounds.dropFirst()).allSatisfy(<), "bounds rise")
        self.upperBounds = upperBounds
        buckets = (0...upperBounds.count).map { _ in Counter() }
    }

    package func observe(_ value: Double) {
        // There are few bounds and small values are the common ones: a scan beats a search.
        let index = upperBounds.firstIndex { value <= $0 } ?? upperBounds.count
        buckets[index].increment()
        var seen = sumBits.load(ordering: .relaxed)
        while true {
            let (exchanged, original) = sumBits.weakCompareExchange(
                expected: seen, desired: (Double(bitPattern: seen) + value).bitPattern, ordering: .relaxed)
            if exchanged { return }
            seen = original
        }
    }

    /// In seconds.
    package func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Double(seconds) + Double(attoseconds) / 1e18)
    }

    /// For each bound, and last for `+Inf`, how many observations were at most that.
    package var cumulativeCounts: [UInt64] {
        var total: UInt64 = 0
        return buckets.map { bucket in
            total += bucket.value
            return total
        }
    }

    package var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }
}

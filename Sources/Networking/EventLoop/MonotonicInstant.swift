import Glibc

/// A moment on the clock that only goes forward: what deadlines are measured by, so that moving the wall clock
/// moves none of them.
package struct MonotonicInstant: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func now() -> Self {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Self(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static let distantFuture = Self(nanoseconds: .max)

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Later by `nanoseconds`; stops at `distantFuture`.
    package func advanced(byNanoseconds delay: Int64) -> Self {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delay)
        return overflow ? .distantFuture : Self(nanoseconds: sum)
    }

    package static func + (moment: Self, delay: Duration) -> Self {
        moment.advanced(byNanoseconds: delay.inNanoseconds)
    }

    package static func - (later: Self, earlier: Self) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds, rounded towards zero; at most `Int64.max`.
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? .max : sum
    }
}

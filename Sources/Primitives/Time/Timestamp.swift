/// A moment on the wall clock, counted in milliseconds since 1970-01-01T00:00:00Z.
///
/// Tokens count in seconds and rotation windows in milliseconds; nothing here is finer than that. What would lie beyond
/// the first or the last moment that can be counted is that moment: times come from tokens and files of others, who may
/// write any number, and a moment so far away is compared as well as any other.
///
///     let issued = Timestamp(secondsSinceEpoch: 1_700_000_000)
///     let expires = issued + .seconds(300)
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Negative before 1970.
    public var millisecondsSinceEpoch: Int64

    /// From what `Date` and most programs of others count in.
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = millisecondsSinceEpoch
    }

    /// From the `NumericDate` of a token (RFC 7519 section 2).
    public init(secondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = secondsSinceEpoch.multipliedSaturating(by: 1000)
    }

    /// The last moment of the year 9999, beyond which RFC 3339 section 5.6 has no digits.
    package static let endOfYear9999 = Timestamp(millisecondsSinceEpoch: 253_402_300_799_999)

    /// Whole seconds, rounded down: the `NumericDate` of RFC 7519 section 2.
    public var secondsSinceEpoch: Int64 {
        let (quotient, remainder) = millisecondsSinceEpoch.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.millisecondsSinceEpoch < right.millisecondsSinceEpoch
    }

    /// Stays within what can be counted.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: moment.millisecondsSinceEpoch.addedSaturating(duration.inMilliseconds))
    }

    /// Stays within what can be counted.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(millisecondsSinceEpoch: moment.millisecondsSinceEpoch.subtractedSaturating(duration.inMilliseconds))
    }

    /// Exact: a duration counts further than a moment.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.millisecondsSinceEpoch) - .milliseconds(earlier.millisecondsSinceEpoch)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero; the most or the fewest that there are if it has more or fewer.
    package var inMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedSaturating(by: 1000).addedSaturating(attoseconds / 1_000_000_000_000_000)
    }

    /// Whole seconds, rounded towards zero.
    package var inSeconds: Int64 { components.seconds }
}

extension Int64 {
    fileprivate func addedSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractedSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    fileprivate func multipliedSaturating(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}

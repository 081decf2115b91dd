import Primitives

/// The value of `Date`, rendered once a second: IMF-fixdate of RFC 9110 section 5.6.7.
struct DateField {
    private(set) var bytes: [UInt8] = []
    private var second = Int64.min

    mutating func update(to moment: Timestamp) {
        let current = moment.secondsSinceEpoch
        guard current != second else { return }
        second = current
        bytes = Array(Self.text(of: moment).utf8)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    static func text(of moment: Timestamp) -> String { moment.httpDate }
}

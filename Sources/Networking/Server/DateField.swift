import Primitives

/// The value of `Date`, rendered once a second: IMF-fixdate of RFC 9110 section 5.6.7.
struct DateField {
    private(set) var bytes: [UInt8] = []
    private var second = Int64.min

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    mutating func update(to moment: Timestamp) {
        let current = moment.secondsSinceEpoch
        guard current != second else { return }
        second = current
        bytes = Array(Self.text(of: moment).utf8)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    static func text(of moment: Timestamp) -> String {
        let civil = CivilTime(moment)
        return "\(days[civil.weekday]), \(twoDigits(civil.day)) \(months[civil.month - 1]) \(fourDigits(civil.year)) "
            + "\(twoDigits(civil.hour)):\(twoDigits(civil.minute)):\(twoDigits(civil.second)) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func fourDigits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }
}

extension Timestamp {
    /// As HTTP writes a moment: IMF-fixdate of RFC 9110 section 5.6.7, `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let civil = CivilTime(self)
        return "\(Self.days[civil.weekday]), \(Self.twoDigits(civil.day)) \(Self.months[civil.month - 1]) "
            + "\(Self.fourDigits(civil.year)) \(Self.twoDigits(civil.hour)):\(Self.twoDigits(civil.minute)):"
            + "\(Self.twoDigits(civil.second)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func fourDigits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 4 - text.utf8.count)) + text
    }
}

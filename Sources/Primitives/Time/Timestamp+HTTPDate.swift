extension Timestamp {
    /// As HTTP writes a moment: IMF-fixdate of RFC 9110 section 5.6.7, `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let civil = CivilTime(self)
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(Self.days[civil.weekday])
        text.append(", ")
        text.append(decimal: civil.day, digits: 2)
        text.append(" ")
        text.append(Self.months[civil.month - 1])
        text.append(" ")
        text.append(year: civil.year)
        text.append(" ")
        text.append(decimal: civil.hour, digits: 2)
        text.append(":")
        text.append(decimal: civil.minute, digits: 2)
        text.append(":")
        text.append(decimal: civil.second, digits: 2)
        text.append(" GMT")
        return String(knownASCII: text.span)
    }

    private static let days: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

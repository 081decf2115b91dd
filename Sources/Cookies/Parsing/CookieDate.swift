import Primitives

/// Dates as servers have been writing them for thirty years (RFC 6265bis section 5.1.1): not a format but a search for a
/// time, a day, a month and a year among whatever else there is.
package enum CookieDate {
    /// `nil` where one of the four is missing or there is no such moment.
    package static func read(_ text: Substring) -> Timestamp? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        // Two digits mean the years around the turn of the century.
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601 else { return nil }
        return Timestamp(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Digits, as many as may be, and then the end or anything that is no digit.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let found = token.prefix { $0.isASCIIDigit }
        guard digits.contains(found.count) else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// Three numbers of one or two digits between colons.
    private static func time(_ token: Substring.UTF8View) -> (hour: Int, minute: Int, second: Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(\.isASCIIDigit), fields[1].allSatisfy(\.isASCIIDigit),
            let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = token.prefix(3).map(\.asciiLowercased)
        return months.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
    }
}

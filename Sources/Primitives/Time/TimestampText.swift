/// Moments as people type them: RFC 3339, or seconds since 1970 as tokens have them.
package enum TimestampText {
    /// `nil` unless the whole text is a moment between 1970 and 9999.
    package static func read(_ text: String) -> Timestamp? {
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            guard text.utf8.count <= 12, let seconds = Int64(text),
                seconds <= Timestamp.endOfYear9999.secondsSinceEpoch
            else { return nil }
            return Timestamp(secondsSinceEpoch: seconds)
        }
        return readRFC3339(Array(text.utf8))
    }

    /// RFC 3339 section 5.6, with an offset or `Z`.
    private static func readRFC3339(_ text: [UInt8]) -> Timestamp? {
        guard text.count >= 20, text.count <= 40,
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            let hour = number(text[11..<13]), let minute = number(text[14..<16]), let second = number(text[17..<19]),
            year >= 1970
        else { return nil }
        var milliseconds = 0
        var rest = text[19...]
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            let padded = (Array(digits) + Array("000".utf8)).prefix(3)
            milliseconds = number(padded) ?? 0
            rest = rest[digits.endIndex...]
        }
        guard let offset = offsetMinutes(Array(rest)),
            let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        let moment = local - .seconds(offset * 60) + .milliseconds(milliseconds)
        guard moment.millisecondsSinceEpoch >= 0, moment <= .endOfYear9999 else { return nil }
        return moment
    }

    private static func offsetMinutes(_ text: [UInt8]) -> Int? {
        if text == [UInt8(ascii: "Z")] || text == [UInt8(ascii: "z")] { return 0 }
        guard text.count == 6, text[3] == UInt8(ascii: ":"),
            let hours = number(text[1..<3]), let minutes = number(text[4..<6]), hours < 24, minutes < 60
        else { return nil }
        switch text[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds: `2026-01-02T03:04:05.678Z`.
    public var description: String { rfc3339(withMilliseconds: true) }

    /// RFC 3339 in UTC, with or without the milliseconds.
    package func rfc3339(withMilliseconds: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        text.append(self, withMilliseconds: withMilliseconds)
        return String(knownASCII: text.span)
    }
}

extension [UInt8] {
    /// Appends a year in four digits or more. One below zero has a sign, as ISO 8601 has it.
    mutating func append(year: Int) {
        if year < 0 { append("-") }
        append(decimal: abs(year), digits: 4)
    }

    /// Appends a moment as RFC 3339 has it, in UTC.
    package mutating func append(_ moment: Timestamp, withMilliseconds: Bool = true) {
        let civil = CivilTime(moment)
        append(year: civil.year)
        append("-")
        append(decimal: civil.month, digits: 2)
        append("-")
        append(decimal: civil.day, digits: 2)
        append("T")
        append(decimal: civil.hour, digits: 2)
        append(":")
        append(decimal: civil.minute, digits: 2)
        append(":")
        append(decimal: civil.second, digits: 2)
        if withMilliseconds {
            append(".")
            append(decimal: civil.millisecond, digits: 3)
        }
        append("Z")
    }
}

extension Timestamp {
    /// A moment in UTC, by the proleptic Gregorian calendar; `nil` where the calendar or the clock has none.
    package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        // The inverse of what `CivilTime` does: years that begin in March, so that the leap day is the last.
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.init(secondsSinceEpoch: Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second))
        // The 31st of a month of 30 days would have moved on to the next.
        let civil = CivilTime(self)
        guard civil.month == month, civil.day == day else { return nil }
    }
}

/// A moment taken apart by the proleptic Gregorian calendar, in UTC.
package struct CivilTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int
    package let millisecond: Int
    /// 0 is Sunday.
    package let weekday: Int

    package init(_ moment: Timestamp) {
        let seconds = moment.secondsSinceEpoch
        let subsecond = Int(moment.millisecondsSinceEpoch % 1000)
        millisecond = subsecond < 0 ? subsecond + 1000 : subsecond
        var days = Int(seconds / 86_400)
        var rest = Int(seconds % 86_400)
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        hour = rest / 3600
        minute = rest % 3600 / 60
        second = rest % 60
        // 1970-01-01 was a Thursday.
        weekday = ((days + 4) % 7 + 7) % 7
        // Eras of 400 years that begin on 1 March, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

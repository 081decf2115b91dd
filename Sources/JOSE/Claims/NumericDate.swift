import Primitives

/// Seconds since 1970-01-01T00:00:00Z, fractions allowed (RFC 7519 section 2).
///
/// Read from the digits as they are written, so that nothing is rounded through a floating-point number: a clock of
/// milliseconds is before a moment exactly when it is before that moment rounded up to a millisecond.
struct NumericDate: Equatable {
    private static let greatestMilliseconds = Timestamp.endOfYear9999.millisecondsSinceEpoch
    /// Beyond these, a number of seconds is nothing that anybody meant.
    private static let exponents = -1000...1000

    /// The first millisecond that is not before the date.
    let timestamp: Timestamp

    /// Nil if the number is negative or beyond the year 9999.
    init?(_ number: JSONNumber) {
        if let seconds = number.int64 {
            guard seconds >= 0, seconds <= Self.greatestMilliseconds / 1000 else { return nil }
            timestamp = Timestamp(secondsSinceEpoch: seconds)
            return
        }
        guard let milliseconds = Self.millisecondsRoundedUp(number.literal.utf8) else { return nil }
        timestamp = Timestamp(millisecondsSinceEpoch: milliseconds)
    }

    private static func millisecondsRoundedUp(_ literal: String.UTF8View) -> Int64? {
        guard let (digits, digitsBeforePoint) = decimal(literal) else { return nil }
        // Milliseconds have the decimal point three digits further right.
        let wholeDigits = digitsBeforePoint + 3
        var milliseconds: Int64 = 0
        for position in 0..<max(0, wholeDigits) {
            let digit = position < digits.count ? Int64(digits[position]) : 0
            milliseconds = milliseconds * 10 + digit
            guard milliseconds <= greatestMilliseconds else { return nil }
            if milliseconds == 0, position >= digits.count { break }
        }
        if digits.dropFirst(max(0, wholeDigits)).contains(where: { $0 != 0 }) { milliseconds += 1 }
        return milliseconds <= greatestMilliseconds ? milliseconds : nil
    }

    /// Takes a number of RFC 8259 section 6 apart: its digits, and how many of them stand before the decimal point
    /// (less than none if zeros are missing behind it). Nil if it is below zero, or if its exponent is absurd.
    private static func decimal(_ literal: String.UTF8View) -> (digits: [UInt8], digitsBeforePoint: Int)? {
        let parts = literal.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        guard let mantissa = parts.first else { return nil }
        let exponent = parts.count == 2 ? Int(String(Substring(parts[1]))) : 0
        guard let exponent, exponents.contains(exponent) else { return nil }
        var digits: [UInt8] = []
        var digitsBeforePoint: Int?
        for byte in mantissa {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): digitsBeforePoint = digits.count
            default: digits.append(byte - UInt8(ascii: "0"))
            }
        }
        // Minus zero is zero.
        if mantissa.first == UInt8(ascii: "-"), digits.contains(where: { $0 != 0 }) { return nil }
        return (digits, (digitsBeforePoint ?? digits.count) + exponent)
    }
}

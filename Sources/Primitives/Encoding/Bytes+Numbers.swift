extension [UInt8] {
    /// Appends a number in decimal digits.
    ///
    ///     bytes.append(decimal: civil.minute, digits: 2)
    ///
    /// - Parameters:
    ///   - number: not negative.
    ///   - digits: at least so many, 20 at most, with zeros before.
    @inline(__always)
    package mutating func append(decimal number: Int, digits: Int = 1) {
        append(number, radix: 10, digits: digits)
    }

    /// Appends a number in hexadecimal digits.
    /// - Parameter number: not negative.
    @inline(__always)
    package mutating func append(hexadecimal number: Int) {
        append(number, radix: 16, digits: 1)
    }

    @inline(__always)
    private mutating func append(_ number: Int, radix: UInt, digits least: Int) {
        precondition(number >= 0, "the number is negative")
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            precondition(least <= digits.count, "more digits than there is room for")
            var rest = UInt(number)
            var start = digits.count
            repeat {
                start -= 1
                let digit = UInt8(truncatingIfNeeded: rest % radix)
                digits.initializeElement(at: start, to: digit < 10 ? 0x30 + digit : 0x57 + digit)
                rest /= radix
            } while rest > 0 || digits.count - start < least
            append(contentsOf: digits[start...])
        }
    }
}

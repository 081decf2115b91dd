extension [UInt8] {
    /// Appends a number in decimal digits.
    /// - Parameter number: not negative.
    @inline(__always)
    package mutating func append(decimal number: Int) {
        append(number, radix: 10)
    }

    /// Appends a number in hexadecimal digits.
    /// - Parameter number: not negative.
    @inline(__always)
    package mutating func append(hexadecimal number: Int) {
        append(number, radix: 16)
    }

    @inline(__always)
    private mutating func append(_ number: Int, radix: UInt) {
        precondition(number >= 0, "the number is negative")
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = UInt(number)
            var start = digits.count
            repeat {
                start -= 1
                let digit = UInt8(truncatingIfNeeded: rest % radix)
                digits.initializeElement(at: start, to: digit < 10 ? 0x30 + digit : 0x57 + digit)
                rest /= radix
            } while rest > 0
            append(contentsOf: digits[start...])
        }
    }
}

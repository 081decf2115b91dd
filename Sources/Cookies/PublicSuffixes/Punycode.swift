/// Letters of all alphabets in those of host names (RFC 3492), for the rules of the list; what a user types is brought into
/// this form by whoever reads URLs.
enum Punycode {
    private static let base = 36
    private static let smallest = 1
    private static let largest = 26
    private static let firstBeyondASCII: UInt32 = 0x80
    private static let firstBias = 72

    /// Section 6.3. Without the `xn--`.
    static func encode(_ label: Substring) -> String {
        let scalars = label.unicodeScalars.map(\.value)
        var output = scalars.filter { $0 < firstBeyondASCII }.map(UInt8.init)
        let basicCount = output.count
        var (handled, next, delta, bias) = (basicCount, firstBeyondASCII, 0, firstBias)
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        while handled < scalars.count {
            guard let following = scalars.filter({ $0 >= next }).min() else { break }
            delta += Int(following - next) * (handled + 1)
            next = following
            for scalar in scalars {
                if scalar < next { delta += 1 }
                guard scalar == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A number of variable length.
    private static func append(_ number: Int, _ bias: Int, to output: inout [UInt8]) {
        var rest = number
        var position = base
        while true {
            let threshold = min(max(position - bias, smallest), largest)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }

    /// Section 6.1.
    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - smallest) * largest / 2 {
            delta /= base - smallest
            steps += base
        }
        return steps + (base - smallest + 1) * delta / (delta + 38)
    }
}

/// Durations as people type them: numbers with a unit each, the greater first, `1h30m`.
package enum DurationText {
    private static let units: [(name: String, duration: Duration)] = [
        ("d", .seconds(86_400)), ("h", .seconds(3600)), ("m", .seconds(60)), ("s", .seconds(1)),
        ("ms", .milliseconds(1)),
    ]

    /// A century: whatever is longer is a mistake.
    private static let greatest = Duration.seconds(3_155_760_000)

    /// `nil` unless the whole text is a duration. A number without a unit is none: nobody knows what it counts.
    package static func read(_ text: some StringProtocol) -> Duration? {
        var rest = text[...]
        var total = Duration.zero
        var next = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[unit.endIndex...]
            guard digits.utf8.count <= 12, let number = Int64(digits),
                let index = units[next...].firstIndex(where: { $0.name == unit })
            else { return nil }
            next = index + 1
            total += units[index].duration * number
            guard total <= greatest else { return nil }
        }
        return next == 0 ? nil : total
    }

    /// The shortest text that reads as the duration, down to a millisecond.
    package static func write(_ duration: Duration) -> String {
        var rest = duration < .zero ? .zero - duration : duration
        var text = ""
        for unit in units {
            let count = Int64(rest / unit.duration)
            guard count > 0 else { continue }
            text += "\(count)\(unit.name)"
            rest -= unit.duration * count
        }
        if text.isEmpty { return "0s" }
        return duration < .zero ? "-" + text : text
    }
}

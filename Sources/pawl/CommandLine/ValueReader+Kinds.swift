import Primitives

extension ValueReader where Value == String {
    /// Any text that is not empty.
    static func text(_ placeholder: String) -> Self {
        Self(placeholder, expecting: "a text that is not empty") { $0.isEmpty ? nil : $0 }
    }

    /// A file; `-` is standard input or output where the help of the option says so.
    static let file = Self("FILE", expecting: "the name of a file", completion: .file) { $0.isEmpty ? nil : $0 }

    static let directory = Self("DIR", expecting: "the name of a directory", completion: .directory) {
        $0.isEmpty ? nil : $0
    }
}

extension ValueReader where Value == Int {
    static func count(in range: ClosedRange<Int>) -> Self {
        Self("N", expecting: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Bytes, with the units of IEC 80000-13.
    static let byteCount = Self("BYTES", expecting: "a size such as 8192, 64KiB or 1MiB") { text in
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("B", 1), ("", 1)]
        for (unit, factor) in units where text.hasSuffix(unit) {
            guard let number = Int(text.dropLast(unit.utf8.count)), number > 0 else { return nil }
            let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
            return overflow || bytes > 1 << 40 ? nil : bytes
        }
        return nil
    }
}

extension ValueReader where Value == Duration {
    /// More than nothing.
    static let duration = Self("DURATION", expecting: "a duration such as 500ms, 90s, 15m, 1h30m or 30d") { text in
        DurationText.read(text).flatMap { $0 > .zero ? $0 : nil }
    }

    /// From one second on, with no part of one.
    static let wholeSeconds = Self(
        "DURATION", expecting: "a duration of whole seconds such as 90s, 15m, 1h30m or 30d"
    ) { text in
        DurationText.read(text).flatMap { $0 >= .seconds(1) && $0.components.attoseconds == 0 ? $0 : nil }
    }

    /// Nothing is allowed too: `0`.
    static let durationOrZero = Self("DURATION", expecting: "a duration such as 0, 90s, 15m or 1h30m") { text in
        text == "0" ? .zero : DurationText.read(text)
    }

    /// May lie in the past: `-5m`.
    static let signedDuration = Self("DURATION", expecting: "a duration such as 0, 90s, 1h30m or -5m") { text in
        if text == "0" { return .zero }
        return text.hasPrefix("-") ? DurationText.read(text.dropFirst()).map { .zero - $0 } : DurationText.read(text)
    }
}

extension ValueReader where Value == Timestamp {
    static let moment = Self(
        "TIME", expecting: "a time such as 2026-01-02T03:04:05Z or the seconds since 1970"
    ) { TimestampText.read($0) }
}

extension ValueReader where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the names of an enumeration.
    static func oneOf(_ placeholder: String) -> Self {
        let names = Value.allCases.map(\.rawValue)
        return Self(placeholder, expecting: "one of \(names.joined(separator: ", "))", completion: .oneOf(names)) {
            Value(rawValue: $0)
        }
    }
}

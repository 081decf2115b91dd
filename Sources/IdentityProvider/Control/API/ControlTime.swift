import Primitives

/// How moments and durations are told in JSON: to the millisecond.
enum ControlTime {
    static let durationHint = "seconds as a number, or a text such as 90s, 1h30m or -5m"
    static let momentHint = "a time such as 2026-01-02T03:04:05.678Z, or seconds since 1970 as a number"

    /// A century either way: what is longer is a mistake.
    private static let greatestSeconds = 3_155_760_000.0

    static func duration(_ json: JSON) -> Duration? {
        if let text = json.string {
            return text.hasPrefix("-")
                ? DurationText.read(text.dropFirst()).map { .zero - $0 } : DurationText.read(text)
        }
        guard let seconds = json.double, abs(seconds) <= greatestSeconds else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    /// Between 1970 and 9999.
    static func moment(_ json: JSON) -> Timestamp? {
        if let text = json.string { return TimestampText.read(text) }
        guard let seconds = json.double, seconds >= 0, seconds <= 253_402_300_799 else { return nil }
        return Timestamp(millisecondsSinceEpoch: Int64((seconds * 1000).rounded()))
    }

    static func json(_ moment: Timestamp) -> JSON { .string(moment.description) }

    static func json(_ moment: Timestamp?) -> JSON { moment.map { .string($0.description) } ?? .null }

    /// Seconds; a fraction where there is one.
    static func json(_ duration: Duration) -> JSON {
        let milliseconds = duration.inMilliseconds
        if milliseconds % 1000 == 0 { return .number(JSONNumber(milliseconds / 1000)) }
        return JSONNumber(Double(milliseconds) / 1000).map { .number($0) } ?? .null
    }
}

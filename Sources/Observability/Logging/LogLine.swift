import Primitives

/// Builds the bytes of one log line.
///
/// Whatever a value holds, it stays on its line and leaves the terminal alone: every character that acts on the display is
/// written as an escape.
struct LogLine {
    private(set) var bytes: [UInt8] = []

    init(
        format: LogFormat, time: Timestamp, level: LogLevel, message: StaticString, fields: [LogField]
    ) {
        bytes.reserveCapacity(256)
        switch format {
        case .text(let colour): writeText(colour: colour, time: time, level: level, message: message, fields: fields)
        case .json: writeJSON(time: time, level: level, message: message, fields: fields)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func writeText(
        colour: Bool, time: Timestamp, level: LogLevel, message: StaticString, fields: [LogField]
    ) {
        if colour { append("\u{1B}[2m") }
        bytes.append(time)
        if colour { append("\u{1B}[0m") }
        append(" ")
        if colour { append(Self.colour(of: level)) }
        append(level.rawValue)
        for _ in level.rawValue.utf8.count..<7 { append(" ") }
        if colour { append("\u{1B}[0m") }
        append(" ")
        append(message)
        for field in fields {
            append(" ")
            if colour { append("\u{1B}[2m") }
            append(field.name)
            append("=")
            if colour { append("\u{1B}[0m") }
            switch field.value {
            case .text(let text):
                if Self.isPlain(text) { append(text) } else { appendQuoted(text) }
            case .integer(let number): append(String(number))
            case .bool(let value): append(value ? "true" : "false")
            case .duration(let duration):
                appendMilliseconds(duration)
                append("ms")
            }
        }
    }

    private mutating func writeJSON(time: Timestamp, level: LogLevel, message: StaticString, fields: [LogField]) {
        append("{\"time\":\"")
        bytes.append(time)
        append("\",\"level\":\"")
        append(level.rawValue)
        append("\",\"message\":")
        appendQuoted(message)
        for field in fields {
            append(",\"")
            append(field.name)
            if case .duration = field.value { append("_ms") }
            append("\":")
            switch field.value {
            case .text(let text): appendQuoted(text)
            case .integer(let number): append(String(number))
            case .bool(let value): append(value ? "true" : "false")
            case .duration(let duration): appendMilliseconds(duration)
            }
        }
        append("}")
    }

    private static func colour(of level: LogLevel) -> String {
        switch level {
        case .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .error: "\u{1B}[1;31m"
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(text)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(text)
    }

    /// Milliseconds with three decimals, `1.042`.
    private mutating func appendMilliseconds(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        var microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        if microseconds < 0 {
            append("-")
            microseconds = -microseconds
        }
        bytes.append(decimal: Int(microseconds / 1000))
        append(".")
        bytes.append(decimal: Int(microseconds % 1000), digits: 3)
    }

    /// Whether a value can stand in text without quotes and still be told from what follows it.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.withUTF8Span { bytes in
                holdsNone(bytes) { standsOut($0) | $0.equal(to: UInt8(ascii: " ")) | $0.equal(to: UInt8(ascii: "=")) }
            }
    }

    /// Whether a string can hold a value as it is.
    private static func needsNoEscape(_ bytes: Span<UInt8>) -> Bool {
        holdsNone(bytes) { standsOut($0) | $0.equal(to: UInt8(ascii: "\\")) }
    }

    /// What may need an escape, as far as eight bytes show it: most values have none of it.
    @inline(__always)
    private static func standsOut(_ bytes: EightBytes) -> UInt64 {
        bytes.below(0x20) | bytes.equal(to: 0x7F) | bytes.equal(to: UInt8(ascii: "\"")) | bytes.beyondASCII
    }

    @inline(__always)
    private static func holdsNone(_ bytes: Span<UInt8>, _ isMarked: (EightBytes) -> UInt64) -> Bool {
        bytes.withUnsafeBufferPointer { $0.firstIndex(from: 0, isMarked: isMarked) == $0.count }
    }

    private mutating func appendQuoted(_ message: StaticString) {
        guard message.withUTF8Buffer({ Self.needsNoEscape($0.span) }) else { return appendQuoted(message.description) }
        append("\"")
        append(message)
        append("\"")
    }

    /// A string of RFC 8259 section 7 that escapes more than it must; text uses the same form.
    private mutating func appendQuoted(_ text: String) {
        append("\"")
        if text.withUTF8Span(Self.needsNoEscape) { append(text) } else { appendEscaping(text) }
        append("\"")
    }

    /// Characters beyond the basic plane that have to be escaped become a pair of surrogates, as JSON wants it.
    private mutating func appendEscaping(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            default:
                if scalar.actsOnDisplay {
                    for unit in UTF16.encode(scalar)! { appendEscape(unit) }
                } else {
                    bytes.append(contentsOf: UTF8.encode(scalar)!)
                }
            }
        }
    }

    private mutating func appendEscape(_ unit: UInt16) {
        append("\\u")
        for shift in [12, 8, 4, 0] {
            bytes.append(Self.hexadecimalDigits[Int(unit >> UInt16(shift)) & 15])
        }
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)
}

import Foundation
import Observability
import Primitives
import TestSupport
import Testing

@Suite struct LogLineTests {
    static let moment = Timestamp(millisecondsSinceEpoch: 1_767_323_045_678)

    private func line(
        _ format: LogFormat, level: LogLevel = .info, _ fields: [LogField]
    ) -> String {
        let sink = MemoryLogSink()
        let logger = Logger(level: .debug, format: format, sink: sink, clock: ManualClock(startingAt: Self.moment))
        logger.log(level, "token issued", fields)
        #expect(sink.lines.count == 1)
        return sink.lines.joined()
    }

    @Test func writesTextForEyes() {
        let text = line(
            .text(colour: false), level: .warning,
            [
                LogField("client", "service"), LogField("path", "/a b"), LogField("count", 3), LogField("tls", true),
                LogField("took", .microseconds(1042)),
            ])
        #expect(
            text
                == "2026-01-02T03:04:05.678Z warning token issued client=service path=\"/a b\" count=3 tls=true took=1.042ms\n"
        )
    }

    @Test func writesAnObjectForPrograms() throws {
        let text = line(
            .json,
            [
                LogField("client", "ser\"vice"), LogField("count", -3), LogField("tls", false),
                LogField("took", .microseconds(1042)),
            ])
        #expect(text.hasSuffix("}\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["time"] as? String == "2026-01-02T03:04:05.678Z")
        #expect(object["level"] as? String == "info")
        #expect(object["message"] as? String == "token issued")
        #expect(object["client"] as? String == "ser\"vice")
        #expect(object["count"] as? Int == -3)
        #expect(object["tls"] as? Bool == false)
        #expect(object["took_ms"] as? Double == 1.042)
    }

    @Test func escapesWhatAMessageHolds() throws {
        let sink = MemoryLogSink()
        Logger(level: .debug, format: .json, sink: sink, clock: ManualClock(startingAt: Self.moment))
            .info("say \"x\"\nand C:\\ and é")
        let text = sink.lines.joined()
        #expect(text.dropLast().allSatisfy { $0 != "\n" })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "say \"x\"\nand C:\\ and é")
    }

    @Test func coloursOnlyWhereToldTo() {
        #expect(!line(.text(colour: false), [LogField("a", "b")]).contains("\u{1B}"))
        #expect(line(.text(colour: true), [LogField("a", "b")]).contains("\u{1B}[32minfo"))
        #expect(!line(.json, [LogField("a", "b")]).contains("\u{1B}"))
    }

    static let hostile = [
        "line\nfeed", "carriage\rreturn", "\u{1B}[31mred", "nul\u{0}", "del\u{7F}", "c1\u{9B}31m",
        "sep\u{2028}x\u{2029}",
        "override\u{202E}txt", "isolate\u{2066}x", "bom\u{FEFF}", "tag\u{E0041}", "tab\tx", "bell\u{7}", "mark\u{200F}",
    ]

    @Test(arguments: hostile, [LogFormat.text(colour: false), .json])
    func keepsAValueOnItsLineAndOffTheTerminal(value: String, format: LogFormat) {
        let text = line(format, [LogField("path", value), LogField("next", "x")])
        let body = text.dropLast()
        #expect(text.last == "\n")
        for scalar in body.unicodeScalars {
            #expect(scalar.value >= 0x20 && scalar.value < 0x7F, "\(scalar.value) stands in \(format)")
        }
    }

    @Test(arguments: hostile + ["plain", "", "quote\"", "back\\slash", "emoji 🦆", "한국어"])
    func readsBackFromJSONAsItWas(value: String) throws {
        let text = line(.json, [LogField("value", value)])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        // By scalars: strings are equal in Swift when they are canonically equivalent.
        #expect((object["value"] as? String).map { Array($0.unicodeScalars) } == Array(value.unicodeScalars))
    }

    /// Eight bytes are looked at together: each has to be seen in each of the eight places, and in those after the last eight. From
    /// 0x80 on it is a character of two.
    @Test(arguments: UInt8.min...0x9F)
    func looksAtEveryByte(_ byte: UInt8) throws {
        let character = String(Unicode.Scalar(byte))
        let quotes = byte <= 0x20 || byte >= 0x7F || character == "\"" || character == "="
        for before in 0..<12 {
            for after in [0, 1, 7, 8] {
                let value = String(repeating: "a", count: before) + character + String(repeating: "z", count: after)
                let text = line(.text(colour: false), [LogField("value", value)])
                #expect(text.contains("value=\"") == quotes)
                #expect(text.dropLast().utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
                let json = line(.json, [LogField("value", value)])
                #expect(json.dropLast().utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
                let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
                #expect(object?["value"] as? String == value)
            }
        }
    }

    @Test(arguments: ["", "a b", "a=b", "say \"x\"", "back\\slash \"", "a level=error"])
    func quotesWhatCouldBeTakenForAnotherField(value: String) {
        let text = line(.text(colour: false), [LogField("value", value)])
        #expect(text.contains("value=\""))
        #expect(text.hasSuffix("\"\n"))
    }

    @Test(arguments: [
        (Duration.zero, "0.000ms"), (.microseconds(5), "0.005ms"), (.seconds(2), "2000.000ms"),
        (.microseconds(-1500), "-1.500ms"), (.nanoseconds(999), "0.000ms"),
    ])
    func writesDurationsInMilliseconds(duration: Duration, expected: String) {
        #expect(line(.text(colour: false), [LogField("took", duration)]).contains("took=\(expected)\n"))
    }

    @Test func showsNothingOfASecret() {
        // LogField cannot be made from a Secret. Whoever interpolates one gets what it prints as.
        let secret = Secret(utf8: "correct horse")
        let text = line(.text(colour: false), [LogField("secret", "\(secret)")])
        #expect(text.contains("<redacted>"))
        #expect(!text.contains("correct"))
    }
}

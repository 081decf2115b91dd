import Primitives
import Testing

@Suite struct TextTests {
    private static let actors: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF,
        0xFFF9...0xFFFB, 0xE0000...0xE007F,
    ]

    @Test func charactersThatActOnTheDisplayAreThoseAndNoOther() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let expected = Self.actors.contains { $0.contains(value) }
            if scalar.actsOnDisplay != expected { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    /// Whatever Unicode calls a control or a control of direction is among them.
    @Test func noControlOfUnicodeIsMissing() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            if properties.generalCategory == .control || properties.isBidiControl, !scalar.actsOnDisplay {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func digitsAreThoseOfASCII() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(byte.isASCIIDigit == (character.isASCII && character.isNumber))
            #expect(byte.hexDigitValue.map(Int.init) == (character.isASCII ? character.hexDigitValue : nil))
        }
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.30.40"]) func isIPv4(text: String) {
        let isAddress = IPAddressText.isIPv4(text.utf8.span)
        #expect(isAddress)
    }

    @Test(arguments: [
        "", ".", "...", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "256.1.1.1", "1.2.3.1000",
        "01.2.3.4", "1.2.3.00", "0x1.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.-4", "+1.2.3.4", "1.2.3.٤", "127.1",
    ])
    func isNotIPv4(text: String) {
        let isAddress = IPAddressText.isIPv4(text.utf8.span)
        #expect(!isAddress)
    }

    @Test(arguments: [
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "fe80::1:2", "FE80::AbCd", "::ffff:127.0.0.1", "1:2:3:4:5:6:1.2.3.4",
        "1:2:3:4:5:6:7::",
    ])
    func isIPv6(text: String) {
        let isAddress = IPAddressText.isIPv6(text.utf8.span)
        #expect(isAddress)
    }

    @Test(arguments: [
        "", ":", ":::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%lo",
        "::1.2.3", "::1.2.3.256", "1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1 ", "[::1]", "1:2:3:4:5:6:7:8::",
    ])
    func isNotIPv6(text: String) {
        let isAddress = IPAddressText.isIPv6(text.utf8.span)
        #expect(!isAddress)
    }
}

import Primitives
import Testing

/// Texts and numbers at the end of bytes.
@Suite struct BytesTextTests {
    static let texts = [
        "", "a", "fifteen bytes.", "sixteen bytes...", "é", "\u{212A}id", "日本語", "a\u{0}b", "\u{FEFF}mark",
        String(repeating: "long and longer ", count: 1000),
    ]

    @Test(arguments: texts)
    func appendsATextByteForByte(text: String) {
        var bytes: [UInt8] = [1, 2]
        bytes.append(text)
        #expect(bytes == [1, 2] + Array(text.utf8))
    }

    @Test func appendsATextThatIsPartOfAnother() {
        let whole = "from here on, a text that is too long to be kept in place"
        var bytes: [UInt8] = []
        bytes.append(String(whole.dropFirst(5)))
        #expect(bytes == Array(whole.utf8.dropFirst(5)))
    }

    @Test func appendsLiterals() {
        var bytes: [UInt8] = []
        bytes.append("")
        bytes.append("a")
        bytes.append("\r\n")
        bytes.append("é")
        #expect(bytes == [0x61, 0x0D, 0x0A, 0xC3, 0xA9])
    }

    @Test func appendsBytesOfSomebodyElse() {
        let others: [UInt8] = [7, 8, 9]
        var bytes: [UInt8] = [1]
        bytes.append(others.span)
        bytes.append(others.span.extracting(1..<1))
        bytes.append(others.span.extracting(2..<3))
        #expect(bytes == [1, 7, 8, 9, 9])
    }

    @Test(arguments: [0, 1, 9, 10, 11, 99, 100, 65_535, Int.max])
    func appendsNumbers(number: Int) {
        var bytes: [UInt8] = []
        bytes.append(decimal: number)
        bytes.append("/")
        bytes.append(hexadecimal: number)
        #expect(bytes == Array("\(number)/\(String(number, radix: 16))".utf8))
    }

    @Test(arguments: [(0, "0000"), (7, "0007"), (999, "0999"), (1000, "1000"), (12_345, "12345")])
    func fillsNumbersUp(number: Int, text: String) {
        var bytes: [UInt8] = []
        bytes.append(decimal: number, digits: 4)
        #expect(bytes == Array(text.utf8))
    }

    @Test(arguments: ["", "a", "fifteen bytes..", "sixteen bytes ..", String(repeating: "x", count: 5000)])
    func makesATextOfWhatIsKnownToBeASCII(text: String) {
        let made = String(knownASCII: Array(text.utf8).span)
        #expect(made == text)
        #expect(Array(made.utf8) == Array(text.utf8))
        // As a key it is the same as any other text of these bytes.
        #expect(Set([text]).contains(made))
    }
}

import OAuth
import Testing

@Suite struct FormParametersTests {
    private func form(_ text: String, limits: FormLimits = .standard) throws -> FormParameters {
        try FormParameters(parsing: Array(text.utf8).span, limits: limits)
    }

    private func kind(_ bytes: [UInt8], limits: FormLimits = .standard) -> FormError.Kind? {
        do {
            _ = try FormParameters(parsing: bytes.span, limits: limits)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: [
        ("a=b", "b"), ("a=b+c", "b c"), ("a=b%20c", "b c"), ("a=b%2Bc", "b+c"), ("a=%c3%A9", "é"), ("a=é", "é"),
        ("a=b=c", "b=c"), ("a=%26%3d", "&="), ("%61=b", "b"), ("x=1&&a=b&", "b"), ("&a=b", "b"), ("a=b c", "b c"),
        ("a=%0A", "\n"), ("a=b%25", "b%"), ("a=100%2525", "100%25"), ("A=1&a=b", "b"),
    ])
    func decodes(text: String, value: String) throws {
        #expect(try form(text)["a"] == value)
    }

    /// RFC 6749 section 3.2: without a value is as if not sent.
    @Test(arguments: ["a=", "a", "b=a", "", "&", "A=1"])
    func aParameterWithoutValueIsAbsent(text: String) throws {
        #expect(try form(text)["a"] == nil)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%2&b=c", "a=%zz", "a=%2g", "a=%-1", "%=b", "a=%%41", "a=%u0041", "a=% 41"])
    func refusesBadPercentEncoding(text: String) {
        #expect(kind(Array(text.utf8)) == .badPercentEncoding)
    }

    @Test(arguments: ["a=b\u{0}", "a=b%00", "a=%00+", "a\u{0}=b", "a=b\n", "a=b\r\n", "\ta=b", "a=b\u{7F}", "a=+\u{1}"])
    func refusesControlCharacters(text: String) {
        #expect(kind(Array(text.utf8)) == .controlCharacter)
    }

    @Test(arguments: [
        Array("a=%FF".utf8), Array("a=%C3".utf8), Array("a=%C0%80".utf8), Array("a=%ED%A0%80".utf8),
        Array("a=".utf8) + [0xFF], Array("%FF=a".utf8), Array("a=%F5%80%80%80".utf8), Array("a=".utf8) + [0xC3],
    ])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        #expect(kind(bytes) == .invalidUTF8)
    }

    @Test(arguments: ["=b", "a=b&=c", "="])
    func refusesAParameterWithoutName(text: String) {
        #expect(kind(Array(text.utf8)) == .missingName)
    }

    @Test func refusesWhatIsOverItsLimits() throws {
        let limits = FormLimits(parameterCount: 2, nameByteCount: 3, valueByteCount: 4)
        #expect(try form("abc=1234&b=c", limits: limits)["abc"] == "1234")
        #expect(kind(Array("a=b&b=c&c=d".utf8), limits: limits) == .tooManyParameters(limit: 2))
        #expect(kind(Array("abcd=b".utf8), limits: limits) == .nameTooLong(limit: 3))
        #expect(kind(Array("abc=12345".utf8), limits: limits) == .valueTooLong(limit: 4))
        // What counts is what was sent, so that encoding cannot make work.
        #expect(kind(Array("abc=%31%32".utf8), limits: limits) == .valueTooLong(limit: 4))
    }

    @Test func saysWhereTheFaultIs() {
        #expect(throws: FormError(kind: .badPercentEncoding, offset: 7)) { try form("abc=def%2") }
        #expect(throws: FormError(kind: .controlCharacter, offset: 6)) { try form("abc=de\u{0}") }
    }

    @Test(arguments: [
        ("a=1&b=2&a=3", "a"), ("a=&a=", "a"), ("a=1&%61=1", "a"), ("b&a=1&b", "b"), ("unknown=1&unknown=1", "unknown"),
    ])
    func seesARepeatedName(text: String, name: String) throws {
        #expect(try form(text).firstRepeatedName == name)
    }

    @Test(arguments: ["", "a=1", "a=1&b=1&A=1", "a=1&aa=1"])
    func seesNoRepetitionWhereThereIsNone(text: String) throws {
        #expect(try form(text).firstRepeatedName == nil)
    }

    @Test func printsNoValue() throws {
        let form = try form("client_secret=hunter2")
        for text in ["\(form)", String(reflecting: form), String(describing: Mirror(reflecting: form).children.count)] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(form)".contains("client_secret"))
    }
}

import Primitives
import Testing

@Suite struct JSONReaderTests {
    private func fault(_ text: String, _ limits: JSONLimits = .standard) -> JSONError? {
        do {
            _ = try JSON(parsing: text, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsEveryKindOfValue() throws {
        let value = try JSON(
            parsing: #"{"s":"x","i":-7,"d":1.5e3,"t":true,"f":false,"n":null,"a":[1,"2"],"o":{"k":"v"}}"#)
        #expect(value["s"]?.string == "x")
        #expect(value["i"]?.int64 == -7)
        #expect(value["d"]?.double == 1500)
        #expect(value["t"]?.bool == true)
        #expect(value["f"]?.bool == false)
        #expect(value["n"] == .null)
        #expect(value["a"]?.array == [1, "2"])
        #expect(value["o"]?["k"]?.string == "v")
        #expect(value["missing"] == nil)
        #expect(value.object?.names == ["s", "i", "d", "t", "f", "n", "a", "o"])
    }

    @Test func unescapesEveryEscape() throws {
        let value = try JSON(parsing: #""a\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\udc3e\u0000ż""#)
        #expect(value == .string("a\"\\/\u{8}\u{C}\n\r\tAé€🐾\u{0}ż"))
    }

    @Test func findsTheEndOfStringsOfEveryLength() throws {
        for length in 0..<40 {
            let text = String(repeating: "x", count: length)
            #expect(try JSON(parsing: "[\"\(text)\",\"\(text)\\n\"]") == [.string(text), .string(text + "\n")])
        }
    }

    @Test func givesNoValueOfAnotherKind() {
        let text: JSON = "1"
        #expect(text.int64 == nil && text.double == nil && text.bool == nil && text.array == nil)
        #expect(text.object == nil && text.number == nil && text != .null && text["x"] == nil)
        #expect(JSON.null.string == nil)
        #expect((1 as JSON).string == nil)
    }

    @Test(arguments: [
        ("", 0, 1, 1), ("[", 1, 1, 2), ("[1,\n  x]", 6, 2, 3), ("\n\n\n{\"a\":1,\n\"a\":2}", 11, 5, 1),
        ("{\"żółw\": 🐾}", 12, 1, 10), ("[\"🐾\u{1}\"]", 6, 1, 4), ("{}\r\n{}", 4, 2, 1),
    ])
    func saysWhere(_ text: String, _ offset: Int, _ line: Int, _ column: Int) throws {
        let error = try #require(fault(text))
        #expect(error.offset == offset)
        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test func neverQuotesTheText() {
        for item in JSONCase.all {
            do { _ = try JSON(parsing: item.bytes.span) } catch {
                let kinds = "\(error.kind) at line \(error.line), column \(error.column) (byte \(error.offset))"
                #expect(error.description == kinds)
            }
        }
        #expect(fault(#"{"password":"hunter2","password":"hunter2"}"#)?.description.contains("password") == false)
        #expect(fault(#"["hunter2" hunter2]"#).map { "\($0)" }?.contains("hunter") == false)
    }

    @Test func holdsEachLimitExactly() {
        var limits = JSONLimits(bytes: 10)
        #expect(fault("[\"23456\"] ", limits) == nil)
        #expect(fault("[\"23456\"]  ", limits)?.kind == .tooManyBytes)

        limits = JSONLimits(depth: 2)
        #expect(fault("[[],{},[]]", limits) == nil)
        #expect(fault("[[[]]]", limits)?.kind == .tooDeep)
        #expect(fault("{\"a\":[{}]}", limits)?.kind == .tooDeep)
        #expect(fault("[]", JSONLimits(depth: 0))?.kind == .tooDeep)
        #expect(fault("1", JSONLimits(depth: 0)) == nil)

        limits = JSONLimits(stringBytes: 6)
        #expect(fault(#"{"123456":"\u0041"}"#, limits) == nil)
        #expect(fault(#""1234567""#, limits)?.kind == .stringTooLong)
        #expect(fault(#""1\u0041""#, limits)?.kind == .stringTooLong)
        #expect(fault(#"{"1234567":1}"#, limits)?.kind == .stringTooLong)

        limits = JSONLimits(numberDigits: 4)
        #expect(fault("[-123]", limits) == nil)
        #expect(fault("[-1234]", limits)?.kind == .numberTooLong)
        #expect(fault("[1e-10]", limits)?.kind == .numberTooLong)

        limits = JSONLimits(members: 2)
        #expect(fault(#"{"a":[1,2],"b":{"c":1,"d":2}}"#, limits) == nil)
        #expect(fault("[1,2,3]", limits)?.kind == .tooManyMembers)
        #expect(fault(#"{"a":1,"b":2,"c":3}"#, limits)?.kind == .tooManyMembers)
    }

    @Test func readsAsDeepAsAnyLimitAllows() throws {
        let limits = JSONLimits(depth: JSONLimits.greatestDepth)
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSON(parsing: text, limits: limits).text() == text)
        #expect(fault("[" + text + "]", limits)?.kind == .tooDeep)
    }

    @Test func noticesADuplicateAmongManyMembers() throws {
        for count in [2, 11, 12, 13, 14, 100, 5000] {
            let members = (0..<count).map { "\"name\($0)\":\($0)" }
            let object = try JSON(parsing: "{" + members.joined(separator: ",") + "}")
            #expect(object.object?.count == count)
            #expect(object["name\(count - 1)"]?.int64 == Int64(count - 1))
            for duplicate in [0, count / 2, count - 1] {
                let text = "{" + members.joined(separator: ",") + ",\"n\\u0061me\(duplicate)\":0}"
                #expect(fault(text)?.kind == .duplicateName)
            }
        }
    }

    @Test func readsASliceWithoutLookingBeyondIt() throws {
        let bytes = Array("[1,2,3]45\"".utf8)
        for end in 0..<7 {
            #expect(throws: JSONError.self) { try JSON(parsing: bytes.span.extracting(0..<end)) }
        }
        #expect(try JSON(parsing: bytes.span.extracting(0..<7)) == [1, 2, 3])
        #expect(try JSON(parsing: bytes.span.extracting(7..<9)) == 45)
    }
}

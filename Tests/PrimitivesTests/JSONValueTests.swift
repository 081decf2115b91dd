import Primitives
import Testing

@Suite struct JSONNumberTests {
    @Test func keepsTheLiteral() throws {
        for literal in ["0", "-0", "1.0", "1e2", "1E+02", "0.10", "1e9999", "123456789012345678901234567890"] {
            #expect(try JSON(parsing: literal).number?.literal == literal)
            #expect(try JSON(parsing: literal).text() == literal)
        }
    }

    @Test(arguments: ["1.0", "1e2", "-0.0", "9223372036854775808", "-9223372036854775809", "1e0"])
    func isNoIntegerUnlessWrittenAsOneThatFits(_ literal: String) throws {
        #expect(try JSON(parsing: literal).int64 == nil)
    }

    @Test func isAnIntegerWhenWrittenAsOne() throws {
        #expect(try JSON(parsing: "9223372036854775807").int64 == .max)
        #expect(try JSON(parsing: "-9223372036854775808").int64 == .min)
        #expect(try JSON(parsing: "-0").int64 == 0)
    }

    @Test func isNoDoubleBeyondTheRange() throws {
        #expect(try JSON(parsing: "1e400").double == nil)
        #expect(try JSON(parsing: "-1e400").double == nil)
        #expect(try JSON(parsing: "1e-400").double == 0)
        #expect(try JSON(parsing: "1.7976931348623157e308").double == .greatestFiniteMagnitude)
        #expect(try JSON(parsing: "12.5E-1").double == 1.25)
    }

    @Test func refusesWhatJSONCannotSay() {
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
    }

    @Test func writesDoublesThatReadBackTheSame() throws {
        let random = SeededRandom(seed: 20)
        for _ in 0..<5000 {
            let pattern = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let double = Double(bitPattern: pattern)
            guard let number = JSONNumber(double) else { continue }
            #expect(try JSON(parsing: JSON.number(number).text()).double == double)
        }
        for double in [0, -0.0, 1, 0.1, 1e22, 1e-7, .leastNonzeroMagnitude, .pi] {
            #expect(try JSON(parsing: JSON.number(#require(JSONNumber(double))).text()).double == double)
        }
    }
}

@Suite struct JSONObjectTests {
    @Test func keepsTheOrderOfItsMembers() {
        var object: JSONObject = ["b": 1, "a": 2]
        object["c"] = 3
        object["b"] = 4
        #expect(object.names == ["b", "a", "c"])
        object["b"] = nil
        object["missing"] = nil
        #expect(object.names == ["a", "c"])
        #expect(JSON.object(object).text() == #"{"a":2,"c":3}"#)
    }

    @Test func staysRightWhileItGrowsAndShrinks() {
        var object = JSONObject()
        for number in 0..<50 {
            let isNew = object.insert("m\(number)", .number(JSONNumber(Int64(number))))
            let isNewAgain = object.insert("m\(number / 2)", .null)
            #expect(isNew && !isNewAgain)
            for earlier in 0...number { #expect(object["m\(earlier)"]?.int64 == Int64(earlier)) }
        }
        for number in stride(from: 0, to: 50, by: 3) { object["m\(number)"] = nil }
        for number in 0..<50 { #expect(object["m\(number)"]?.int64 == (number % 3 == 0 ? nil : Int64(number))) }
        for number in 0..<48 { object["m\(number)"] = nil }
        #expect(object.names == ["m49"])
        #expect(!object.isEmpty)
    }

    @Test func isEqualWhateverTheOrder() throws {
        let left = try JSON(parsing: #"{"a":1,"b":{"c":[1,2],"d":null}}"#)
        let right = try JSON(parsing: #"{"b":{"d":null,"c":[1,2]},"a":1}"#)
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != (["a": 1, "b": ["c": [2, 1], "d": nil]] as JSON))
        #expect(left != (["a": 1] as JSON))
        #expect((["a": 1, "b": 2] as JSON) != (["a": 1, "c": 2] as JSON))
        #expect((["a": 1] as JSON) != (["a": 2] as JSON))
        #expect(([:] as JSON) != ([] as JSON))
        #expect((1 as JSON) != (1.0 as JSON))
    }

    @Test func tellsNamesApartByTheirBytes() throws {
        let object = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212A}id\":3}")
        #expect(object["\u{E9}"]?.int64 == 1)
        #expect(object["e\u{301}"]?.int64 == 2)
        #expect(object["Kid"] == nil)
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
        #expect(!sameText("Kid", "\u{212A}id"))
        #expect(ExactText("Kid") != ExactText("\u{212A}id"))
        #expect(sameText("Kid", "Kid") && !sameText("Kid", "kid") && !sameText("Kid", "Kidd") && sameText("", ""))
    }
}

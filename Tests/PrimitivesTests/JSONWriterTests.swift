import Primitives
import Testing

@Suite struct JSONWriterTests {
    @Test func setsCommasAndColonsByItself() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("sub", "alice")
        writer.member("n", -12)
        writer.member("ok", true)
        writer.name("list")
        writer.beginArray()
        writer.string("a")
        writer.integer(1)
        writer.bool(false)
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.beginArray()
        writer.endArray()
        writer.value(["x": 1, "y": [nil]])
        writer.endArray()
        writer.name(String("a\"b"))
        writer.null()
        writer.member("tree", ["k": "v"])
        writer.endObject()
        let text = String(decoding: writer.takeBytes(), as: UTF8.self)
        #expect(
            text
                == #"{"sub":"alice","n":-12,"ok":true,"list":["a",1,false,null,{},[],{"x":1,"y":[null]}],"a\"b":null,"tree":{"k":"v"}}"#
        )
        #expect(writer.takeBytes().isEmpty)
    }

    /// A text of any length stands between its neighbours, with their commas: one that is small, and one that needs more room
    /// than there is.
    @Test(arguments: [0, 1, 15, 16, 700, 5000])
    func writesWhatNeedsNoEscapeAsItIs(length: Int) {
        let token = String(repeating: "a", count: length)
        var writer = JSONWriter(reservingCapacity: 0)
        writer.beginObject()
        writer.member("first", plain: token)
        writer.member("n", 1)
        writer.member("second", plain: token)
        writer.endObject()
        #expect(writer.takeBytes() == Array("{\"first\":\"\(token)\",\"n\":1,\"second\":\"\(token)\"}".utf8))
    }

    @Test func continuesBehindWhatIsThere() {
        var writer = JSONWriter(appendingTo: Array("data: ".utf8))
        writer.beginArray()
        writer.endArray()
        #expect(writer.takeBytes() == Array("data: []".utf8))
    }

    @Test(arguments: [
        Int64.min, Int64.min + 1, -1_000_000_000_000_000_000, -999_999_999_999_999_999, -10, -9, -1, 0, 1, 9, 10, 11,
        99,
        100, 999_999_999_999_999_999, 1_000_000_000_000_000_000, Int64.max,
    ])
    func writesIntegersInFull(_ integer: Int64) {
        var writer = JSONWriter()
        writer.beginArray()
        writer.integer(integer)
        writer.integer(integer)
        writer.endArray()
        #expect(writer.takeBytes() == Array("[\(integer),\(integer)]".utf8))
        writer.beginObject()
        writer.member("i", integer)
        writer.endObject()
        #expect(writer.takeBytes() == Array("{\"i\":\(integer)}".utf8))
    }

    @Test func escapesEveryControlCharacterWhereverItStands() throws {
        for control in (UInt8(0)..<0x20) + [0x22, 0x5C, 0x7F] {
            for length in 0..<20 {
                for position in 0...length {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    bytes.insert(control, at: position)
                    let text = String(decoding: bytes, as: UTF8.self)
                    var writer = JSONWriter()
                    writer.string(text)
                    let written = writer.takeBytes()
                    #expect(!written.contains { $0 < 0x20 })
                    #expect(try JSON(parsing: written.span) == .string(text))
                    writer.beginObject()
                    writer.member("m", text)
                    writer.endObject()
                    #expect(try JSON(parsing: writer.takeBytes().span)["m"] == .string(text))
                }
            }
        }
    }

    @Test func usesTheShortEscapes() {
        #expect(JSON.string("\u{8}\u{9}\u{A}\u{C}\u{D}\"\\/\u{1}\u{1F}").text() == #""\b\t\n\f\r\"\\/\u0001\u001f""#)
    }

    @Test func leavesTextBeyondASCIIAsItIs() {
        #expect(JSON.string("żółć 🐾 \u{2028}\u{7F}").text() == "\"żółć 🐾 \u{2028}\u{7F}\"")
    }

    @Test func indentsForPeople() {
        let value: JSON = ["a": [1, 2], "b": [:], "c": [], "d": ["e": "f"]]
        #expect(
            value.text(pretty: true) == """
                {
                  "a": [
                    1,
                    2
                  ],
                  "b": {},
                  "c": [],
                  "d": {
                    "e": "f"
                  }
                }

                """
        )
    }
}

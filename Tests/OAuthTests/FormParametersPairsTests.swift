import OAuth
import Testing

@Suite struct FormParametersPairsTests {
    private func form(_ text: String) throws -> FormParameters { try FormParameters(parsing: Array(text.utf8).span) }

    /// RFC 8707 section 2 and RFC 8693 section 2.1 let a name come several times.
    @Test func givesEveryValueOfAName() throws {
        let form = try form("resource=a&x=1&resource=&resource=b&Resource=c&resource")
        #expect(form[values: "resource"] == ["a", "b"])
        #expect(form[values: "audience"].isEmpty)
        #expect(form["resource"] == "a")
    }

    @Test(arguments: [
        ("resource=a&resource=b&x=1&x=2", "x"), ("x=1&x=2&resource=a&resource=b", "x"), ("x&resource=a&x", "x"),
        ("Resource=a&Resource=b", "Resource"),
    ])
    func seesARepetitionAmongThoseThatMayRepeat(text: String, name: String) throws {
        #expect(try form(text).firstRepeatedName(except: ["resource", "audience"]) == name)
    }

    @Test(arguments: ["", "resource=a&resource=b", "resource=a&audience=b&resource=c&audience=d&x=1"])
    func someNamesMayRepeat(text: String) throws {
        #expect(try form(text).firstRepeatedName(except: ["resource", "audience"]) == nil)
    }

    /// Names are the same when their bytes are; to `String` the Kelvin sign is a K.
    @Test func comparesNamesByteByByte() throws {
        let form = try form("%E2%84%AA=1&K=2")
        #expect(form["K"] == "2")
        #expect(form[values: "K"] == ["2"])
        #expect(form.firstRepeatedName == nil)
        let kelvin = try self.form("%E2%84%AA=1&%E2%84%AA=2")
        #expect(kelvin.firstRepeatedName(except: ["K"]) == "\u{212A}")
        #expect(kelvin.firstRepeatedName(except: ["\u{212A}"]) == nil)
    }

    @Test func goesThroughThePairsInOrder() throws {
        let form = try form("b=1&a=&b=2&c")
        #expect(form.map(\.name) == ["b", "a", "b", "c"])
        #expect(form.map(\.value) == ["1", "", "2", ""])
        #expect(form.count == 4)
    }

    @Test func encodes() {
        let form = FormParameters([("a b", "c+d"), ("é", "&=%\n"), ("empty", ""), ("plain", "A-z_0.9~")])
        #expect(form.encoded == "a+b=c%2Bd&%C3%A9=%26%3D%25%0A&empty=&plain=A-z_0.9~")
        #expect(FormParameters().encoded == "")
    }

    @Test func whatIsEncodedReadsBack() throws {
        let every = String(String.UnicodeScalarView((1...0x7FF).compactMap(Unicode.Scalar.init)))
        let pairs: [(name: String, value: String)] = [("x", ""), ("x", every)]
        let read = try form(FormParameters(pairs).encoded)
        #expect(read.map(\.value.utf8.count) == [0, every.utf8.count])
        #expect(read[values: "x"].first?.utf8.elementsEqual(every.utf8) == true)
    }
}

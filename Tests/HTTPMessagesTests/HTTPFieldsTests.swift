import HTTPMessages
import Testing

@Suite("Fields")
struct HTTPFieldsTests {
    private let fields: HTTPFields = [.accept: "a", .setCookie: "x", .accept: "b", .setCookie: "y", .accept: "c"]

    @Test
    func keepTheirOrder() {
        #expect(fields.map(\.value) == ["a", "x", "b", "y", "c"])
        #expect(fields.count == 5)
    }

    /// RFC 9110 section 5.3.
    @Test
    func joinTheValuesOfAName() {
        #expect(fields[.accept] == "a, b, c")
        #expect(fields[.host] == nil)
        #expect(fields[values: .setCookie] == ["x", "y"])
        #expect(fields[values: .host].isEmpty)
        #expect(fields.contains(.setCookie))
        #expect(!fields.contains(.host))
    }

    @Test
    func areReplacedWhereTheFirstOneStood() {
        var fields = fields
        fields[.setCookie] = "z"
        #expect(fields.map(\.value) == ["a", "z", "b", "c"])
        fields[values: .accept] = ["1", "2"]
        #expect(fields.map(\.value) == ["1", "2", "z"])
        fields[.accept] = nil
        #expect(fields.map(\.value) == ["z"])
        fields[.host] = "h"
        #expect(fields.map(\.value) == ["z", "h"])
        fields[.allow] = nil
        #expect(fields.count == 2)
    }

    @Test
    func areSeveralOfANameOrNot() throws {
        let fields: HTTPFields = [.setCookie: "a", .accept: "1", .setCookie: "", .host: ""]
        #expect(fields.has(severalOf: .setCookie))
        #expect(!fields.has(severalOf: .accept))
        #expect(!fields.has(severalOf: .host))
        #expect(!fields.has(severalOf: .allow))
        #expect(!HTTPFields().has(severalOf: .accept))
    }

    @Test
    func areTheSameWhenNamesAndValuesAre() throws {
        let name = try #require(HTTPField.Name("ACCEPT"))
        #expect(HTTPFields([HTTPField(name: name, value: "a")]) == [.accept: "a"])
        #expect(HTTPFields([HTTPField(name: name, value: "A")]) != [.accept: "a"])
        #expect(([.accept: "a", .host: "b"] as HTTPFields) != [.host: "b", .accept: "a"])
    }
}

import IdentityProvider
import Primitives
import Testing

@Suite struct HostileConfigurationTests {
    @Test(arguments: [
        ("", "c:1:1: no JSON: text ends too early"), ("{", "c:1:2: no JSON: text ends too early"),
        (#"{"users":[],"users":[]}"#, "c:1:13: users: is there twice in one object"),
        (#"{"users":[{"username":"a","username":"b"}]}"#, "c:1:27: users[0].username: is there twice in one object"),
        (
            #"{"lifetimes":{"login":"1h"},"clients":[{},{"client_id":"a","jwks":{"keys":[1,{"kty":"a","\u006bty":2}]}}]}"#,
            "c:1:89: clients[1].jwks.keys[1].kty: is there twice in one object"
        ),
        ("{}{}", "no JSON: bytes after the value"), ("// a comment\n{}", "c:1:1: no JSON"),
        (#"{"users":[],}"#, "c:1:13: no JSON"), ("\u{FEFF}{}", "byte order mark"), ("nul", "no JSON"),
        ("[]", "c:1:1: the whole document: must be an object"), ("null", "must be an object"),
        (#""text""#, "must be an object"), ("1", "must be an object"),
        (String(repeating: "[", count: 100_000), "nested too deep"),
        (#"{"metadata":"# + String(repeating: #"{"a":"#, count: 40), "nested too deep"),
    ])
    func refusesWhatIsNoDocument(text: String, says: String) throws {
        let lines = try ConfigurationUnderTest.errors(text)
        #expect(lines.count == 1)
        #expect(lines[0].contains(says), "\(lines)")
    }

    @Test func refusesBytesThatAreNoText() throws {
        let bytes = Array(#"{"issuer":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(try ConfigurationUnderTest.errors(bytes) == ["c:1:12: no JSON: malformed UTF-8"])
    }

    @Test func refusesAFileThatIsTooLong() throws {
        let padding = String(repeating: " ", count: ConfigurationReader.limits.bytes)
        #expect(try ConfigurationUnderTest.errors("{\(padding)}").first?.contains("text too long") == true)
    }

    @Test func refusesMoreUsersThanThereMayBe() throws {
        let users = (0...10_000).map { #"{"username":"u\#($0)"}"# }
        #expect(try ConfigurationUnderTest.errors(#"{"users":[\#(users.joined(separator: ","))]}"#).count == 1)
        let fewer = users.dropLast().joined(separator: ",")
        #expect(try ConfigurationUnderTest.errors(#"{"users":[\#(fewer)]}"#).isEmpty)
    }

    @Test func refusesMoreTenantsThanThereMayBe() throws {
        let tenants = (0...1000).map { #""t\#($0)":{}"# }.joined(separator: ",")
        let lines = try ConfigurationUnderTest.errors(#"{"tenants":{\#(tenants)}}"#)
        #expect(lines == ["c:1:12: tenants: has more than 1000 members"])
    }

    @Test func tellsAHundredMistakesAndCountsTheRest() throws {
        let users = (0..<5000).map { _ in #"{"nobody":1}"# }.joined(separator: ",")
        let lines = try ConfigurationUnderTest.errors(#"{"users":[\#(users)]}"#)
        #expect(lines.count == 101)
        #expect(lines.last == "c: and 9900 more")
    }

    @Test func namesOfAnyLengthMakeShortMessages() throws {
        let name = String(repeating: "a", count: 200_000)
        let lines = try ConfigurationUnderTest.errors(#"{"\#(name)":1,"tenants":{"\#(name)":{"x":1}}}"#)
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.utf8.count < 500 })
    }

    /// Names that look alike are not the same.
    @Test func comparesNamesByteByByte() throws {
        #expect(try ConfigurationUnderTest.errors(#"{"tenants":{"\u0065\u0301":{}}}"#).count == 1)
        #expect(try ConfigurationUnderTest.errors(#"{"r\u006ftation":"reuse"}"#).isEmpty)
        let users = #"[{"username":"\u00e9","id":"1"},{"username":"e\u0301","id":"2"}]"#
        #expect(try ConfigurationUnderTest.errors(#"{"users":\#(users)}"#).isEmpty)
    }
}

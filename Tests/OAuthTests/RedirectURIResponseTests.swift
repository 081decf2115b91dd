import OAuth
import Testing

@Suite struct RedirectURIResponseTests {
    private let code: [(name: String, value: String)] = [("code", "a b"), ("state", "x&y=z#/?+%é\"\n")]
    private let encoded = "code=a%20b&state=x%26y%3Dz%23%2F%3F%2B%25%C3%A9%22%0A"

    /// RFC 6749 section 3.1.2: the query that is there MUST be retained.
    @Test(arguments: [
        ("https://app.example/cb", "https://app.example/cb?"), ("https://app.example", "https://app.example?"),
        ("https://app.example/cb?", "https://app.example/cb?"),
        ("https://app.example/cb?x=%20&y", "https://app.example/cb?x=%20&y&"),
        ("https://app.example/cb?x=1&", "https://app.example/cb?x=1&"), ("com.example.app:/cb", "com.example.app:/cb?"),
        ("https://app.example/cb?a?b", "https://app.example/cb?a?b&"),
    ])
    func addsToTheQuery(text: String, beginning: String) throws {
        #expect(try RedirectURI(text).appending(query: code) == beginning + encoded)
    }

    @Test(arguments: ["https://app.example/cb", "https://app.example/cb?x=1", "com.example.app:/cb"])
    func addsAFragment(text: String) throws {
        #expect(try RedirectURI(text).appending(fragment: code) == text + "#" + encoded)
    }

    @Test func addsNothingWhereThereIsNothing() throws {
        #expect(try RedirectURI("https://app.example/cb").appending(query: []) == "https://app.example/cb")
    }

    /// Whatever a value holds, it ends neither the parameter nor the header.
    @Test func everyByteSurvives() throws {
        let every = String(String.UnicodeScalarView((1...0x17F).compactMap(Unicode.Scalar.init)))
        let uri = try RedirectURI("https://app.example/cb").appending(query: [("state", every)])
        #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(uri.utf8.count { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") } == 0)
        let query = Array(uri.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        let read = try FormParameters(parsing: query.span)["state"]
        #expect(read?.utf8.elementsEqual(every.utf8) == true)
    }

    @Test(arguments: [
        ("https://App.Example:443/cb", "https://app.example", "https://app.example"),
        ("https://app.example:8443/cb?x", "https://app.example:8443", "https://app.example:8443"),
        ("http://localhost:80", "http://localhost", "http://localhost"),
        ("http://127.0.0.1:3000/cb", "http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("http://[::1]:3000/cb", "http://[::1]:3000", "http:"),
    ])
    func hasAnOrigin(text: String, origin: String, source: String) throws {
        let uri = try RedirectURI(text)
        #expect(uri.origin == origin)
        #expect(uri.contentSecuritySource == source)
    }

    @Test func anAppHasASchemeAndNoOrigin() throws {
        let uri = try RedirectURI("Com.Example.App://cb;x,y")
        #expect(uri.origin == nil)
        #expect(uri.contentSecuritySource == "com.example.app:")
    }
}

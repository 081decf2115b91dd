import OAuth
import Testing

@Suite struct TargetURLTests {
    /// RFC 3986 sections 6.2.2 and 6.2.3.
    @Test(arguments: [
        "https://id.example/token", "HTTPS://id.example/token", "https://ID.Example/token",
        "https://id.example:443/token", "https://id.example/%74%6Fken", "https://id.example/./token",
        "https://id.example/a/../token", "https://id.example/../token", "https://id.example/token?a=b",
        "https://id.example/token#c", "https://id.example/token?a#c?d",
    ])
    func theSameIsTheSame(text: String) throws {
        #expect(TargetURL(text) == TargetURL("https://id.example/token"))
    }

    @Test(arguments: [
        "http://id.example/token", "https://id.example:444/token", "https://id.example/token/", "https://id.example/",
        "https://id.example/Token", "https://id.example/to%2Fken", "https://id.example//token",
        "https://id.example.evil.example/token", "https://id.example/token;a", "https://id.example/a/token",
    ])
    func anotherIsAnother(text: String) throws {
        let url = try #require(TargetURL(text))
        #expect(url != TargetURL("https://id.example/token"))
    }

    @Test(arguments: [
        "", "token", "/token", "//id.example/token", "https:", "https://", "https:/id.example", "ftp://id.example/",
        "https://user@id.example/", "https://id.example:0/", "https://id.example:port/", "https://id example/",
        "https://id.example/a b", "https://id.example/%4", "https://id.example/\u{E9}", "urn:example:a",
        "https://id.example\\token", "javascript://id.example/%0Aalert(1)",
    ])
    func whatIsNoPlainURLIsNone(text: String) {
        #expect(TargetURL(text) == nil)
    }

    @Test func keepsWhatARequestNeeds() throws {
        let url = try #require(TargetURL("HTTP://Client.Example:8080/a/../b%2f?x=%2F#y"))
        #expect(url.scheme == "http")
        #expect(url.authority == "client.example:8080")
        #expect(url.pathAndQuery == "/a/../b%2f?x=%2F")
        #expect(url.path == "/b%2F")
        #expect(TargetURL("https://a")?.pathAndQuery == "/")
        #expect(TargetURL("https://[::1]:8443/x")?.authority == "[::1]:8443")
        #expect(TargetURL("https://a/" + String(repeating: "x", count: 2048)) == nil)
    }
}

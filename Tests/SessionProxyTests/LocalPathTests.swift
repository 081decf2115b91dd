import SessionProxy
import Testing

/// Where a browser may be sent after a login.
@Suite struct LocalPathTests {
    @Test(arguments: [
        "/", "/orders", "/orders?page=2&to=//x", "/a/b/", "/%C3%A9", "/100%25", "/a%2Fb", "/?q=%0A", "/...",
        "/.well-known/x",
        "/a//b", "/@evil.example", "/a;b=c", "/100%",
    ])
    func takesPathsOfThisOrigin(_ text: String) {
        #expect(LocalPath(text)?.text == text)
    }

    @Test(arguments: [
        // Another host, for a browser.
        "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "\\/evil.example",
        "https://evil.example", "https:evil.example", "javascript:alert(1)", "evil.example", "", "?x", "#x",
        // For whoever decodes it first, once or several times.
        "/%2Fevil.example", "/%2f/evil.example", "/%5Cevil.example", "/%5cevil.example", "/%252Fevil.example",
        "/%25252Fevil.example", "/%2525252525252Fevil.example", "/a%5C..%5C",
        // What browsers drop before they read, and what ends a header field.
        "/\t/evil.example", "/\n/evil.example", "/\r/evil.example", "/a\r\nSet-Cookie: x=y", "/%09/evil.example",
        "/%0D%0ASet-Cookie:x=y", "/%0d%0aLocation:x", "/%00", " //evil.example", "/a b", "/\u{7F}",
        // What browsers resolve.
        "/..//evil.example", "/.//evil.example", "/a/../../b", "/%2e%2e/x", "/%2E/x", "/a/.%2e", "/..", "/..;/x",
        "/%2e%2e;a/x", "/a/..%3b/x",
        "/.;x",
        // What has no place in a URL.
        "/a#b", "/<script>", "/\"onload=", "/é", "/a`", "/a{b}", "/a|b", "/a^b", "/\u{2028}",
    ])
    func refusesWhateverLeadsElsewhere(_ text: String) {
        #expect(LocalPath(text) == nil)
    }

    @Test func isBoundedForItStandsInACookie() {
        #expect(LocalPath("/" + String(repeating: "a", count: LocalPath.maximumByteCount - 1)) != nil)
        #expect(LocalPath("/" + String(repeating: "a", count: LocalPath.maximumByteCount)) == nil)
    }
}

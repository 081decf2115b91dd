import Cookies
import Testing

/// RFC 6265bis sections 5.1.2 to 5.1.4: hosts, domains, paths.
@Suite struct MatchingTests {
    @Test(arguments: [
        ("app.example", "app.example"), ("a.app.example", "app.example"), ("a.b.app.example", "app.example"),
        ("APP.Example", "app.example"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"), ("localhost", "localhost"),
    ])
    func matches(_ host: String, _ domain: String) throws {
        #expect(try #require(CookieHost(host)).matches(domain: domain))
    }

    @Test(arguments: [
        ("app.example", "a.app.example"), ("xapp.example", "app.example"), ("app.example", "app"), ("app.example", ""),
        ("app.example", ".app.example"), ("1.127.0.0.1", "127.0.0.1x"), ("10.0.0.1", "0.0.1"), ("10.0.0.1", "0.1"),
        ("app.example.", "app.example"),
    ])
    func doesNotMatch(_ host: String, _ domain: String) throws {
        #expect(!(try #require(CookieHost(host)).matches(domain: domain)))
    }

    @Test(arguments: [
        "", "a b", "a/b", "a:80", "bücher.example", "a;b", "a,b", "a@b", "a%2Fb", "a\u{00}b", "a\\b", "[::1",
    ])
    func isNoHost(_ text: String) {
        #expect(CookieHost(text) == nil)
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/b", "/a"), ("/a/b", "/a/"), ("/a/b", "/"), ("/", "/"), ("/a//b", "/a/"),
    ])
    func isBelow(_ path: String, _ cookiePath: String) {
        #expect(CookiePath.matches(path, cookiePath: cookiePath))
    }

    @Test(arguments: [("/ab", "/a"), ("/a", "/a/"), ("/a", "/a/b"), ("/A", "/a"), ("/", "/a"), ("/%61", "/a")])
    func isNotBelow(_ path: String, _ cookiePath: String) {
        #expect(!CookiePath.matches(path, cookiePath: cookiePath))
    }

    @Test(arguments: [
        ("/a/b", "/a"), ("/a/", "/a"), ("/a", "/"), ("/", "/"), ("", "/"), ("a/b", "/"), ("/a/b/", "/a/b"),
    ])
    func hasItsDefaultPath(_ path: String, _ expected: String) {
        #expect(CookiePath.defaultPath(of: path) == expected)
    }

    @Test(arguments: [
        ("https://app.example", true, "app.example", "/"),
        ("http://App.Example:8080/a/b?c=/d#e", false, "app.example", "/a/b"),
        ("WSS://u:p@app.example/x", true, "app.example", "/x"), ("https://[::1]:443/", true, "[::1]", "/"),
        ("https://app.example?x=/y", true, "app.example", "/"),
    ])
    func readsAURL(_ text: String, _ isEncrypted: Bool, _ host: String, _ path: String) throws {
        let url = try #require(CookieURL(text))
        #expect(url.isEncrypted == isEncrypted && url.host.text == host && url.path == path)
    }

    @Test(arguments: [
        "", "app.example", "//app.example/", "ftp://app.example/", "https:/app.example", "https://", "https:///a",
        "https://app.example:x/", "https://a b/", "javascript:alert(1)", "https://app.example/a b",
        "https://app.example/\u{01}", "https://app.example/?a\n", "https://app.example\\@evil.example/",
    ])
    func isNoURL(_ text: String) {
        #expect(CookieURL(text) == nil)
    }
}

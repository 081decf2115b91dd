import OAuth
import SessionProxy
import Testing

@Suite struct ConfigurationTests {
    private func configuration(_ origin: String, cookie: String = "pawl_session") throws -> ProxyConfiguration {
        try ProxyConfiguration(
            origin: try #require(PublicOrigin(origin)), upstream: try #require(UpstreamAddress("http://127.0.0.1:1")),
            scope: Scope(parsing: "openid"), cookieName: cookie)
    }

    @Test(arguments: [
        "https://app.example", "https://app.example:8443", "http://127.0.0.1:8090", "http://localhost:1",
        "http://[::1]:8090",
    ])
    func servesBrowsersThroughTLSOrOnThisMachine(_ origin: String) throws {
        #expect(try configuration(origin).origin.text == origin)
        #expect(try configuration(origin).redirectURI.text == origin + "/_session/callback")
    }

    /// RFC 6265 section 8.3: a session in the clear is anybody's.
    @Test(arguments: [
        "http://app.example", "http://192.0.2.1:80", "http://127.0.0.1.evil.example", "http://localhost.example",
    ])
    func refusesToServeOthersInTheClear(_ origin: String) {
        #expect(throws: ProxyConfigurationError.notEncrypted) { try configuration(origin) }
    }

    @Test(arguments: [
        "app.example", "https://app.example/path", "https://app.example?x", "https://app.example/#x",
        "ftp://app.example",
        "https://user@app.example", "https://", "",
    ])
    func refusesWhatIsNoOrigin(_ text: String) {
        #expect(PublicOrigin(text) == nil)
    }

    @Test(arguments: ["", "a b", "a;b", "a=b", "__Host-x", "__HOST-x", "__Secure-x", "é", "a\r\nb"])
    func refusesWhatIsNoCookieName(_ name: String) {
        #expect(throws: ProxyConfigurationError.badCookieName) {
            try configuration("https://app.example", cookie: name)
        }
    }

    @Test(arguments: ["/s", "/s/login", "/s/logout", "/s/handover", "/s/health"])
    func refusesACallbackThatWouldHideAnotherPath(_ path: String) {
        #expect(throws: ProxyConfigurationError.badPath) { try ProxyPaths(session: "/s", callback: path) }
    }

    @Test(arguments: ["", "/", "_session", "/a/", "//a", "/a/../b", "/a?b", "/a#b", "/a%2Fb", "/a b"])
    func refusesWhatIsNoPathOfItsOwn(_ path: String) {
        #expect(throws: ProxyConfigurationError.badPath) { try ProxyPaths(session: path) }
        #expect(throws: ProxyConfigurationError.badPath) { try ProxyPaths(session: "/a", callback: path) }
    }

    @Test(arguments: [
        "", "127.0.0.1:3000", "ftp://127.0.0.1", "http://a?b", "http://a#b", "http://a/../b", "http://u:p@a",
        "http://a/%2e%2e",
    ])
    func refusesWhatIsNoUpstream(_ text: String) {
        #expect(UpstreamAddress(text) == nil)
    }

    /// RFC 6265bis section 4.1.3.2, and RFC 6265 section 8.5: cookies do not tell ports apart.
    @Test func theNameOfTheCookieSaysWhoMaySetIt() throws {
        #expect(try World().proxy.cookieName == "__Host-pawl_session")
        #expect(try World(origin: "http://127.0.0.1:8090").proxy.cookieName == "pawl_session_8090")
    }
}

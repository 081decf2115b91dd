import OAuth
import Testing

@Suite struct RedirectURITests {
    @Test(arguments: [
        ("https://app.example/cb", RedirectURI.Kind.https), ("https://app.example", .https),
        ("https://app.example/cb?x=1&y=%20", .https), ("HTTPS://App.Example/CB", .https),
        ("https://app.example:8443/a//b/", .https), ("https://app.example/a%2fb", .https),
        ("https://app.example/cb?next=/../x", .https), ("https://app.example/.well-known/cb", .https),
        ("https://app.example/...", .https), ("https://127.0.0.1/cb", .https), ("http://app.example/cb", .http),
        ("http://127.0.0.2/cb", .http), ("http://localhost.example/cb", .http), ("http://localhost./cb", .http),
        ("http://[::2]/", .http), ("http://127.0.0.1.example/cb", .http), ("http://127.0.0.1/cb", .loopback),
        ("http://127.0.0.1:49152/cb", .loopback), ("http://[::1]/cb", .loopback), ("http://[::1]:1/cb", .loopback),
        ("http://localhost:3000/cb", .loopback), ("http://LOCALHOST/cb", .loopback), ("http://localhost", .loopback),
        ("com.example.app:/cb", .privateUse), ("com.example.app://cb", .privateUse),
        ("com.example.app:cb", .privateUse), ("Com.Example.App:/cb?x=1", .privateUse),
    ])
    func knowsItsKind(text: String, kind: RedirectURI.Kind) throws {
        let uri = try RedirectURI(text)
        #expect(uri.kind == kind)
        #expect(uri.text == text)
    }

    /// RFC 6749 section 3.1.2: absolute, and without a fragment.
    @Test(arguments: [
        ("", URIError.relative), ("/cb", .relative), ("//app.example/cb", .relative), ("app.example/cb", .relative),
        (":/cb", .relative), ("1.a:/cb", .relative), ("ht tp://a/", .relative), (" https://app.example/", .relative),
        ("\u{FEFF}https://app.example/", .relative), ("https\u{0}://app.example/", .relative),
        ("https://app.example/cb#", .hasFragment), ("https://app.example/#x", .hasFragment),
        ("com.example.app:/cb#x", .hasFragment), ("https://app.example/cb?x#y", .hasFragment),
        ("https://app.example/c b", .forbiddenCharacter), ("https://app.example/cb\n", .forbiddenCharacter),
        ("https://app.example/\r\nSet-Cookie:x", .forbiddenCharacter), ("https://app.example/\t", .forbiddenCharacter),
        ("https://app.example/\u{0}", .forbiddenCharacter), ("https://app.example/é", .forbiddenCharacter),
        ("https://äpp.example/", .forbiddenCharacter), ("https://app.example\\@evil.example/", .forbiddenCharacter),
        ("https:\\\\evil.example/", .forbiddenCharacter), ("https://app.example/\\..\\x", .forbiddenCharacter),
        ("https://app.example/\"", .forbiddenCharacter), ("https://app.example/<x>", .forbiddenCharacter),
        ("https://app.example/{x}", .forbiddenCharacter), ("https://app.example/|", .forbiddenCharacter),
        ("https://app.example/^`", .forbiddenCharacter), ("https://app.example/[x]", .forbiddenCharacter),
        ("https://app.example/?a[]=1", .forbiddenCharacter), ("https://app.example/\u{7F}", .forbiddenCharacter),
        ("https://app.example/%", .badPercentEncoding), ("https://app.example/%2", .badPercentEncoding),
        ("https://app.example/%zz", .badPercentEncoding), ("https://app.example/?%u0041", .badPercentEncoding),
    ])
    func refusesWhatIsMalformed(text: String, error: URIError) {
        #expect(throws: RedirectURIError.malformed(error)) { try RedirectURI(text) }
    }

    @Test(arguments: [
        ("https:", RedirectURIError.missingAuthority), ("https:/app.example/cb", .missingAuthority),
        ("https:app.example", .missingAuthority), ("https:///cb", .missingAuthority), ("http://", .missingAuthority),
        ("https://?x", .missingAuthority), ("https://user@app.example/", .hasUserInformation),
        ("https://app.example@evil.example/", .hasUserInformation), ("https://a:b@app.example/", .hasUserInformation),
        ("https://@app.example/", .hasUserInformation), ("http://127.0.0.1:80@evil.example/", .hasUserInformation),
        ("com.example.app://user@host/", .hasUserInformation),
        ("https://app.example:/", .badAuthority), ("https://app.example:0/", .badAuthority),
        ("https://app.example:65536/", .badAuthority), ("https://app.example:80:80/", .badAuthority),
        ("https://:443/", .badAuthority), ("https://app%2eexample/", .badAuthority), ("https://a,b/", .badAuthority),
        ("https://[::1/", .badAuthority), ("https://::1/", .badAuthority), ("https://[x]/", .badAuthority),
        ("http://127.1/cb", .badAuthority), ("http://0x7f.0.0.1/cb", .badAuthority),
        ("http://2130706433/cb", .badAuthority), ("http://0177.0.0.1/cb", .badAuthority),
        ("http://127.0.0.1./cb", .badAuthority), ("http://127.0.0.0x1/cb", .badAuthority),
        ("http://app.example.0X/cb", .badAuthority), ("http://./cb", .badAuthority),
        ("https://app.example/cb/../x", .hasDotSegment), ("https://app.example/./cb", .hasDotSegment),
        ("https://app.example/cb/%2e%2e/x", .hasDotSegment), ("https://app.example/cb/.%2E", .hasDotSegment),
        ("https://app.example/%2e", .hasDotSegment), ("https://app.example/..", .hasDotSegment),
        ("com.example.app:/../x", .hasDotSegment), ("com.example.app:..", .hasDotSegment),
    ])
    func refusesWhatLeadsElsewhere(text: String, error: RedirectURIError) {
        #expect(throws: error) { try RedirectURI(text) }
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "javascript://app.example/%0aalert(1)", "data:text/html,x",
        "vbscript:x", "file:///etc/passwd", "about:blank", "blob:https://app.example/x", "filesystem:x",
        "view-source:https://app.example/", "ws://app.example/", "wss://app.example/", "mailto:a@app.example",
        "urn:ietf:wg:oauth:2.0:oob", "intent://x",
    ])
    func refusesSchemesThatRunOrShowWhatTheyCarry(text: String) {
        #expect(throws: RedirectURIError.forbiddenScheme) { try RedirectURI(text) }
    }

    /// RFC 8252 section 7.1.
    @Test(arguments: ["myapp:/cb", "myapp://cb", "httpx://app.example/", "j:x", "chrome-extension://abc/"])
    func tellsAPrivateUseSchemeWithoutAPeriod(text: String) throws {
        let uri = try RedirectURI(text)
        #expect(uri.kind == .privateUse)
        #expect(!uri.hasReverseDomainScheme)
        #expect(try RedirectURI("com.example.app:/cb").hasReverseDomainScheme)
    }

    @Test func refusesWhatIsTooLong() throws {
        let prefix = "https://app.example/"
        let longest = prefix + String(repeating: "a", count: RedirectURI.maximumByteCount - prefix.utf8.count)
        #expect(try RedirectURI(longest).text == longest)
        #expect(throws: RedirectURIError.malformed(.tooLong(limit: RedirectURI.maximumByteCount))) {
            try RedirectURI(longest + "a")
        }
    }

    @Test func noRefusalSaysWhatItWas() {
        for text in ["https://hunter2@x/", "1hunter2:x", "https://x/ hunter2", "https://hunter2:0/"] {
            let error = #expect(throws: RedirectURIError.self) { try RedirectURI(text) }
            #expect(error.map { "\($0)".contains("hunter2") } == false)
        }
    }
}

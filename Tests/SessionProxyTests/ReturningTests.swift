import HTTPMessages
import Primitives
import SessionProxy
import Testing

/// What becomes of an answer on its way to the browser.
@Suite struct ReturningTests {
    private func returned(
        _ fields: HTTPFields, status: HTTPResponse.Status = .ok, upstream: String = "http://127.0.0.1:3000"
    ) async throws -> Answer {
        let world = try World(upstream: upstream)
        let browser = try await world.signedIn()
        world.shop.answers { _, _ in Shop.answer(status, "goods", fields) }
        return await browser.get("/x")
    }

    @Test func passesTheAnswerOn() async throws {
        let answer = try await returned(
            [.contentType: "text/plain", HTTPField.Name("X-Own")!: "1"],
            status: HTTPResponse.Status(code: 418, reasonPhrase: ""))
        #expect(answer.status == 418 && answer.text == "goods")
        #expect(answer["Content-Type"] == "text/plain" && answer["X-Own"] == "1")
    }

    /// RFC 9110 section 7.6.1.
    @Test func whatIsAboutOneConnectionStaysThere() async throws {
        let answer = try await returned([
            .connection: "close, X-Hop", HTTPField.Name("X-Hop")!: "1", .keepAlive: "timeout=5",
            .transferEncoding: "chunked",
            HTTPField.Name("Proxy-Authenticate")!: "Basic", HTTPField.Name("Alt-Svc")!: "h3=\":443\"", .upgrade: "h2c",
        ])
        for name in [
            "Connection", "X-Hop", "Keep-Alive", "Transfer-Encoding", "Proxy-Authenticate", "Alt-Svc", "Upgrade",
        ] {
            #expect(answer[name] == nil, "\(name)")
        }
    }

    @Test(arguments: [
        "__Host-pawl_session=evil; Path=/; Secure", "__host-pawl_session=evil",
        "__HOST-PAWL_SESSION=evil; Path=/; Secure",
        " __Host-pawl_session =evil", "__Host-pawl_session_login_x=evil", "__Host-pawl_session_out=",
        "__Host-pawl_session",
        "=__Host-pawl_session=evil", " = __Host-pawl_session=evil", "__Host-pawl_session=; Max-Age=0",
        "a\u{1}=b",
    ])
    func theUpstreamSetsNoCookieInTheProxysPlace(_ cookie: String) async throws {
        #expect(try await returned([.setCookie: cookie])["Set-Cookie"] == nil)
    }

    @Test func otherCookiesOfTheUpstreamAreTheBrowsers() async throws {
        var fields: HTTPFields = [:]
        for value in ["theme=dark; Path=/", "pawl_session=x", "__Host-pawl_session=evil", "lang=de"] {
            fields.append(name: .setCookie, value: value)
        }
        let answer = try await returned(fields)
        #expect(answer.head.headerFields[values: .setCookie] == ["theme=dark; Path=/", "pawl_session=x", "lang=de"])
    }

    /// RFC 6265bis section 5.1.4: browsers go by the paths that they ask for, and know of none of the upstream's own.
    @Test(
        arguments: [
            ("a=b; Path=/base", "a=b; Path=/"), ("a=b; Path=/base/", "a=b; Path=/"),
            ("a=b; Path=/base/shop", "a=b; Path=/shop"), ("a=b;path = /base/shop/ ;Secure", "a=b; Path=/shop/;Secure"),
            ("a=b; PATH=/base/a; HttpOnly", "a=b; Path=/a; HttpOnly"), ("a=b; Path=/base//x", "a=b; Path=//x"),
            // The last counts.
            ("a=b; Path=/other; Path=/base/a", "a=b; Path=/other; Path=/a"),
            ("a=b; Path=/base/a; Path=other", "a=b; Path=/base/a; Path=other"),
            // What is above it matches all that is below, and what is there already stays.
            ("a=b; Path=/", "a=b; Path=/"), ("a=b", "a=b"), ("a=b; Path", "a=b; Path"), ("a=b; Path=", "a=b; Path="),
            ("Path=/base; x", "Path=/base; x"),
            // RFC 6265bis section 4.1.3.2: what browsers refuse is not mended.
            ("__Host-a=b; Secure; Path=/base", "__Host-a=b; Secure; Path=/base"),
            ("__hOST-a=b; Path=/base", "__hOST-a=b; Path=/base"), ("__Host-a=b; Path=/", "__Host-a=b; Path=/"),
            // Elsewhere on the host of the upstream.
            ("a=b; Path=/other", nil), ("a=b; Path=/baseless", nil), ("a=b; Path=/bas", nil),
            ("a=b; Path=/base/a; Path=/other", nil), ("a=; Path=/other; Max-Age=0", nil), ("a=b; Path=/BASE", nil),
        ] as [(String, String?)])
    func aCookieOfAnUpstreamBelowAPathIsForThePathsOfTheBrowser(_ sent: String, _ expected: String?) async throws {
        let answer = try await returned([.setCookie: sent], upstream: "http://127.0.0.1:3000/base")
        #expect(answer["Set-Cookie"] == expected)
        // An upstream that is nowhere below has its paths as they are.
        #expect(try await returned([.setCookie: sent])["Set-Cookie"] == sent)
    }

    @Test(
        arguments: [
            ("a=b; Path=/one", "a=b; Path=/"), ("a=b; Path=/one/", "a=b; Path=/"),
            ("a=b; Path=/one/two", "a=b; Path=/"),
            ("a=b; Path=/on", nil), ("a=b; Path=/one/tw", nil),
        ] as [(String, String?)])
    func aCookieForWhatIsAboveTheUpstreamIsForAllOfIt(_ sent: String, _ expected: String?) async throws {
        #expect(
            try await returned([.setCookie: sent], upstream: "http://127.0.0.1:3000/one/two")["Set-Cookie"] == expected)
    }

    /// What is too long to be an attribute counts for nothing (RFC 6265bis section 5.6).
    @Test func aPathThatIsTooLongIsNotTheOneThatCounts() async throws {
        let long = "; Path=/base/" + String(repeating: "x", count: 1020)
        let answer = try await returned(
            [.setCookie: "a=b; Path=/base/a" + long], upstream: "http://127.0.0.1:3000/base")
        #expect(answer["Set-Cookie"] == "a=b; Path=/a" + long)
    }

    @Test(arguments: [
        ("http://127.0.0.1:3000/base/a?b", "/a?b"), ("http://127.0.0.1:3000/base", "/"),
        ("http://127.0.0.1:3000/base?x", "/?x"),
        ("https://other.example/x", "https://other.example/x"), ("/a", "/a"),
        ("http://127.0.0.1:30001/base/a", "http://127.0.0.1:30001/base/a"),
        ("http://127.0.0.1:3000.evil.example/base/a", "http://127.0.0.1:3000.evil.example/base/a"),
        ("http://127.0.0.1:3000/elsewhere", "http://127.0.0.1:3000/elsewhere"),
        ("http://127.0.0.1:3000/baseless", "http://127.0.0.1:3000/baseless"),
        ("http://127.0.0.1:3000/base//evil.example", "http://127.0.0.1:3000/base//evil.example"),
        ("http://127.0.0.1:3000/base/\\evil.example", "http://127.0.0.1:3000/base/\\evil.example"),
        ("http://127.0.0.1:3000/base/\t/evil.example", "http://127.0.0.1:3000/base/\t/evil.example"),
        ("/base/login", "/login"), ("/base", "/"), ("/base?x", "/?x"), ("/baseless", "/baseless"),
        ("/base//evil.example", "/base//evil.example"), ("/base/\\evil.example", "/base/\\evil.example"),
        ("//127.0.0.1:3000/base/a", "//127.0.0.1:3000/base/a"),
    ])
    func anUpstreamThatSendsToItselfSendsHere(_ location: String, _ expected: String) async throws {
        let answer = try await returned([.location: location], status: .found, upstream: "http://127.0.0.1:3000/base")
        #expect(answer.location == expected)
    }

    /// The upstream's own sign-out is not that of the session: who forgot the cookie would leave its tokens alive.
    @Test(
        arguments: [
            (#""cookies""#, nil), (#""*""#, #""cache", "storage""#), (#""cache", "cookies""#, #""cache""#),
            (#""storage""#, #""storage""#), (#" "cookies" , "cache" "#, #""cache""#),
        ] as [(String, String?)])
    func theUpstreamDoesNotHaveTheSessionForgotten(_ sent: String, _ passed: String?) async throws {
        #expect(try await returned([HTTPField.Name("Clear-Site-Data")!: sent])["Clear-Site-Data"] == passed)
    }

    /// RFC 9111 section 3.5: what was protected by `Authorization` is by nothing, once the cookie has taken its place.
    @Test(
        arguments: [
            (nil, "private"), ("max-age=60", "max-age=60, private"), ("no-cache", "no-cache, private"),
            ("public", "public"),
            ("no-store", "no-store"), ("Private", "Private"), ("s-maxage=5", "s-maxage=5"),
            ("must-revalidate", "must-revalidate"),
            ("x-public", "x-public, private"),
        ] as [(String?, String)])
    func noCacheSharesWhatItWouldNotHaveShared(_ said: String?, _ expected: String) async throws {
        var fields: HTTPFields = [:]
        fields[.cacheControl] = said
        #expect(try await returned(fields)["Cache-Control"] == expected)
    }

    // MARK: Content

    @Test func contentPassesThroughAsItComes() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        let pieces = Pieces([Array("one".utf8), Array("two".utf8)])
        world.shop.answers { _, _ in Shop.answer(.ok, "", body: pieces) }
        let answer = await browser.get("/x")
        #expect(answer.text == "onetwo" && !answer.isCutOff && pieces.isClosed)
    }

    @Test func contentThatBreaksOffIsNotTakenForTheWhole() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        world.shop.answers { _, _ in Shop.answer(.ok, "", body: Pieces([Array("one".utf8)], ending: .unreachable)) }
        #expect(await browser.get("/x").isCutOff)
        // Where the length was said, it can still be said what happened.
        world.shop.answers { _, _ in
            Shop.answer(.ok, "", [.contentLength: "6"], body: Pieces([Array("one".utf8)], ending: .unreachable))
        }
        #expect(await browser.get("/x").status == 502)
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified])
    func whatHasNoContentIsNotWaitedFor(status: HTTPResponse.Status) async throws {
        let world = try World()
        let browser = try await world.signedIn()
        let pieces = Pieces([])
        world.shop.answers { _, _ in Shop.answer(status, "", body: pieces) }
        #expect(await browser.get("/x").status == status.code)
        #expect(pieces.isClosed)
    }

    @Test func aStreamEndsWithItsSession() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        let gate = Gate()
        let pieces = Pieces([Array("one".utf8), Array("two".utf8)], gate: gate)
        world.shop.answers { _, _ in Shop.answer(.ok, "", body: pieces) }
        async let answer = browser.get("/x")
        await gate.holds()
        _ = await browser.post("/_session/logout")
        gate.open()
        let stream = await answer
        #expect(stream.isCutOff && stream.text == "one" && pieces.isClosed)
    }
}

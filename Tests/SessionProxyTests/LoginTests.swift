import HTTPMessages
import OAuth
import Primitives
import SessionProxy
import Testing

@Suite struct LoginTests {
    let world: World

    init() throws { world = try World() }

    private var sessionCookie: String { "__Host-pawl_session" }

    @Test func signsInAndGoesWhereTheUserWantedToGo() async throws {
        let browser = world.browser()
        let answer = try await browser.signIn(returningTo: "/orders?page=2")
        #expect(answer.location == "/orders?page=2")
        #expect(await browser.isSignedIn())
        // Of the cookies of the login nothing is left.
        #expect(Array(browser.cookies.keys) == [sessionCookie])
    }

    @Test func asksWithPKCEStateAndNonceAnewEachTime() async throws {
        var seen: [[String]] = []
        for _ in 0..<20 {
            let query = Desk.query(of: try await world.browser().begin())
            #expect(query["code_challenge_method"] == "S256" && query["response_type"] == "code")
            #expect(query["redirect_uri"] == "https://app.example/_session/callback" && query["prompt"] == nil)
            seen.append(try ["state", "nonce", "code_challenge"].map { try #require(query[$0]) })
        }
        #expect(Set(seen.flatMap(\.self)).count == 60)
    }

    /// RFC 6265bis section 4.1.3.2: `__Host-` needs Secure, the path / and no Domain.
    @Test func theSessionsCookieIsTheBrowsersAlone() async throws {
        let browser = world.browser()
        let answer = try await browser.signIn()
        let field = try #require(
            answer.head.headerFields[values: .setCookie].first { $0.hasPrefix(sessionCookie + "=") })
        let parts = field.split(separator: ";").map { $0.trimmed }
        // 256 bits in Base64URL.
        #expect(parts[0].count == sessionCookie.count + 1 + 43)
        #expect(Set(parts.dropFirst()) == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"])
    }

    @Test func thePersistentOneSaysForHowLong() async throws {
        let world = try World { $0.outlivesTheBrowser = true }
        let answer = try await world.browser().signIn()
        #expect(answer.head.headerFields[values: .setCookie].contains { $0.contains("Max-Age=2592000;") })
    }

    /// Anybody can come back with codes of his own making, and each has the provider asked, who is needed for refreshes.
    @Test func soManyComeBackAtOnceAndNoMore() async throws {
        let world = try World { $0.limits.loginsAtOnce = 1 }
        let (first, second) = (world.browser(), world.browser())
        let url = world.desk.authorise(try await second.begin())
        let gate = Gate()
        world.desk.with { $0.gate = gate }
        async let held = first.comeBack(world.desk.authorise(try await first.begin()))
        let over = Signal()
        async let late = {
            await gate.holds()
            let answer = await second.comeBack(url)
            over.give()
            return answer
        }()
        defer { gate.open() }
        try await eventually { over.isGiven }
        let answer = await late
        #expect(answer.status == 503 && answer["Retry-After"] == "1")
        #expect(await !second.isSignedIn())
        gate.open()
        #expect(try await held.status == 303)
        // Neither ticket nor code was spent, and the place is free.
        #expect(await second.comeBack(url).status == 303)
        #expect(await second.isSignedIn())
    }

    /// A browser that was given a cookie by somebody else has another after its login, and that somebody has nothing.
    @Test func theNameOfASessionIsNewWithEachLogin() async throws {
        let browser = world.browser()
        browser.cookies = [sessionCookie: "chosen-by-somebody-else"]
        try await browser.signIn()
        let first = try #require(browser.cookies[sessionCookie])
        #expect(first != "chosen-by-somebody-else")
        try await browser.signIn()
        #expect(browser.cookies[sessionCookie] != first)
        let other = world.browser()
        other.cookies = [sessionCookie: first]
        #expect(await !other.isSignedIn())
        #expect(world.proxy.sessionCount == 1)
    }

    // MARK: Answers that are none

    @Test func refusesAnAnswerInABrowserThatHasNotBegunTheLogin() async throws {
        let callback = world.desk.authorise(try await world.browser().begin())
        let other = world.browser()
        #expect(await other.comeBack(callback).status == 400)
        _ = try await other.begin()
        #expect(await other.comeBack(callback).status == 400)
        #expect(other.cookies[sessionCookie] == nil && world.desk.with { $0.redemptions } == 0)
    }

    @Test(arguments: ["state", "iss", "code"])
    func refusesAnAnswerWithAnother(_ name: String) async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin()) { pairs in
            pairs = pairs.map { $0.name == name ? (name, name == "iss" ? "https://evil.example" : "other") : $0 }
        }
        #expect(await browser.comeBack(callback).status >= 400)
        #expect(browser.cookies[sessionCookie] == nil && world.proxy.sessionCount == 0)
    }

    /// RFC 9207 section 2.4: a provider that says that it names itself does.
    @Test(arguments: ["state", "iss", "code"])
    func refusesAnAnswerWithoutA(_ name: String) async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin()) { $0.removeAll { $0.name == name } }
        #expect(await browser.comeBack(callback).status == 400)
        #expect(world.proxy.sessionCount == 0)
    }

    @Test func refusesAnIDTokenOfAnotherLogin() async throws {
        let browser = world.browser()
        world.desk.with { $0.usesWrongNonce = true }
        let answer = await browser.comeBack(world.desk.authorise(try await browser.begin()))
        #expect(answer.status == 502 && world.proxy.sessionCount == 0)
    }

    @Test func refusesALoginThatTookTooLong() async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin())
        world.clock.advance(by: .seconds(600))
        #expect(await browser.comeBack(callback).status == 400)
        #expect(world.desk.with { $0.redemptions } == 0)
    }

    @Test func refusesATicketThatSomebodyHasChanged() async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin(returningTo: "/a"))
        let (name, ticket) = try #require(browser.cookies.first)
        let parts = ticket.split(separator: ".").map(String.init)
        let bytes = try Base64URL.decode(parts[0])
        for index in [0, 15, 16, 23, bytes.count - 1] {
            var changed = bytes
            changed[index] ^= 1
            browser.cookies = [name: Base64URL.encode(changed) + "." + parts[1]]
            #expect(await browser.comeBack(callback).status == 400)
        }
        for text in [
            parts[0], parts[0] + ".", "." + parts[1], ticket + ".", "", "x.y", Base64URL.encode([]) + "." + parts[1],
        ] {
            browser.cookies = [name: text]
            #expect(await browser.comeBack(callback).status == 400)
        }
        #expect(world.desk.with { $0.redemptions } == 0)
        browser.cookies = [name: ticket]
        #expect(await browser.comeBack(callback).status == 303)
    }

    /// RFC 6749 section 4.1.2: a code that comes twice ends what it brought.
    @Test func presentsACodeOnceThoughTheBrowserComesTwice() async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin(returningTo: "/a"))
        let cookies = browser.cookies
        #expect(await browser.comeBack(callback).status == 303)
        let signedIn = browser.cookies
        browser.cookies = signedIn.merging(cookies) { $1 }
        let again = await browser.comeBack(callback)
        #expect(again.status == 303 && again.location == "/a")
        #expect(world.desk.with { $0.redemptions } == 1 && world.proxy.sessionCount == 1)
        browser.cookies = cookies
        #expect(await browser.comeBack(callback).status == 400)
    }

    @Test func aUserWhoSaysNoIsToldSo() async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin()) { pairs in
            pairs.removeAll { $0.name == "code" }
            pairs.append(("error", "access_denied"))
        }
        let answer = await browser.comeBack(callback)
        #expect(answer.status == 403 && answer.text.contains("cancelled"))
        #expect(browser.cookies.isEmpty)
    }

    // MARK: Where it goes then

    @Test(arguments: ["//evil.example", "/%5Cevil.example", "https://evil.example", "/%0d%0aX:y", "evil"])
    func refusesToComeBackToAnotherHost(_ target: String) async {
        let encoded = FormParameters([("return_to", target)]).encoded
        let answer = await world.browser().visit("/_session/login?" + encoded)
        #expect(answer.status == 400 && answer.error == "invalid_return_to" && answer.location == nil)
    }

    @Test func refusesTwoPlacesToComeBackTo() async {
        let answer = await world.browser().visit("/_session/login?return_to=/a&return_to=/b")
        #expect(answer.status == 400)
    }

    /// It would go round and round.
    @Test(arguments: [
        "/_session/login", "/_session", "/_session/logout", "/_session/callback?code=x", "/_session/other",
    ])
    func comesNotBackToTheLogin(_ path: String) async throws {
        #expect(try await world.browser().signIn(returningTo: path).location == "/")
    }

    // MARK: How it begins

    @Test func noScriptBeginsALogin() async {
        let browser = world.browser()
        let answer = await browser.get("/_session/login")
        #expect(answer.status == 400 && answer.location == nil && browser.cookies.isEmpty)
    }

    @Test func anotherSiteMayLeadToALoginAndNotFrameIt() async {
        #expect(await world.browser().get("/_session/login", Browser.link).status == 303)
        let framed: HTTPFields = [.secFetchSite: "cross-site", .secFetchMode: "navigate", .secFetchDest: "iframe"]
        #expect(await world.browser().get("/_session/login", framed).status == 403)
    }

    @Test func tabsSignInBesideEachOther() async throws {
        let browser = world.browser()
        let callbacks = [
            world.desk.authorise(try await browser.begin(returningTo: "/a")),
            world.desk.authorise(try await browser.begin(returningTo: "/b")),
        ]
        #expect(await browser.comeBack(callbacks[0]).location == "/a")
        #expect(await browser.comeBack(callbacks[1]).location == "/b")
        #expect(await browser.isSignedIn())
    }

    @Test func aBrowserKeepsFewOfTheLoginsThatItBegins() async throws {
        let browser = world.browser()
        for _ in 0..<30 { _ = try await browser.begin() }
        #expect(browser.cookies.count == 16)
    }

    /// A browser that opens again opens all its tabs at once.
    @Test func aFewTabsMoreSignInBesideEachOther() async throws {
        let browser = world.browser()
        var callbacks: [String] = []
        for number in 0..<6 {
            callbacks.append(world.desk.authorise(try await browser.begin(returningTo: "/\(number)")))
        }
        for number in 0..<6 { #expect(await browser.comeBack(callbacks[number]).location == "/\(number)") }
        #expect(Array(browser.cookies.keys) == [sessionCookie])
    }

    @Test func ofManyTabsTheOldestGiveWay() async throws {
        let browser = world.browser()
        var callbacks: [String] = []
        for number in 0..<20 {
            callbacks.append(world.desk.authorise(try await browser.begin(returningTo: "/\(number)")))
            world.clock.advance(by: .seconds(1))
        }
        #expect(await browser.comeBack(callbacks[3]).status == 400)
        for number in 4..<20 { #expect(await browser.comeBack(callbacks[number]).location == "/\(number)") }
        // Who is signed in by then is not shown an error.
        let late = await browser.comeBack(callbacks[0])
        #expect(late.status == 303 && late.location == "/")
        #expect(world.desk.with { $0.redemptions } == 16 && world.proxy.sessionCount == 1)
    }

    @Test func aLoginThatNobodyHasBegunHereTakesNoSessionAway() async throws {
        let foreign = world.desk.authorise(try await world.browser().begin(returningTo: "/a"))
        let browser = try await world.signedIn()
        let session = browser.cookies[sessionCookie]
        #expect(await browser.comeBack(foreign).location == "/")
        #expect(browser.cookies[sessionCookie] == session && world.desk.with { $0.redemptions } == 1)
    }

    /// Another site that leads here with long paths makes no request of this browser too long to be read.
    @Test func theLoginsUnderWayStayShort() async throws {
        let browser = world.browser()
        for number in 0..<20 {
            _ = try await browser.begin(returningTo: "/\(number)" + String(repeating: "a", count: 1000))
            world.clock.advance(by: .seconds(1))
        }
        #expect(browser.cookies.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 3 } <= 8192)
        let last = world.desk.authorise(try await browser.begin(returningTo: "/last"))
        #expect(await browser.comeBack(last).location == "/last")
    }

    /// What comes from outside may have any name, and is not what a server sets.
    @Test(arguments: ["(", "é", "a b", "\"", "@", String(repeating: "a", count: 5000)])
    func aNameThatNoServerSetsIsNoLogin(_ suffix: String) async throws {
        let browser = world.browser()
        for number in 0..<5 { browser.cookies["\(sessionCookie)_login_\(number)\(suffix)"] = "x.y" }
        try await browser.signIn()
        #expect(browser.cookies.count == 6 && world.proxy.sessionCount == 1)
    }

    @Test func whatIsNoTicketMakesRoomFirst() async throws {
        let browser = world.browser()
        let callback = world.desk.authorise(try await browser.begin(returningTo: "/own"))
        for number in 0..<15 { browser.cookies["\(sessionCookie)_login_\(number)"] = "x.y" }
        _ = try await browser.begin()
        #expect(browser.cookies.count == 2)
        #expect(await browser.comeBack(callback).location == "/own")
    }

    @Test func asksTheProviderWhatItIsOnceForMany() async throws {
        for _ in 0..<3 { try await world.browser().signIn() }
        #expect(world.desk.with { $0.descriptions } == 1)
        world.clock.advance(by: .seconds(601))
        // What it said before still holds.
        world.desk.with { $0.failure = .unreachable }
        _ = try await world.browser().begin()
    }

    @Test func aProviderThatIsAwayCanBeTriedAgain() async throws {
        world.desk.with { $0.failure = .unreachable }
        let browser = world.browser()
        let answer = await browser.visit("/_session/login")
        #expect(answer.status == 503 && answer.text.contains("/_session/login"))
        world.desk.with { $0.failure = nil }
        world.clock.advance(by: .seconds(2))
        try await browser.signIn()
    }

    /// Each would wait as long as the one before.
    @Test func aProviderThatGivesNoAnswerIsNotAskedByEveryone() async throws {
        world.desk.with { $0.status = .serviceUnavailable }
        for _ in 0..<10 { #expect(await world.browser().visit("/_session/login").status == 503) }
        let asked = world.desk.with { $0.requests }
        #expect(asked > 0)
        world.clock.advance(by: .milliseconds(1999))
        _ = await world.browser().visit("/_session/login")
        #expect(world.desk.with { $0.requests } == asked)
        world.clock.advance(by: .milliseconds(1))
        _ = await world.browser().visit("/_session/login")
        #expect(world.desk.with { $0.requests } == 2 * asked)
        // A clock that goes back keeps nobody out.
        world.clock.advance(by: .seconds(-3600))
        world.desk.with { $0.status = nil }
        try await world.browser().signIn()
    }

    /// What it said before holds meanwhile.
    @Test func aProviderThatIsKnownIsNotAskedByEveryoneEither() async throws {
        _ = try await world.browser().begin()
        world.clock.advance(by: .seconds(601))
        world.desk.with { $0.status = .serviceUnavailable }
        let before = world.desk.with { $0.requests }
        _ = try await world.browser().begin()
        let asked = world.desk.with { $0.requests } - before
        for _ in 0..<10 { _ = try await world.browser().begin() }
        #expect(asked > 0 && world.desk.with { $0.requests } == before + asked)
    }

    /// RFC 6265bis section 5.2: a browser keeps a Strict cookie from the request that another site has led to.
    @Test func aStrictSessionArrivesByAPageOfItsOwn() async throws {
        let world = try World { $0.sameSite = .strict }
        let browser = world.browser()
        // What comes back from the provider's site is not: that cookie is another.
        let begun = await browser.visit("/_session/login")
        #expect(begun["Set-Cookie"]?.contains("SameSite=Lax") == true)
        let answer = await browser.comeBack(world.desk.authorise(try await browser.begin(returningTo: "/a?b='&c=d")))
        #expect(answer.status == 200 && answer.location == nil)
        #expect(answer.text.contains("content=\"0;url=/a?b=&#39;&amp;c=d\""))
        #expect(answer.head.headerFields[values: .setCookie].contains { $0.contains("SameSite=Strict") })
        // And whoever comes by a link gets a second chance, once.
        let stranger = world.browser()
        #expect(await stranger.get("/a", Browser.link).status == 200)
        #expect(await stranger.visit("/a").location == "/_session/login?return_to=%2Fa")
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self.drop { $0 == " " }) }
}

import Cookies
import Primitives
import Testing

/// RFC 6265bis section 5.7: what is taken, from whom, and what is refused.
@Suite struct CookieJarTests {
    @Test func keepsAllThatWasSaid() throws {
        var jar = CookieJar()
        let field = "__Host-sid=1; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60"
        let change = try jar.receive(field, from: .request("https://app.example/login"), at: now)
        let cookie = Cookie(
            name: "__Host-sid", value: "1", domain: "app.example", path: "/", expires: now + .seconds(60),
            isSecure: true,
            isHTTPOnly: true, sameSite: .lax, at: now)
        #expect(change == .set(cookie))
        #expect(jar.all == [cookie])
    }

    @Test(arguments: [
        ("a=b; Domain=other.example", "https://app.example/", CookieRefusal.domainIsOfOthers),
        ("a=b; Domain=x.app.example", "https://app.example/", .domainIsOfOthers),
        ("a=b; Domain=com", "https://app.com/", .domainIsPublicSuffix),
        ("a=b; Domain=co.uk", "https://app.co.uk/", .domainIsPublicSuffix),
        ("a=b; Domain=github.io", "https://user.github.io/", .domainIsPublicSuffix),
        ("a=b; Domain=app.example:80", "https://app.example/", .domainIsNoHost),
        ("a=b; Domain=bücher.example", "https://xn--bcher-kva.example/", .domainIsNoHost),
        ("a=b; Domain=0.0.1", "http://127.0.0.1/", .domainIsOfOthers),
        ("a=b; Secure", "http://app.example/", .needsEncryption),
        ("a=b; Secure", "http://localhost/", .needsEncryption),
        ("a=b; SameSite=None", "https://app.example/", .crossSiteNeedsSecure),
        ("__Secure-a=b", "https://app.example/", .prefixIsBroken),
        ("__sEcUrE-a=b", "https://app.example/", .prefixIsBroken),
        ("__Host-a=b; Secure", "https://app.example/", .prefixIsBroken),
        ("__Host-a=b; Path=/", "https://app.example/", .prefixIsBroken),
        ("__host-a=b; Secure; Path=/x", "https://app.example/", .prefixIsBroken),
        ("__HOST-a=b; Secure; Path=/; Domain=app.example", "https://app.example/", .prefixIsBroken),
        ("__Http-a=b; Secure", "https://app.example/", .prefixIsBroken),
        ("__http-a=b; HttpOnly", "https://app.example/", .prefixIsBroken),
        ("__Host-Http-a=b; Secure; Path=/", "https://app.example/", .prefixIsBroken),
        ("__Host-Http-a=b; Secure; HttpOnly", "https://app.example/", .prefixIsBroken),
        ("__Host-Http-a=b; Secure; HttpOnly; Path=/; Domain=app.example", "https://app.example/", .prefixIsBroken),
        ("=__Host-a; Secure; Path=/", "https://app.example/", .namelessPrefix),
        ("__secure-x; Secure", "https://app.example/", .namelessPrefix),
        ("=__Http-a", "https://app.example/", .namelessPrefix),
    ])
    func refuses(_ field: String, _ url: String, _ refusal: CookieRefusal) {
        var jar = CookieJar()
        #expect(throws: refusal) { try jar.receive(field, from: .request(url), at: now) }
        #expect(jar.all.isEmpty)
    }

    @Test(arguments: [
        "__Secure-a=b; Secure", "__Host-a=b; Secure; Path=/", "__Http-a=b; Secure; HttpOnly; Path=/x",
        "__Host-Http-a=b; Secure; HttpOnly; Path=/", "__Hostile=b", "a=__Host-b", "a=b; SameSite=None; Secure",
    ])
    func takes(_ field: String) throws {
        var jar = CookieJar()
        try jar.receive(field, from: .request("https://app.example/x/y"), at: now)
        #expect(jar.count == 1)
    }

    /// Whoever is a public suffix himself has cookies of his own, for himself alone.
    @Test func aPublicSuffixSetsCookiesForItselfAlone() throws {
        var jar = try CookieJar(["a=b; Domain=github.io"], from: "https://github.io/")
        #expect(jar.all.map(\.isHostOnly) == [true])
        #expect(jar.sent(to: "https://user.github.io/") == nil)
        #expect(jar.sent(to: "https://github.io/") == "a=b")
    }

    @Test func followsItsPolicyOnLoopback() throws {
        var policy = CookiePolicy()
        policy.secureOrigins = .encryptedOrLoopback
        for host in ["localhost", "a.localhost", "127.0.0.1", "[::1]"] {
            var jar = CookieJar(policy: policy)
            try jar.receive("a=b; Secure", from: .request("http://\(host)/"), at: now)
            #expect(jar.sent(to: "http://\(host)/") == "a=b")
        }
        var jar = CookieJar(policy: policy)
        for host in ["app.example", "localhost.example", "10.127.0.1", "127.evil.example"] {
            #expect(throws: CookieRefusal.needsEncryption) {
                try jar.receive("a=b; Secure", from: .request("http://\(host)/"), at: now)
            }
        }
    }

    /// Step 15, "leave secure cookies alone".
    @Test(arguments: [
        ("a=x", "http://app.example/", true), ("a=x; Path=/login", "http://app.example/", true),
        ("a=x; Domain=app.example", "http://app.example/", true), ("a=x", "http://www.app.example/", true),
        ("b=x", "http://app.example/", false), ("a=x", "http://other.example/", false),
        ("A=x", "http://app.example/", false),
        ("a=x", "https://app.example/", false),
    ])
    func leavesSecureCookiesAlone(_ field: String, _ url: String, _ isCovered: Bool) throws {
        var jar = try CookieJar(["a=b; Secure; Path=/; Domain=app.example"])
        if isCovered {
            #expect(throws: CookieRefusal.coversSecureCookie) { try jar.receive(field, from: .request(url), at: now) }
        } else {
            try jar.receive(field, from: .request(url), at: now)
        }
    }

    /// A semicolon is as good in the path of a request as any other character.
    @Test func keepsWhateverDefaultPathThereIs() throws {
        let path = "/a;b=" + String(repeating: "c", count: 2000)
        var jar = try CookieJar(["a=1"], from: "https://app.example\(path)/d")
        #expect(jar.all.map(\.path) == [path] && jar.all.first?.refusal == nil)
        #expect(jar.sent(to: "https://app.example\(path)/e") == "a=1")
    }

    /// A path above that of the secure cookie does not cover it.
    @Test func aPathAboveCoversNothing() throws {
        var jar = try CookieJar(["a=b; Secure; Path=/login"])
        try jar.receive("a=x; Path=/", from: .request("http://app.example/"), at: now)
        #expect(jar.count == 2)
    }

    @Test func scriptsNeitherSetNorReplaceNorSeeWhatIsHTTPOnly() throws {
        var jar = try CookieJar(["sid=1; HttpOnly; Path=/"])
        let script = CookieContext.request("https://app.example/", by: .script)
        #expect(throws: CookieRefusal.needsHTTP) { try jar.receive("x=1; HttpOnly", from: script, at: now) }
        #expect(throws: CookieRefusal.coversHTTPOnlyCookie) { try jar.receive("sid=2; Path=/", from: script, at: now) }
        #expect(throws: CookieRefusal.coversHTTPOnlyCookie) {
            try jar.receive("sid=; Max-Age=0; Path=/", from: script, at: now)
        }
        #expect(jar.field(for: script, at: now) == nil)
        #expect(jar.sent(to: "https://app.example/") == "sid=1")
        // What was set by script never becomes HttpOnly, and another path is another cookie.
        #expect(try jar.receive("sid=3; Path=/p", from: script, at: now).identity.path == "/p")
    }

    @Test(arguments: ["x=1; SameSite=Strict", "x=1; SameSite=Lax", "x=1", "x=1; SameSite=None; Secure"])
    func takesFromOtherSitesOnlyWhatIsForThem(_ field: String) throws {
        var jar = CookieJar()
        let foreign = CookieContext.request("https://app.example/", from: .crossSite)
        if field.contains("None") {
            try jar.receive(field, from: foreign, at: now)
        } else {
            #expect(throws: CookieRefusal.crossSite) { try jar.receive(field, from: foreign, at: now) }
        }
        try jar.receive(
            field, from: .request("https://app.example/", from: .topLevelNavigation(isSafe: false)), at: now)
    }

    @Test func aReplacementKeepsItsPlaceInTheOrder() throws {
        var jar = try CookieJar(["a=1", "b=1"])
        try jar.receive("a=2", from: .request("https://app.example/"), at: now + .seconds(1))
        #expect(jar.sent(to: "https://app.example/", at: now + .seconds(1)) == "a=2; b=1")
        // One that was over had no place any more.
        try jar.receive("a=3; Max-Age=1", from: .request("https://app.example/"), at: now + .seconds(2))
        try jar.receive("a=4", from: .request("https://app.example/"), at: now + .seconds(5))
        #expect(jar.sent(to: "https://app.example/", at: now + .seconds(5)) == "b=1; a=4")
    }

    @Test func hostAndDomainAreTwoCookies() throws {
        var jar = try CookieJar(["a=host", "a=domain; Domain=app.example"])
        #expect(jar.count == 2)
        #expect(jar.sent(to: "https://app.example/") == "a=host; a=domain")
        #expect(jar.sent(to: "https://www.app.example/") == "a=domain")
    }

    @Test(arguments: ["a=; Max-Age=0", "a=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=x; Max-Age=-5"])
    func aDeletionIsAChangeWhetherOrNotThereWasOne(_ field: String) throws {
        var jar = try CookieJar(["a=1"])
        let identity = Cookie.Identity(name: "a", domain: "app.example")
        for _ in 0..<2 {
            #expect(try jar.receive(field, from: .request("https://app.example/"), at: now) == .expire(identity))
            #expect(jar.all.isEmpty)
        }
    }

    @Test func isOverAtTheVeryMoment() throws {
        var jar = try CookieJar(["a=1; Max-Age=60"])
        #expect(jar.sent(to: "https://app.example/", at: now + .milliseconds(59_999)) == "a=1")
        #expect(jar.sent(to: "https://app.example/", at: now + .seconds(60)) == nil)
        #expect(jar.removeExpired(at: now + .milliseconds(59_999)).isEmpty)
        #expect(jar.removeExpired(at: now + .seconds(60)).map(\.name) == ["a"])
        #expect(jar.count == 0)
    }

    @Test func sessionCookiesEndWithTheUserAgent() throws {
        var jar = try CookieJar(["short=1", "long=1; Max-Age=60"])
        #expect(jar.endSession().map(\.name) == ["short"])
        #expect(jar.sent(to: "https://app.example/") == "long=1")
    }

    @Test func comparesNamesByteByByte() throws {
        // The same letter for people, in one scalar and in two.
        var jar = try CookieJar(["\u{E9}=1", "e\u{301}=2"])
        #expect(jar.count == 2)
        try jar.receive("\u{E9}=3", from: .request("https://app.example/"), at: now)
        #expect(jar.all.map(\.value) == ["3", "2"])
    }

    @Test func aChangeFromElsewhereIsMadeAsItIsOrNotAtAll() throws {
        var jar = CookieJar()
        let cookie = Cookie(name: "a", value: "1", domain: "app.example", isHTTPOnly: true, at: now)
        try jar.apply(.set(cookie), at: now)
        #expect(jar[cookie.identity] == cookie)
        let broken = Cookie(name: "__Host-a", value: "1", domain: "app.example", at: now)
        #expect(throws: CookieRefusal.prefixIsBroken) { try jar.apply(.set(broken), at: now) }
        try jar.apply(.expire(cookie.identity), at: now)
        #expect(jar.all.isEmpty)
    }
}

/// RFC 6265bis section 5.8: what goes where, and in which order.
@Suite struct SendingTests {
    @Test func longerPathsGoFirst() throws {
        var jar = try CookieJar(["a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Path=/x"])
        #expect(jar.sent(to: "https://app.example/x/y/z") == "b=2; c=3; d=4; a=1")
    }

    @Test(arguments: [
        (CookieContext.Origin.sameSite, ["strict", "lax", "unspecified", "none"]),
        (.topLevelNavigation(isSafe: true), ["lax", "unspecified", "none"]),
        (.topLevelNavigation(isSafe: false), ["none"]), (.crossSite, ["none"]),
    ])
    func goesByWhereTheRequestBegan(_ origin: CookieContext.Origin, _ names: [String]) throws {
        var jar = try CookieJar([
            "strict=1; SameSite=Strict", "lax=1; SameSite=Lax", "unspecified=1", "none=1; SameSite=None; Secure",
        ])
        #expect(jar.cookies(for: .request("https://app.example/", from: origin), at: now).map(\.name) == names)
    }

    @Test(arguments: [
        CookieContext.Origin.topLevelNavigation(isSafe: true), .topLevelNavigation(isSafe: false), .crossSite,
    ])
    func aPageThatFillsTheWindowSeesItsOwn(_ origin: CookieContext.Origin) throws {
        var jar = try CookieJar(["strict=1; SameSite=Strict", "lax=1; SameSite=Lax"])
        let seen = jar.field(for: .request("https://app.example/", from: origin, by: .script), at: now)
        #expect(seen == (origin == .crossSite ? nil : "strict=1; lax=1"))
    }

    @Test func aHostOnlyCookieStaysAtItsHost() throws {
        var jar = try CookieJar(["a=1", "b=2; Domain=app.example"])
        #expect(jar.sent(to: "https://www.app.example/") == "b=2")
        #expect(jar.sent(to: "https://example/") == nil)
    }

    @Test func secureCookiesStayOffPlainConnections() throws {
        var jar = try CookieJar(["a=1; Secure", "b=2"])
        #expect(jar.sent(to: "http://app.example/") == "b=2")
        #expect(jar.sent(to: "wss://app.example/") == "a=1; b=2")
    }

    @Test func oneWithoutANameIsItsValue() throws {
        var jar = try CookieJar(["=x=y", "a=1"])
        #expect(jar.sent(to: "https://app.example/") == "x=y; a=1")
    }
}

/// RFC 6265bis section 5.7, at the end: who goes when there is no room.
@Suite struct EvictionTests {
    private func jar(perDomain: Int, inAll: Int) -> CookieJar {
        var policy = CookiePolicy()
        policy.cookiesPerDomain = perDomain
        policy.cookiesInAll = inAll
        return CookieJar(policy: policy)
    }

    @Test func whatIsOverGoesFirst() throws {
        var jar = jar(perDomain: 2, inAll: 10)
        for (field, second) in [("old=1", 0), ("over=1; Max-Age=1", 1), ("new=1", 5)] {
            try jar.receive(field, from: .request("https://app.example/"), at: now + .seconds(second))
        }
        #expect(jar.all.map(\.name) == ["old", "new"])
    }

    @Test func thenWhatIsNotSecureAndWasNotUsed() throws {
        var jar = jar(perDomain: 3, inAll: 10)
        let context = CookieContext.request("https://app.example/")
        try jar.receive("secure=1; Secure", from: context, at: now)
        try jar.receive("used=1; Path=/used", from: context, at: now)
        try jar.receive("idle=1; Path=/idle", from: context, at: now + .seconds(1))
        // Without encryption, so that the secure one is the one that was not used for the longest time.
        #expect(jar.sent(to: "http://app.example/used", at: now + .seconds(2)) == "used=1")
        try jar.receive("more=1", from: context, at: now + .seconds(3))
        #expect(Set(jar.all.map(\.name)) == ["secure", "used", "more"])
        // A neighbour's domain is not touched.
        try jar.receive("far=1", from: .request("https://far.example/"), at: now + .seconds(4))
        #expect(jar.count == 4)
    }

    @Test func secureOnesGoWhenThereIsNothingElse() throws {
        var jar = jar(perDomain: 2, inAll: 10)
        for name in ["a", "b", "c"] {
            try jar.receive("\(name)=1; Secure", from: .request("https://app.example/"), at: now)
        }
        #expect(jar.all.map(\.name) == ["b", "c"])
    }

    @Test func theOldestOfAllGoesWhereTheJarIsFull() throws {
        var jar = jar(perDomain: 10, inAll: 3)
        for (second, host) in ["a", "b", "c", "d"].enumerated() {
            try jar.receive("x=\(host)", from: .request("https://\(host).example/"), at: now + .seconds(second))
        }
        #expect(jar.all.map(\.value) == ["b", "c", "d"])
        #expect(jar.count == 3)
    }

    @Test func holdsWhatTheStandardAsksFor() throws {
        var jar = CookieJar()
        for number in 0..<3100 {
            let url = "https://h\(number % 50).example/"
            try jar.receive("c\(number)=1", from: .request(url), at: now + .milliseconds(number))
        }
        #expect(jar.count == 3000 && jar.all.count == 3000)
        #expect(jar.policy.cookiesPerDomain >= 50)
    }
}

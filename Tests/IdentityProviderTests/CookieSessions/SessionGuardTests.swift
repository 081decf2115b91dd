import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: requests of other sites")
struct SessionGuardTests {
    private static let site = HTTPField.Name("Sec-Fetch-Site")!
    private static let allowOrigin = HTTPField.Name("Access-Control-Allow-Origin")!
    private static let allowCredentials = HTTPField.Name("Access-Control-Allow-Credentials")!

    /// What changes something.
    enum Change: CaseIterable { case begin, refresh, fork, end }

    private func send(_ change: Change, _ browser: SessionBrowser, _ fields: HTTPFields) async -> Answer {
        switch change {
        case .begin:
            await browser.send(
                .post, "/session", ["client_id": "app", "username": "alice", "password": "alice"], fields)
        case .refresh: await browser.refresh([:], fields)
        case .fork: await browser.fork("view", fields)
        case .end: await browser.end("/session", fields)
        }
    }

    private static func fields(_ origin: String?, _ site: String?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.origin] = origin
        fields[Self.site] = site
        return fields
    }

    /// RFC 6454 section 7, Fetch Metadata section 2.3.
    @Test(
        arguments: Change.allCases,
        [
            ("https://evil.example", nil), ("https://evil.example", "cross-site"), ("null", nil),
            ("null", "same-origin"), ("http://localhost:3000", nil), ("http://localhost:3000", "same-site"),
            ("https://localhost:8080", nil), ("http://localhost:8080.evil.example", nil),
            ("http://localhost:8080, http://localhost:8080", nil), ("", nil), (nil, "cross-site"),
            (nil, "same-site"), (nil, "anything"), ("http://localhost:8080", "cross-site"),
            (SessionLab.shopOrigin, "cross-site"),
        ] as [(String?, String?)])
    func refusesWhatAnotherSiteSends(change: Change, from: (origin: String?, site: String?)) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let before = browser.cookies.mapValues(\.value)
        let refused = await send(change, browser, Self.fields(from.origin, from.site))
        #expect(refused.outcome == "403 cross_site_request")
        #expect(refused.setCookies == [])
        #expect(refused.fields[Self.allowOrigin] == nil)
        #expect(browser.cookies.mapValues(\.value) == before)
        #expect(await browser.tell().status == 200)
        #expect(await browser.refresh().status == 200)
    }

    @Test(
        arguments: Change.allCases,
        [(nil, nil), ("http://localhost:8080", nil), ("http://localhost:8080", "same-origin"), (nil, "none")]
            as [(String?, String?)])
    func takesWhatItsOwnPagesAndProgramsSend(
        change: Change, from: (origin: String?, site: String?)
    ) async throws {
        let browser = try await (try await SessionLab()).signedIn()
        #expect(await send(change, browser, Self.fields(from.origin, from.site)).status == 200)
    }

    /// Another site learns nothing of the cookies: the refusal is the same with them and without.
    @Test(arguments: Change.allCases) func refusesAnotherSiteBeforeAnythingElse(change: Change) async throws {
        let lab = try await SessionLab()
        let fields = Self.fields("https://evil.example", "cross-site")
        let malformed = lab.browser()
        malformed.put("pawl_refresh_app_8080", "x", path: "/session")
        let double = try await lab.signedIn()
        double.extraCookies = ["pawl_refresh_app_8080=x"]
        for browser in [lab.browser(), malformed, double] {
            #expect(await send(change, browser, fields).outcome == "403 cross_site_request")
        }
    }

    /// A wrong password of another site is none of the user's.
    @Test func anotherSiteCannotShutAUserOut() async throws {
        let lab = try await SessionLab { $0.signIn.failuresAllowed = 1 }
        for _ in 0..<5 {
            _ = await lab.browser().send(
                .post, "/session", ["client_id": "app", "username": "alice", "password": "x"],
                Self.fields("https://evil.example", nil))
        }
        #expect(await lab.browser().signIn().status == 200)
    }

    // MARK: Origins that may

    @Test func takesWhatAListedOriginSendsAndLetsItRead() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        let fields = Self.fields(SessionLab.shopOrigin, "cross-site")
        let form = ["client_id": "shop", "username": "alice", "password": "alice"]
        let answers = [
            await browser.send(.post, "/session", form, fields), await browser.tell(fields),
            await browser.refresh([:], fields), await browser.send(.get, "/session/resource", [:], fields),
            await browser.end("/session", fields),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.fields[values: Self.allowOrigin] == [SessionLab.shopOrigin])
            #expect(answer.fields[Self.allowCredentials] == "true")
            #expect(answer.field("Vary") == "Origin")
        }
        #expect(answers[0].setCookies.allSatisfy { $0.contains("Secure") && $0.contains("SameSite=None") })
    }

    /// Two clients whose cookies have one name: who takes those of the one away takes those of the other.
    @Test func takesNoCookieAwayForAnOriginOfAnotherClientWithTheSameNames() async throws {
        func client(_ id: String) -> JSONObject {
            SessionLab.client(
                id,
                [
                    "access_cookie": ["name": "a"], "refresh_cookie": ["name": "r"],
                    "origins": [.string("https://\(id).example")],
                ])
        }
        let lab = try await SessionLab([client("one"), client("two")])
        let browser = try await lab.signedIn("one")
        let fields = Self.fields("https://two.example", "same-site")
        let refused = await browser.end("/session?client_id=two", fields)
        #expect(refused.outcome == "403 cross_site_request")
        #expect(refused.setCookies == [])
        let own = await browser.end("/session?client_id=one", Self.fields("https://one.example", "same-site"))
        #expect(try own.text("ended") == "session")
        #expect(own.expiredCookies == ["a", "r"])
    }

    /// It hears what is wrong, and not that it is another site.
    @Test func aListedOriginHearsThatThereIsNoSession() async throws {
        let lab = try await SessionLab()
        let fields = Self.fields(SessionLab.shopOrigin, "cross-site")
        let answers = [await lab.browser().refresh([:], fields), await lab.browser().tell(fields)]
        for answer in answers {
            #expect(answer.outcome == "401 no_session")
            #expect(answer.fields[Self.allowOrigin] == SessionLab.shopOrigin)
        }
        #expect(try await lab.browser().end("/session", fields).text("ended") == "nothing")
    }

    /// Exactly those: no other origin reads anything, not even one of this machine, nor that of another client.
    @Test(arguments: [
        "https://evil.example", "http://localhost:3000", "null", "https://shop.example.evil",
        "https://shop.example:444",
        "http://shop.example",
    ])
    func letsNoOtherOriginRead(origin: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn("shop")
        for path in ["/session", "/session/resource"] {
            let answer = await browser.send(.get, path, [:], Self.fields(origin, nil))
            #expect(answer.fields[Self.allowOrigin] == nil)
            #expect(answer.fields[Self.allowCredentials] == nil)
        }
        let app = try await lab.signedIn("app")
        #expect(await app.tell(Self.fields(SessionLab.shopOrigin, nil)).fields[Self.allowOrigin] == nil)
    }

    /// Fetch section 4.8: a browser asks ahead without cookies and without a client.
    @Test func answersABrowserThatAsksAhead() async throws {
        let lab = try await SessionLab()
        for path in ["/session", "/session/refresh", "/session/fork", "/session/resource"] {
            let allowed = await lab.browser().send(.options, path, [:], Self.fields(SessionLab.shopOrigin, nil))
            #expect(allowed.status == 204)
            #expect(allowed.fields[Self.allowOrigin] == SessionLab.shopOrigin)
            #expect(allowed.fields[Self.allowCredentials] == "true")
            #expect(allowed.field("Access-Control-Allow-Headers")?.contains("Content-Type") == true)
            for origin in ["https://evil.example", "http://localhost:3000", "null"] {
                let refused = await lab.browser().send(.options, path, [:], Self.fields(origin, nil))
                #expect(refused.fields[Self.allowOrigin] == nil)
                #expect(refused.fields[Self.allowCredentials] == nil)
            }
        }
    }

    /// Everywhere else nothing takes what a browser adds by itself.
    @Test func noOtherEndpointAllowsCredentials() async throws {
        let lab = try await SessionLab()
        for path in ["/token", "/userinfo", "/revoke", "/jwks.json", "/nothing"] {
            for method: HTTPRequest.Method in [.options, .get, .post] {
                let answer = await lab.browser().send(method, path, [:], Self.fields(SessionLab.shopOrigin, nil))
                #expect(answer.fields[Self.allowCredentials] == nil)
            }
        }
    }
}

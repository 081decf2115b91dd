import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

@Suite("Sessions in cookies: what is recorded and logged")
struct SessionRecordTests {
    /// S25: whose token it was, and what became of it, as at the token endpoint.
    @Test func isRecordedWithItsTokenAndItsClient() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser).id
        let spent = try #require(browser.refreshToken())
        #expect(await browser.refresh().status == 200)
        browser.put("pawl_refresh_app_8080", spent, path: "/session")
        #expect(await browser.refresh().status == 400)
        let records = lab.context.requests.records().filter { $0.path == "/session/refresh" }
        #expect(records.map(\.clientID) == ["app", "app"])
        #expect(records.map { $0.refresh?.family } == [family, family])
        #expect(records.map { $0.refresh?.node } == [1, 1])
        #expect(records.map { $0.refresh?.verdict } == [.rotated, .refused])
        #expect(records.map { $0.refresh?.cause } == [nil, "reused"])
        let lines = lab.idp.log.lines.filter { $0.contains("session.ref") }
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains("\"family\":\"\(family)\"") && $0.contains("\"node\":\"1\"") })
        #expect(lines.last?.contains("\"cause\":\"reused\"") == true)
    }

    /// A refusal that no policy has made has a cause in the record as well.
    @Test func isRecordedWhereNoPolicyWasAsked() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser).id
        browser.put("pawl_refresh_view_8080", try #require(browser.refreshToken()), path: "/session")
        #expect(await browser.refresh(["client_id": "view"]).outcome == "400 invalid_grant")
        let record = try #require(lab.context.requests.records().last?.refresh)
        #expect(record.family == family && record.node == 1)
        #expect(record.verdict == .refused && record.cause == "token of another client")
    }

    @Test func aForkIsRecordedWithTheTokenThatWasShown() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser).id
        let spent = try #require(browser.refreshToken())
        #expect(await browser.fork("view").status == 200)
        #expect(await browser.refresh(["client_id": "app"]).status == 200)
        let form = ["client_id": "app", "refresh_token": spent]
        #expect(await lab.browser().fork("view", also: form).status == 400)
        let records = lab.context.requests.records().filter { $0.path == "/session/fork" }
        #expect(records.map(\.clientID) == ["app", "app"])
        #expect(records.map { $0.refresh?.family } == [family, family])
        #expect(records.map { $0.refresh?.cause } == [nil, "reused"])
    }

    /// What of a session's token may be over although it is good itself.
    enum Loss: String, CaseIterable {
        case login = "login ended"
        case family = "ended"
        case origin = "origin ended"
        case user = "user or client removed"
    }

    @Test(arguments: Loss.allCases) func aRefusedForkSaysWhatIsOver(loss: Loss) async throws {
        let lab = try await SessionLab([
            SessionLab.client("link", ["fork_to": ["view"]]), SessionLab.client("chain", ["fork_to": ["link"]]),
        ])
        let browser = try await lab.signedIn("chain", also: ["scope": "openid"])
        #expect(await browser.fork("link", also: ["client_id": "chain"]).status == 200)
        let (origin, fork) = (try await lab.family(browser, "chain"), try await lab.family(browser, "link"))
        let (store, now) = (lab.context.store, lab.idp.clock.now())
        switch loss {
        case .login:
            let login = try #require(origin.terms.loginID)
            try await LoginEnding(context: lab.context).end([login], .loggedOut, as: nil, at: now)
        case .family: _ = try await store.judge(fork.id) { $0.end(.ended, at: now) }
        case .origin: _ = try await store.judge(origin.id) { $0.end(.ended, at: now) }
        case .user: _ = lab.context.users.remove(id: origin.terms.userID)
        }
        #expect(await browser.fork("view", also: ["client_id": "link"]).outcome == "400 invalid_grant")
        let record = try #require(lab.context.requests.records().last?.refresh)
        #expect(record.family == fork.id && record.verdict == .refused && record.cause == loss.rawValue)
        #expect(lab.idp.log.lines.last { $0.contains("session.refused") }?.contains(loss.rawValue) == true)
    }

    /// Whatever is in it.
    @Test(arguments: ["/session", "/session/resource"])
    func anAccessTokenThatIsNotGoodIsRecordedWithItsClient(path: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser).id
        lab.idp.clock.advance(by: .seconds(300))
        #expect(await browser.send(.get, path).outcome == "401 invalid_token")
        browser.put("pawl_access_app_8080", "x")
        let origin: HTTPFields = [.origin: SessionLab.shopOrigin]
        let refused = await browser.send(.get, path, [:], origin)
        #expect(refused.outcome == "400 malformed_cookie")
        #expect(refused.field("Access-Control-Allow-Origin") == nil)
        #expect(lab.context.requests.records().suffix(2).map(\.clientID) == ["app", "app"])
        // What the one said, our own key has signed; the other says nothing.
        #expect(lab.context.requests.records().suffix(2).map(\.families) == [[family], []])
    }

    /// Such a token says nothing by itself; the store remembers whose it was.
    @Test(arguments: ["/session", "/session/resource"])
    func anOpaqueAccessTokenThatHasExpiredIsRecordedWithItsFamily(path: String) async throws {
        let lab = try await Self.opaqueLab()
        let browser = try await lab.signedIn("plain")
        let family = try await lab.family(browser, "plain").id
        try #require(browser.accessToken(of: "plain")?.hasPrefix("at1.") == true)
        lab.idp.clock.advance(by: .seconds(300))
        #expect(await browser.send(.get, path).outcome == "401 invalid_token")
        let record = try #require(lab.context.requests.records().last)
        #expect(record.families == [family] && record.clientID == "plain")
    }

    /// RFC 6750: the same tokens without a cookie, whether or not they are good.
    @Test(arguments: ["app", "plain"], [0, 300])
    func aTokenInTheHeaderIsRecordedWithItsFamily(client: String, age: Int) async throws {
        let lab = try await Self.opaqueLab()
        let browser = try await lab.signedIn(client)
        let family = try await lab.family(browser, client).id
        let token = try #require(browser.accessToken(of: client))
        lab.idp.clock.advance(by: .seconds(age))
        let answer = await lab.idp.get("/session/resource", [.authorization: "Bearer \(token)"])
        #expect(answer.outcome == (age == 0 ? "200" : "401 invalid_token"))
        #expect(lab.context.requests.records().last?.families == [family])
    }

    /// Nobody has to know a token to write what looks like one, and the cookie of one client is not about another's session.
    @Test func namesNoFamilyOfAnOpaqueTokenThatWasNotPresented() async throws {
        let lab = try await Self.opaqueLab()
        let stranger = try await lab.signedIn("plain")
        let browser = lab.browser()
        lab.idp.clock.advance(by: .seconds(300))
        browser.put("pawl_access_plain_8080", "at1.x")
        _ = await browser.tell()
        _ = await lab.idp.get("/session/resource", [.authorization: "Bearer at1.x"])
        browser.put("pawl_access_view_8080", try #require(stranger.accessToken(of: "plain")))
        _ = await browser.send(.get, "/session?client_id=view")
        let records = lab.context.requests.records().dropFirst()
        #expect(records.count == 3 && records.allSatisfy(\.families.isEmpty))
    }

    /// `plain` has access tokens that say nothing.
    private static func opaqueLab() async throws -> SessionLab {
        try await SessionLab([SessionLab.client("plain", [:], ["access_token_format": "opaque"])])
    }

    /// Which session it was: for whoever waits for the request in which it ends.
    @Test func everyRequestOfASessionIsRecordedWithItsFamily() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser).id
        _ = await browser.tell()
        _ = await browser.send(.get, "/session/resource")
        _ = await browser.refresh()
        _ = await browser.end()
        let records = lab.context.requests.records()
        #expect(records.map(\.path) == ["/session", "/session", "/session/resource", "/session/refresh", "/session"])
        #expect(records.allSatisfy { $0.families == [family] })
        #expect(records.allSatisfy { $0.json["families"] == [.string(family.description)] })
        let found = try await ControlUnderTest(lab.idp).json("GET", "/requests?family=\(family)")
        #expect(found["requests"]?.array?.count == records.count)
    }

    /// The same sessions in the events as in the records, for whoever looks on.
    @Test func everyRequestOfASessionIsAnEventWithItsFamily() async throws {
        let lab = try await SessionLab()
        let control = ControlUnderTest(lab.idp)
        let fields: HTTPFields = [.accept: "application/json"]
        _ = await control.call("GET", "/events", also: fields)
        let browser = try await lab.signedIn()
        _ = await browser.tell()
        _ = await browser.refresh()
        _ = await browser.fork("view")
        _ = await browser.end()
        _ = await lab.browser().tell()
        let answer = await control.call("GET", "/events?kind=request.answered", also: fields)
        let told = try #require(answer.json?["events"]?.array).map { $0["families"] }
        #expect(told == lab.context.requests.records().map { $0.json["families"] })
        #expect(told.map { $0?.array?.count } == [1, 1, 1, 2, 2, nil])
    }

    /// With the refresh token that it brings, as a revocation has it; and where an access token alone is left that is too old,
    /// nothing ends, and the record says of which session.
    @Test func anEndNamesWhatItBrought() async throws {
        let lab = try await SessionLab()
        let (whole, late) = (try await lab.signedIn(), try await lab.signedIn())
        let family = try await lab.family(whole).id
        #expect(await whole.end().json?["ended"] == "session")
        let record = try #require(lab.context.requests.records().last)
        #expect(record.families == [family])
        #expect(record.refresh == RefreshRecord(family: family, node: 1))
        let other = try await lab.family(late).id
        for name in late.cookies.keys where name.hasPrefix("pawl_refresh") { late.forget(name) }
        lab.idp.clock.advance(by: .seconds(300))
        #expect(await late.end().json?["ended"] == "nothing")
        #expect(lab.context.requests.records().last?.families == [other])
        #expect(lab.context.requests.records().last?.refresh == nil)
        #expect(try await lab.context.store.family(other)?.ended == nil)
    }

    /// A page that has no cookie yet says the client in JSON: faults and chosen answers find it there, and in the cookies later.
    @Test func faultsAndChosenAnswersFindTheClientOfASession() async throws {
        let lab = try await SessionLab()
        let control = ControlUnderTest(lab.idp)
        let browser = lab.browser()
        let form: JSON = ["client_id": "app", "username": "alice", "password": "alice", "scope": "openid"]
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 502, "client": "app"])
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 504, "client": "view", "count": 9])
        #expect(await browser.send(.post, "/session", json: form).status == 502)
        // Some say of every request that it is JSON.
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 503, "client": "app"])
        #expect(await browser.tell([.contentType: "application/json"]).status == 401)
        let named = await browser.send(.get, "/session?client_id=app", [:], [.contentType: "application/json"])
        #expect(named.status == 503)
        let chosen: JSON = ["endpoint": "/session", "client": "app", "error": "slow_down", "status": 429]
        _ = try await control.json("POST", "/next", chosen)
        #expect(await browser.send(.post, "/session", json: form).status == 429)
        #expect(await browser.send(.post, "/session", json: form).status == 200)
        _ = try await control.json("POST", "/next", ["endpoint": "/session/refresh", "client": "view", "status": 418])
        _ = try await control.json("POST", "/next", ["endpoint": "/session/refresh", "client": "app", "status": 429])
        #expect(await browser.refresh().status == 429)
        #expect(await browser.refresh().status == 200)
    }

    /// Both: the one that was shown, and the one that has begun.
    @Test func aForkIsRecordedWithBothFamilies() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let origin = try await lab.family(browser).id
        #expect(await browser.fork("view").status == 200)
        let families = try #require(lab.context.requests.records().last?.families)
        #expect(families.first == origin && Set(families).count == 2)
    }

    /// A token of nobody's, or of another client's, is about no session.
    @Test func namesNoFamilyThatWasNotPresented() async throws {
        let lab = try await SessionLab()
        let stranger = try await lab.signedIn()
        let browser = lab.browser()
        browser.put("pawl_access_app_8080", "a.b.c")
        _ = await browser.tell()
        browser.put("pawl_access_view_8080", try #require(stranger.accessToken()))
        _ = await browser.send(.get, "/session?client_id=view")
        lab.idp.clock.advance(by: .seconds(300))
        _ = await browser.send(.get, "/session?client_id=view")
        browser.put("pawl_refresh_view_8080", try #require(stranger.refreshToken()), path: "/session")
        _ = await browser.end()
        _ = await lab.browser().tell()
        let records = lab.context.requests.records().dropFirst()
        #expect(records.count == 5 && records.allSatisfy(\.families.isEmpty))
        #expect(records.allSatisfy { $0.json["families"] == nil })
        let found = try await ControlUnderTest(lab.idp).json(
            "GET", "/requests?family=\(try await lab.family(stranger).id)")
        // Its own beginning alone.
        #expect(found["requests"]?.array?.count == 1)
    }

    /// The client of a cookie and of a JSON document, which no parameter names.
    @Test func everyRequestOfASessionIsRecordedWithItsClient() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        let answer = await browser.send(
            .post, json: ["client_id": "app", "username": "alice", "password": "alice"])
        #expect(answer.status == 200)
        _ = await browser.tell()
        _ = await browser.send(.get, "/session/resource")
        _ = await browser.end()
        #expect(lab.context.requests.records().map(\.clientID) == ["app", "app", "app", "app"])
        #expect(await lab.browser().tell().status == 401)
        #expect(lab.context.requests.records().last?.clientID == nil)
    }
}

import HTTPMessages
import IdentityProvider
import Primitives
import Testing

/// What goes wrong because a test wants it to.
@Suite struct FaultsTests {
    @Test func delaysBeforeTheJudgement() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let session = try await control.newSession()
        _ = try await control.json(
            "POST", "/faults", ["fault": "delay", "for": "2s", "at": "refresh.received", "client": "app"])
        async let late = control.refresh(session.refresh)
        let ring = await alarm.armed()
        #expect(try await control.family()["live"] == [1])
        ring()
        #expect(await late.status == 200)
        #expect(try await control.family()["live"] == [2])
    }

    @Test func delaysAfterTheCommit() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "delay", "for": 0.5, "at": "refresh.committed"])
        async let late = control.refresh(session.refresh)
        let ring = await alarm.armed()
        #expect(try await control.family()["live"] == [2])
        ring()
        #expect(await late.status == 200)
    }

    @Test(
        arguments: [
            (["fault": "drop"], .dropped), (["fault": "cut"], .cut(contentBytes: nil)),
            (["fault": "cut", "bytes": 7], .cut(contentBytes: 7)), (["fault": "repeat"], .repeated),
        ] as [(JSON, ResponseDelivery.Manner)])
    func harmsTheAnswerAndLeavesTheWorkDone(_ body: JSON, _ manner: ResponseDelivery.Manner) async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", body)
        #expect(await control.refresh(session.refresh).manner == manner)
        #expect(try await control.family()["live"] == [2])
        #expect(await control.ask().manner == nil)
    }

    @Test func answersAnotherStatusWithoutContent() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 502, "endpoint": "token"])
        let answer = await control.refresh(session.refresh)
        #expect(answer.status == 502)
        #expect(answer.body.isEmpty)
        #expect(try await control.family()["live"] == [2])
        let record = try #require(try await control.json("GET", "/requests")["requests"]?.array?.last)
        #expect(record["status"] == 502)
    }

    @Test func hasTheStoreRefuseARequestAndNoOther() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "store", "client": "app"])
        #expect(await control.refresh(session.refresh).error == "temporarily_unavailable")
        #expect(try await control.family()["live"] == [1])
        #expect(await control.refresh(session.refresh).status == 200)
    }

    /// RFC 9110 section 10.2.3: who is told to come again is told when. The work is not done.
    @Test(arguments: ["/token", "/revoke"])
    func aFailingStoreSaysWhenToComeAgain(_ path: String) async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "store", "client": "app", "count": 2])
        let form = path == "/token" ? "grant_type=refresh_token&refresh_token" : "token"
        let answer = await control.provider.token("client_id=app&\(form)=\(session.refresh)", path: path)
        #expect(answer.status == 503)
        #expect(answer.fields[.retryAfter] == "1")
        let page = await control.provider.get("/userinfo", [.authorization: "Bearer \(session.access)"])
        #expect(page.status == 503)
        #expect(page.fields[.retryAfter] == "1")
        #expect(try await control.family()["live"] == [1])
    }

    /// What a fault has decided about a request holds to its end, whoever else passes meanwhile, and for it alone.
    @Test func aFailingStoreFailsForItsRequestAlone() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let session = try await control.newSession()
        let other = try await control.newSession()
        let id = try #require(control.context.refreshTokens.read(session.refresh)).family
        let family = JSON.string(id.description)
        _ = try await control.json("POST", "/faults", ["fault": "store", "family": family])
        _ = try await control.json(
            "POST", "/faults", ["fault": "delay", "for": "1s", "family": family, "at": "request.received"])
        async let failing = control.refresh(session.refresh)
        let ring = await alarm.armed()
        #expect(try await control.json("GET", "/faults")["faults"]?.array?.map { $0["spent"] } == [true, true])
        #expect(await control.refresh(other.refresh).status == 200)
        ring()
        #expect(await failing.status == 503)
        #expect(await control.refresh(session.refresh).status == 200)
    }

    /// RFC 8693 section 2.1: what is exchanged is presented, too.
    @Test func findsTheFamilyOfAnExchange() async throws {
        let control = try await ControlUnderTest()
        let (session, other) = (try await control.newSession(), try await control.newSession())
        let id = try #require(control.context.refreshTokens.read(session.refresh)).family
        _ = try await control.json(
            "POST", "/faults", ["fault": "status", "status": 502, "family": .string(id.description), "count": 9])
        func exchange(_ token: String) async -> Int {
            await control.provider.token(
                "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=\(token)"
                    + "&subject_token_type=urn:ietf:params:oauth:token-type:refresh_token", basic: "service:secret"
            ).status
        }
        #expect(await exchange(session.refresh) == 502)
        #expect(await exchange(other.refresh) == 400)
    }

    @Test func everyEndpointHasItsName() async throws {
        let control = try await ControlUnderTest()
        for name in ["openapi", "jwks", "discovery", "token", "/userinfo"] {
            _ = try await control.json(
                "POST", "/faults", ["fault": "status", "status": 502, "endpoint": .string(name)])
        }
        #expect(await control.provider.get("/openapi.json").status == 502)
        #expect(await control.provider.get("/openapi.json").status == 200)
    }

    @Test func comesTrueFromTheNthTimeOnAndSoOften() async throws {
        let control = try await ControlUnderTest()
        let fault = try await control.json(
            "POST", "/faults", ["fault": "status", "status": 500, "nth": 2, "count": 2, "endpoint": "/token"])
        var statuses: [Int] = []
        for _ in 0..<5 { statuses.append(await control.ask().status) }
        #expect(statuses == [200, 500, 500, 200, 200])
        let id = try #require(fault["id"]?.int64)
        let now = try await control.json("GET", "/faults/\(id)")
        #expect(now["seen"] == 3 && now["fired"] == 2 && now["spent"] == true)
    }

    @Test(
        arguments: [
            ["client": "reader"], ["endpoint": "userinfo"], ["grant_type": "password"],
            ["family": "AAAAAAAAAAAAAAAAAAAAAA"], ["headers": ["X-Test": "other"]],
        ] as [JSON])
    func leavesOthersAlone(_ filter: JSON) async throws {
        let control = try await ControlUnderTest()
        var body: JSONObject = ["fault": "status", "status": 500]
        for (name, value) in filter.object ?? [:] { body[name] = value }
        _ = try await control.json("POST", "/faults", .object(body))
        let answer = await control.provider.token(
            "grant_type=client_credentials", basic: "service:secret", also: [HTTPField.Name("X-Test")!: "mine"])
        #expect(answer.status == 200)
    }

    @Test func meetsTheFamilyThatIsMeant() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let family = try #require(try await control.family()["id"])
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 500, "family": family])
        let other = try await control.newSession()
        #expect(await control.refresh(other.refresh).status == 200)
        #expect(await control.refresh(session.refresh).status == 500)
    }

    @Test(
        arguments: [
            ([:], "fault"), (["fault": "dropp"], "fault"), (["fault": "delay"], "for"),
            (["fault": "delay", "for": "61s"], "for"), (["fault": "delay", "for": "0s"], "for"),
            (["fault": "drop", "for": "1s"], "for"), (["fault": "drop", "at": "refresh.recieved"], "at"),
            (["fault": "drop", "at": "response.sent"], "at"), (["fault": "store", "at": "response.sending"], "at"),
            (["fault": "status"], "status"), (["fault": "status", "status": 99], "status"),
            (["fault": "cut", "bytes": -1], "bytes"), (["fault": "drop", "nth": 0], "nth"),
            (["fault": "drop", "count": 1_000_001], "count"), (["fault": "drop", "endpoint": "tokn"], "endpoint"),
            (["fault": "drop", "family": "x"], "family"), (["fault": "drop", "headers": ["a b": "c"]], "headers"),
            (["fault": "drop", "headers": ["Authorization": "Bearer x"]], "headers"),
            (["fault": "drop", "headers": ["cookie": "a=b"]], "headers"), (["fault": "drop", "user": "a"], "user"),
        ] as [(JSON, String)])
    func refusesWhatCannotBe(_ body: JSON, _ path: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/faults", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"]?.string?.hasPrefix(path) == true, "\(answer.json as Any)")
        #expect(try await control.json("GET", "/faults") == ["faults": []])
    }

    @Test(
        arguments: [
            (["fault": "dropp"], "drop"), (["fault": "drop", "at": "refresh.recieved"], "refresh.received"),
            (["fault": "drop", "endpoint": "tokn"], "/token"),
        ] as [(JSON, String)])
    func saysWhatMayHaveBeenMeant(_ body: JSON, _ suggestion: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/faults", body)
        #expect(answer.errorDescription.contains("did you mean \(suggestion)?"))
    }

    @Test func takesNoMoreThanThereMayBe() async throws {
        let control = try await ControlUnderTest()
        let faults = control.context.checkpoints.faults
        var filter = PassageFilter()
        filter.endpoint = "/token"
        for _ in 0..<Faults.maximumCount { #expect(faults.add(Fault(.status(500), for: filter)) != nil) }
        #expect(await control.call("POST", "/faults", ["fault": "drop"]).status == 409)
        // One request is one occurrence for each of them: all are spent, and make room.
        _ = await control.ask()
        #expect(await control.call("POST", "/faults", ["fault": "drop"]).status == 201)
        #expect(faults.entries.count == Faults.maximumCount)
    }

    @Test func areTakenBack() async throws {
        let control = try await ControlUnderTest()
        let id = try #require(try await control.json("POST", "/faults", ["fault": "drop"])["id"]?.int64)
        #expect(await control.call("DELETE", "/faults/\(id)").status == 204)
        #expect(await control.call("DELETE", "/faults/\(id)").status == 404)
        #expect(await control.call("GET", "/faults/\(id)").status == 404)
        #expect(await control.call("GET", "/faults/x").status == 404)
        _ = try await control.json("POST", "/faults", ["fault": "drop"])
        #expect(await control.call("POST", "/reset").status == 204)
        #expect(await control.ask().manner == nil)
    }

    /// A delay does not outlive the provider.
    @Test func letsTheDelayedGoAtTheEnd() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        _ = try await control.json("POST", "/faults", ["fault": "delay", "for": "60s"])
        async let late = control.ask()
        await alarm.armed()
        control.provider.provider.stopWaiting()
        #expect(await late.status == 200)
    }

    /// What a browser asks ahead of a request suffers nothing in its place, and is no guest at a barrier.
    @Test func areNotForWhatABrowserAsksAhead() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 500, "endpoint": "token"])
        _ = try await control.json("POST", "/barriers", ["at": "request.received", "endpoint": "token"])
        let head = HTTPRequest(
            method: .options, scheme: nil, authority: ProviderUnderTest.host, path: "/token",
            headerFields: [.origin: "https://app.example"])
        let ahead = await control.provider.provider.respond(to: ServerRequest(head: head, peer: .here, id: "r-1"))
        #expect(ahead.head.status.code == 204)
        #expect(try await control.json("GET", "/faults")["faults"]?.array?[0]["seen"] == 0)
        #expect(try await control.json("GET", "/barriers")["barriers"]?.array?[0]["held"] == [])
    }

    /// A session in cookies is refreshed by the grant that is named `refresh_token`, though nobody names it.
    @Test func areForTheRefreshOfASessionInCookiesByItsGrant() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        var filter = PassageFilter()
        filter.grantType = "refresh_token"
        filter.family = try await lab.family(browser).id
        lab.context.checkpoints.faults.add(Fault(.status(502), for: filter))
        #expect(await browser.tell().status == 200)
        #expect(await browser.refresh().status == 502)
        #expect(lab.context.requests.records().last?.grantType == "refresh_token")
        #expect(lab.context.requests.records().first?.grantType == nil)
    }

    /// What is revoked or asked about is presented as much as what is refreshed.
    @Test(arguments: ["/revoke", "/introspect"])
    func areForTheFamilyOfATokenThatIsAskedAbout(_ path: String) async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let family = try #require(try await control.family()["id"])
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 502, "family": family])
        let other = try await control.newSession()
        let form = "&client_id=service&client_secret=secret"
        #expect(await control.provider.token("token=\(other.refresh)\(form)", path: path).status != 502)
        #expect(await control.provider.token("token=\(session.refresh)\(form)", path: path).status == 502)
    }
}

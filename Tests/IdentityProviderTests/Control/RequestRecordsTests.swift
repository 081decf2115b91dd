import HTTPMessages
import IdentityProvider
import Primitives
import TestSupport
import Testing

/// The last requests, and waiting for the next.
@Suite struct RequestRecordsTests {
    private let form = "grant_type=client_credentials&scope=read"

    private func requests(_ control: ControlUnderTest, _ query: String = "") async throws -> [JSON] {
        try #require(try await control.json("GET", "/requests\(query)")["requests"]?.array)
    }

    @Test func tellsWhatCameAndWhatBecameOfIt() async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.token(form, basic: "reader:secret", also: [.userAgent: "test/1"])
        _ = await control.provider.token(form, basic: "reader:wrong-one")
        let found = try await requests(control)
        #expect(found.count == 2)
        #expect(found[0]["client_id"] == "reader")
        #expect(found[0]["grant_type"] == "client_credentials")
        #expect(found[0]["user_agent"] == "test/1")
        #expect(found[0]["authorization"] == "Basic")
        #expect(found[0]["parameters"] == ["grant_type": "client_credentials", "scope": "read"])
        #expect(found[0]["status"] == 200)
        #expect(found[1]["status"] == 401)
        #expect(found[1]["error"] == "invalid_client")
        #expect(found.map { $0["id"] } == [1, 2])
    }

    @Test func namesSecretsWithoutTheirValues() async throws {
        let control = try await ControlUnderTest()
        let secrets = [
            "client_secret", "code", "code_verifier", "refresh_token", "password", "assertion", "client_assertion",
            "device_code", "subject_token", "actor_token", "token", "id_token_hint", "access_token", "request",
            "user_code", "anything_else",
        ]
        let body = secrets.map { "\($0)=hidden-\($0)" }.joined(separator: "&") + "&grant_type=password&username=alice"
        _ = await control.provider.token(body, basic: "service:hidden-basic")
        _ = await control.provider.get("/userinfo?access_token=hidden-query", [.authorization: "Bearer hidden-bearer"])
        let answer = await control.call("GET", "/requests")
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(!text.contains("hidden"))
        let parameters = try #require(answer.json?["requests"]?.array?[0]["parameters"]?.object)
        for name in secrets { #expect(parameters[name] == .null, "\(name)") }
        #expect(parameters["username"] == "alice")
        #expect(answer.json?["requests"]?.array?[1]["path"] == "/userinfo")
    }

    @Test func filtersByClientPathAndNumber() async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.get("/jwks.json")
        _ = await control.provider.token(form, basic: "reader:secret")
        _ = await control.provider.token("\(form)&client_id=service&client_secret=secret")
        #expect(try await requests(control, "?path=/token").count == 2)
        #expect(try await requests(control, "?client=service").count == 1)
        #expect(try await requests(control, "?client=reader&path=/jwks.json").isEmpty)
        #expect(try await requests(control, "?since=1").map { $0["id"] } == [2, 3])
        #expect(try await requests(control, "?limit=1").map { $0["id"] } == [3])
    }

    /// Who asks on with `last` sees each once, however few he wants at once.
    @Test(arguments: [1, 2, 100])
    func givesTheFirstAfterANumberAndWhereToGoOn(_ limit: Int) async throws {
        let control = try await ControlUnderTest()
        for _ in 0..<3 {
            _ = await control.provider.get("/jwks.json")
            _ = await control.provider.token(form, basic: "reader:secret")
        }
        var (since, seen): (JSON, [JSON]) = (0, [])
        for _ in 0..<4 {
            let page = try await control.json(
                "GET", "/requests?path=/token&limit=\(limit)&since=\(try #require(since.int64))")
            seen += try #require(page["requests"]?.array).compactMap { $0["id"] }
            since = try #require(page["last"])
        }
        #expect(seen == [2, 4, 6] && since == 6)
    }

    /// What comes between the answer and the next question is in one of them.
    @Test func losesNoneToWhoeverAsksOnWhileTheyCome() async throws {
        let control = try await ControlUnderTest(recordedRequests: 10_000)
        let records = control.context.requests
        let (writers, each) = (4, 500)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                group.addTask { for _ in 0..<each { _ = await control.provider.get("/jwks.json") } }
            }
            var (last, seen) = (0, 0)
            while last < writers * each {
                let before = records.lastNumber
                let patience = ContinuousClock.now + .milliseconds(20)
                let page = records.page(after: last) { _ in
                    // While it looks, another comes.
                    while records.lastNumber == before, ContinuousClock.now < patience {}
                    return true
                }
                seen += page.records.count
                last = page.last
                #expect(seen == last)
                await Task.yield()
            }
        }
    }

    @Test func filtersByWhatBecameOfIt() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = await control.provider.token(form, basic: "reader:secret", also: [.userAgent: "test/1"])
        _ = await control.refresh(session.refresh)
        _ = await control.refresh(session.refresh)
        #expect(try await requests(control, "?grant_type=refresh_token").map { $0["id"] } == [2, 3])
        #expect(try await requests(control, "?user_agent=test/1").map { $0["id"] } == [1])
        #expect(try await requests(control, "?status=400").map { $0["id"] } == [3])
        #expect(try await requests(control, "?verdict=rotated").map { $0["id"] } == [2])
        #expect(try await requests(control, "?verdict=refused&client=app").map { $0["id"] } == [3])
        #expect(try await requests(control, "?verdict=refused&client=reader").isEmpty)
        #expect(try await requests(control, "?user_agent=TEST/1").isEmpty)
    }

    /// Which of two it was, and what met it.
    @Test func tellsLabelsFaultsAndBarriers() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let session = try await control.newSession()
        _ = try await control.json("POST", "/faults", ["fault": "drop", "headers": ["Pawl-Label": "A"]])
        _ = try await control.json(
            "POST", "/barriers", ["at": "refresh.received", "count": 1, "headers": ["Pawl-Label": "A"]])
        _ = try await control.json(
            "POST", "/barriers", ["at": "refresh.received", "headers": ["Pawl-Label": "B"], "timeout": "5s"])
        let first = await control.refresh(session.refresh, label: "A")
        #expect(first.manner == .dropped)
        async let late = control.refresh(session.refresh, label: "B")
        while await alarm.ringNext() != .seconds(5) {}
        _ = await late
        _ = await control.refresh(session.refresh)
        let found = try await requests(control)
        #expect(found.map { $0["label"] } == ["A", "B", nil])
        #expect(found.map { $0["faults"] } == [["drop"], nil, nil])
        #expect(found[0]["barriers"] == [["barrier": 1, "outcome": "released"]])
        #expect(found[1]["barriers"] == [["barrier": 2, "outcome": "timed_out"]])
        #expect(found[2]["barriers"] == nil)
        #expect(try await requests(control, "?label=B").map { $0["id"] } == [2])
        #expect(try await requests(control, "?label=b").isEmpty)
    }

    /// The clock of the tenant stands still, or goes back, while a request waits; how long it took is known all the same.
    @Test func tellsHowLongItTookWhateverTheClockSays() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        _ = try await control.json("POST", "/faults", ["fault": "delay", "for": "1s", "endpoint": "token"])
        async let late = control.ask()
        let ring = await alarm.armed()
        let begin = ContinuousClock.now
        _ = try await control.json("POST", "/clock/advance", ["by": "-1h"])
        while ContinuousClock.now - begin < .milliseconds(5) { await Task.yield() }
        ring()
        #expect(await late.status == 200)
        let record = try await requests(control)[0]
        #expect(try #require(record["duration_ms"]?.int64) >= 5)
        let moments = try [record["answered"], record["time"]].map { try #require($0?.string) }
        #expect(moments[0] < moments[1])
    }

    @Test(arguments: [
        "?verdict=lost", "?status=99", "?status=x", "?since=-1", "?since=x", "?limit=0", "?wait=soon", "?wait=61s",
        "?wait=0s",
    ])
    func refusesAQueryThatIsWrong(_ query: String) async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", "/requests\(query)").status == 400)
    }

    /// One more than may wait is told so, and nobody else loses his answer.
    @Test func letsNoMoreWaitThanMay() async throws {
        let control = try await ControlUnderTest()
        let records = control.context.requests
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<RequestRecords.maximumWaiterCount {
                group.addTask { (try? await records.first(within: .seconds(60)) { $0.path == "/jwks.json" }) != nil }
            }
            while records.waiterCount < RequestRecords.maximumWaiterCount { await Task.yield() }
            await #expect(throws: NoRoom.self) { try await records.first(within: .seconds(60)) { _ in true } }
            let answer = await control.call("GET", "/requests?wait=1s")
            #expect(answer.status == 503 && answer.errorDescription.contains("1000 wait already"))
            _ = await control.provider.get("/jwks.json")
            for await isFound in group { #expect(isFound) }
        }
        #expect(records.waiterCount == 0)
    }

    /// Nobody fills the memory with what he sends.
    @Test func keepsNoLongTexts() async throws {
        let control = try await ControlUnderTest()
        let most = RequestRecord.maximumByteCount
        let (long, longer) = (String(repeating: "x", count: most), String(repeating: "x", count: most + 1))
        _ = await control.provider.get(
            "/\(longer)?\(longer)", [.userAgent: longer, .authorization: "Bearer \(longer)"])
        _ = await control.provider.get("/jwks.json", [.userAgent: long])
        _ = await control.provider.token("scope=\(long)", basic: "reader:secret")
        let found = try await requests(control)
        #expect(found[0]["user_agent"] == nil && found[0]["authorization"] == nil)
        #expect(found[0]["path"]?.string?.utf8.count == most && found[0]["parameters"] == [:])
        #expect(found[1]["user_agent"]?.string == long)
        #expect(found[2]["parameters"] == [:])
    }

    @Test func waitsForWhatComesFromNowOnUnlessToldSince() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        _ = await control.provider.get("/jwks.json")
        #expect(try await requests(control, "?wait=5s&since=0").map { $0["id"] } == [1])
        async let none = requests(control, "?wait=6s")
        #expect(await alarm.ringNext() == .seconds(6))
        #expect(try await none.isEmpty)
    }

    @Test func keepsTheLastOnes() async throws {
        let control = try await ControlUnderTest(recordedRequests: 3)
        for _ in 0..<8 { _ = await control.provider.get("/jwks.json") }
        #expect(try await requests(control).map { $0["id"] } == [6, 7, 8])
    }

    @Test func keepsNoneWhenToldSo() async throws {
        let control = try await ControlUnderTest(recordedRequests: 0)
        _ = await control.provider.get("/jwks.json")
        #expect(try await control.json("GET", "/requests") == ["last": 0, "requests": []])
    }

    @Test func doesNotRecordItself() async throws {
        let control = try await ControlUnderTest()
        _ = await control.call("GET", "/users")
        #expect(try await requests(control).isEmpty)
    }

    @Test func forgetsThemAndCountsOn() async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.get("/jwks.json")
        #expect(await control.call("DELETE", "/requests").status == 204)
        #expect(try await requests(control).isEmpty)
        _ = await control.provider.get("/jwks.json")
        #expect(try await requests(control).map { $0["id"] } == [2])
    }

    @Test func keepsNothingOfABodyThatIsTooLarge() async throws {
        let control = try await ControlUnderTest()
        let long = String(repeating: "a", count: RequestRecord.maximumByteCount)
        _ = await control.provider.token("grant_type=client_credentials&scope=\(long)", basic: "service:secret")
        #expect(try await requests(control)[0]["parameters"] == [:])
    }

    @Test func wakesWhoeverWaitsForTheNextOne() async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.get("/jwks.json")
        let records = control.context.requests
        async let next = records.first(within: .seconds(3600)) { $0.number > 1 && $0.path == "/token" }
        // Whether the waiter comes before or after, it sees the request.
        _ = await control.provider.get("/jwks.json")
        _ = await control.provider.token(form, basic: "reader:secret")
        #expect(try await next?.number == 3)
    }

    /// Also when the ring is full, so that the next one takes the place of the oldest.
    @Test(arguments: 0..<4) func wakesThemWithTheOneThatCame(_ count: Int) async throws {
        let control = try await ControlUnderTest(recordedRequests: 3)
        for _ in 0..<3 + count { _ = await control.provider.get("/jwks.json") }
        let records = control.context.requests
        let next = Task { try await records.first(within: .seconds(3600)) { $0.path == "/token" } }
        while records.waiterCount == 0 { await Task.yield() }
        _ = await control.provider.token(form, basic: "reader:secret")
        // Whoever was not woken by it would wait for ever.
        next.cancel()
        #expect(try await next.value?.number == 4 + count)
    }

    @Test func endsTheWaitWhenTheAlarmRings() async throws {
        let alarm = ManualAlarm()
        let records = RequestRecords(capacity: 10, alarm: alarm)
        async let next = records.first(within: .seconds(5)) { _ in true }
        #expect(await alarm.ringNext() == .seconds(5))
        #expect(try await next == nil)
    }

    @Test func endsTheWaitOfACancelledTask() async throws {
        let records = RequestRecords(capacity: 10, alarm: NoAlarm())
        let task = Task { try await records.first(within: .seconds(5)) { _ in true } }
        task.cancel()
        #expect(try await task.value == nil)
    }

    /// Who has hung up keeps no place from others.
    @Test func endsTheWaitOfAClientThatHasGone() async throws {
        let control = try await ControlUnderTest()
        let records = control.context.requests
        let presence = ManualPresence()
        async let answer = control.call("GET", "/requests?wait=60s", presence: presence)
        while records.waiterCount == 0 { await Task.yield() }
        presence.go()
        #expect(await answer.status == 200)
        #expect(records.waiterCount == 0)
    }

    @Test func endsEveryWaitWhenTheProviderEnds() async throws {
        let alarm = ManualAlarm()
        let records = RequestRecords(capacity: 10, alarm: alarm)
        async let next = records.first(within: .seconds(5)) { _ in true }
        await alarm.armed()
        records.stopWaiting()
        #expect(try await next == nil)
    }
}

import HTTPMessages
import IdentityProvider
import Primitives
import TestSupport
import Testing

/// Requests that wait for each other.
@Suite struct BarriersTests {
    private func add(_ control: ControlUnderTest, _ body: JSON) async throws -> Int {
        Int(try #require(try await control.json("POST", "/barriers", body)["id"]?.int64))
    }

    private func arrivals(_ count: Int, at id: Int, _ control: ControlUnderTest) async {
        _ = try? await control.context.checkpoints.barriers.first(id, within: .seconds(60)) { $0.held.count >= count }
    }

    /// The order that no client can bring about by itself: A is judged before B, and B's answer leaves before A's.
    @Test(arguments: [["A", "B"], ["B", "A"]])
    func judgesABeforeBAndAnswersBBeforeA(_ arrival: [String]) async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        let judging = try await add(
            control,
            [
                "at": "refresh.received", "until": "refresh.judged", "count": 2, "order": "label",
                "sequence": ["A", "B"],
            ])
        let answering = try await add(
            control,
            ["at": "response.sending", "count": 2, "order": "label", "sequence": ["B", "A"], "endpoint": "token"])
        async let first = control.refresh(session.refresh, label: arrival[0])
        await arrivals(1, at: judging, control)
        async let second = control.refresh(session.refresh, label: arrival[1])
        let answers = await [arrival[0]: first, arrival[1]: second]
        // Who is judged first gets tokens; the same token is reuse then.
        #expect(answers["A"]?.status == 200)
        #expect(answers["B"]?.error == "invalid_grant")
        let order = try await control.json("GET", "/barriers/\(answering)")
        #expect(order["released"]?.array?.map { $0["label"] } == ["B", "A"])
        let records = try #require(try await control.json("GET", "/requests?path=/token")["requests"]?.array)
        #expect(records.map { $0["status"] } == [400, 200])
        #expect(records.map { $0["refresh"]?["verdict"] } == ["refused", "rotated"])
        #expect(records[0]["refresh"]?["cause"] == "reused")
    }

    @Test func letsAllGoWhenTheTimeIsUpAndSaysSo() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let id = try await add(control, ["at": "request.received", "count": 2, "timeout": "5s", "endpoint": "token"])
        async let lonely = control.ask()
        #expect(await alarm.ringNext() == .seconds(5))
        #expect(await lonely.status == 200)
        #expect(try await control.json("GET", "/barriers/\(id)")["state"] == "timed_out")
        // Nobody is to take for a race what was none.
        #expect(await lonely.field("Pawl-Barrier") == "\(id) timed_out")
        #expect(control.provider.log.lines.contains { $0.contains("a barrier has timed out") })
        #expect(await control.ask().field("Pawl-Barrier") == nil)
    }

    @Test func saysNothingOnAnswersOfThoseThatHaveMet() async throws {
        let control = try await ControlUnderTest()
        _ = try await add(control, ["at": "request.received", "count": 2, "endpoint": "token"])
        async let first = control.ask()
        async let second = control.ask()
        #expect(await first.field("Pawl-Barrier") == nil)
        #expect(await second.field("Pawl-Barrier") == nil)
    }

    @Test(arguments: ["DELETE /barriers", "POST /reset", "end"])
    func letsGoWhomItHolds(_ end: String) async throws {
        let control = try await ControlUnderTest()
        let id = try await add(control, ["at": "response.sending", "count": 2, "endpoint": "token"])
        async let held = control.ask()
        await arrivals(1, at: id, control)
        if end == "end" {
            control.provider.provider.stopWaiting()
        } else {
            let words = end.split(separator: " ").map(String.init)
            #expect(await control.call(words[0], words[1]).status == 204)
        }
        #expect(await held.status == 200)
    }

    @Test func letsGoACancelledRequest() async throws {
        let control = try await ControlUnderTest()
        let id = try await add(control, ["at": "response.sending", "count": 2, "endpoint": "token"])
        let held = Task { await control.ask() }
        await arrivals(1, at: id, control)
        held.cancel()
        #expect(await held.value.status == 200)
    }

    @Test func holdsThoseAloneThatAreMeant() async throws {
        let control = try await ControlUnderTest()
        _ = try await add(control, ["at": "request.received", "client": "reader"])
        _ = try await add(control, ["at": "request.received", "headers": ["X-Test": "mine"]])
        _ = try await add(control, ["at": "refresh.received"])
        #expect(await control.ask().status == 200)
    }

    @Test func letsNoMoreWatchThanMayAndKeepsNoPlaceOfThoseThatHaveGone() async throws {
        let control = try await ControlUnderTest()
        let id = try await add(control, ["at": "refresh.received"])
        let watchers = (0..<Barriers.maximumWatcherCount).map { _ in ManualPresence() }
        await withTaskGroup(of: Int.self) { group in
            for watcher in watchers {
                group.addTask { await control.call("GET", "/barriers/\(id)?wait=60s", presence: watcher).status }
            }
            while control.context.checkpoints.barriers.watcherCount < Barriers.maximumWatcherCount {
                await Task.yield()
            }
            #expect(await control.call("GET", "/barriers/\(id)?wait=60s").status == 503)
            for watcher in watchers { watcher.go() }
            for await status in group { #expect(status == 200) }
        }
        #expect(control.context.checkpoints.barriers.watcherCount == 0)
    }

    @Test func opensByHand() async throws {
        let control = try await ControlUnderTest()
        let id = try await add(control, ["at": "request.received", "count": 9, "endpoint": "token"])
        async let held = control.ask()
        await arrivals(1, at: id, control)
        #expect(try await control.json("POST", "/barriers/\(id)/open")["released"]?.array?.count == 1)
        #expect(await held.status == 200)
        #expect(try await control.json("GET", "/barriers/\(id)?wait=10s")["state"] == "done")
    }

    @Test func keepsNoLongLabels() async throws {
        let control = try await ControlUnderTest()
        let id = try await add(control, ["at": "refresh.received", "count": 1])
        let session = try await control.newSession()
        let label = String(repeating: "x", count: 2000)
        #expect(await control.refresh(session.refresh, label: label).status == 200)
        let guest = try #require(try await control.json("GET", "/barriers/\(id)")["released"]?.array?.first)
        #expect(guest["label"]?.string?.utf8.count == 256)
    }

    /// One more than may wait is not held, and nobody is lost.
    @Test func holdsNoMoreThanMayWait() async throws {
        let control = try await ControlUnderTest()
        let most = Checkpoints.maximumWaitingCount
        let keys = try await add(control, ["at": "request.received", "count": 1000, "endpoint": "jwks"])
        let rest = try await add(control, ["at": "request.received", "count": 1000, "endpoint": "discovery"])
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<(most - 10) { group.addTask { await control.provider.get("/jwks.json").status } }
            await arrivals(most - 10, at: keys, control)
            for _ in 0..<10 {
                group.addTask { await control.provider.get("/.well-known/openid-configuration").status }
            }
            await arrivals(10, at: rest, control)
            #expect(control.context.checkpoints.barriers.heldCount == most)
            let another = await control.provider.get("/.well-known/openid-configuration")
            #expect(another.status == 200)
            #expect(another.field("Pawl-Barrier") == "\(rest) not_held")
            control.context.checkpoints.barriers.removeAll()
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test(
        arguments: [
            ([:], "at"), (["at": "refresh.juged"], "at"), (["at": "response.sent"], "at"),
            (["at": "refresh.judged", "until": "refresh.received"], "until"),
            (["at": "refresh.judged", "until": "code.judged"], "until"),
            (["at": "refresh.judged", "until": "refresh.done"], "until"),
            (["at": "refresh.judged", "count": 0], "count"), (["at": "refresh.judged", "count": 1001], "count"),
            (["at": "refresh.judged", "order": "random"], "order"),
            (["at": "refresh.judged", "sequence": ["A"]], "sequence"),
            (["at": "refresh.judged", "order": "label", "sequence": "A"], "sequence"),
            (["at": "refresh.judged", "timeout": "61s"], "timeout"),
            (["at": "refresh.judged", "timeout": 0], "timeout"),
            (["at": "refresh.judged", "endpoint": "nowhere"], "endpoint"), (["at": "refresh.judged", "who": 1], "who"),
        ] as [(JSON, String)])
    func refusesWhatCannotBe(_ body: JSON, _ path: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/barriers", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"]?.string == path, "\(answer.errorDescription)")
    }

    @Test func suggestsTheCheckpointThatWasMeant() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/barriers", ["at": "refresh.juged"])
        #expect(answer.errorDescription.contains("did you mean refresh.judged?"))
    }

    @Test func takesNoMoreThanThereMayBe() async throws {
        let control = try await ControlUnderTest()
        for _ in 0..<Barriers.maximumCount { _ = try await add(control, ["at": "refresh.received"]) }
        #expect(await control.call("POST", "/barriers", ["at": "refresh.received"]).status == 409)
    }

    @Test(arguments: ["/barriers/7", "/barriers/x", "/barriers/7?wait=1s"])
    func knowsNoneThatIsNotThere(_ path: String) async throws {
        let control = try await ControlUnderTest()
        #expect(await control.call("GET", path).status == 404)
        #expect(await control.call("DELETE", "/barriers/7").status == 404)
        #expect(await control.call("POST", "/barriers/7/open").status == 404)
        #expect(await control.call("GET", "/barriers/7?wait=61s").status == 400)
    }
}

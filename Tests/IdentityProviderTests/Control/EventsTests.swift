import HTTPMessages
import IdentityProvider
import Primitives
import Synchronization
import TestSupport
import Testing

/// What happens, as it happens.
@Suite struct EventsTests {
    private func events(_ control: ControlUnderTest, _ query: String = "") async throws -> [JSON] {
        let answer = await control.call("GET", "/events\(query)", also: [.accept: "application/json"])
        #expect(answer.status == 200, "\(answer.errorDescription)")
        return try #require(answer.json?["events"]?.array)
    }

    /// The stream of a request for events.
    private func stream(
        _ control: ControlUnderTest, _ query: String = "", _ fields: HTTPFields = [:]
    ) async throws -> @Sendable (any ServerBodyWriter) async throws -> Void {
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: ProviderUnderTest.host, path: "/_pawl/events\(query)",
            headerFields: fields)
        let response = await control.provider.provider.respond(to: ServerRequest(head: head, peer: .here, id: "r-9"))
        #expect(response.head.headerFields[.contentType] == "text/event-stream")
        guard case .stream(let produce) = response.body else { throw CancellationError() }
        return produce
    }

    @Test func tellsOfARace() async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        let session = try await control.newSession()
        _ = await control.refresh(session.refresh)
        _ = await control.refresh(session.refresh)
        let kinds = try await events(control).compactMap { $0["kind"]?.string }
        #expect(
            kinds == [
                "login.begun", "family.begun", "tokens.issued", "refresh.judged", "tokens.issued", "request.answered",
                "family.ended", "refresh.judged", "request.answered",
            ])
        let judged = try await events(control, "?kind=refresh")
        #expect(judged.map { $0["verdict"] } == ["granted", "refused"])
        #expect(judged[0]["successor"] == 2 && judged[1]["cause"] == "reused")
        #expect(judged.allSatisfy { $0["node"] == 1 && $0["client"] == "app" })
        #expect(try await events(control, "?kind=family.ended")[0]["reason"] == "refresh_token_reused")
    }

    /// A hybrid answer begins the family, and its code goes on with it.
    @Test(arguments: ["code", "code id_token", "code token"])
    func tellsOnceThatAFamilyHasBegun(type: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        idp.context.checkpoints.events.turnOn()
        let page = try await Browser(idp).signIn(.service(["response_type": type, "nonce": "n-1"]))
        #expect(await idp.redeemAsService(try #require(page.parameters["code"])).status == 200)
        var filter = EventFilter()
        filter.kinds = [.familyBegun]
        #expect(idp.context.checkpoints.events.events(after: 0, where: filter).events.count == 1)
    }

    /// The replay that comes before the first use has begun its family puts one there that has ended: nothing has begun.
    @Test func tellsOfNoFamilyThatNeverBegan() async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(gate: gate))
        idp.context.checkpoints.events.turnOn()
        let code = try await idp.code()
        let (first, replay) = await idp.redeemTwice(code, at: gate)
        #expect(first.error == "invalid_grant" && replay.error == "invalid_grant")
        var filter = EventFilter()
        filter.kinds = [.familyBegun, .familyEnded]
        #expect(idp.context.checkpoints.events.events(after: 0, where: filter).events.isEmpty)
    }

    @Test func namesTheLoginsThatARequestEnded() async throws {
        let setup = try await LogoutSetup()
        setup.idp.context.checkpoints.events.turnOn()
        let tokens = try await setup.signIn()
        #expect(try await setup.logOut(["id_token_hint": tokens.id]).saysSignedOut)
        let events = setup.idp.context.checkpoints.events.events(after: 0, where: EventFilter()).events
        let ended = events.filter { $0.kind == .loginEnded }.compactMap { $0.particulars["login"] }
        let answered = events.last { $0.kind == .requestAnswered }
        #expect(ended.count == 1 && answered?.particulars["logins"]?.array == ended && answered?.clientID == "rp")
    }

    @Test func tellsOfLogoutsTheClockFaultsAndBarriers() async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        _ = try await control.newSession()
        _ = await control.call("DELETE", "/sessions?user=alice")
        _ = try await control.json("POST", "/clock/advance", ["by": "1h"])
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 500])
        _ = try await control.json("POST", "/barriers", ["at": "request.received", "count": 1])
        _ = await control.ask()
        _ = await control.call("POST", "/reset")
        let kinds = Set(try await events(control).compactMap { $0["kind"]?.string })
        #expect(kinds == ["clock.moved", "state.reset"])
    }

    @Test(
        arguments: [
            ("login.ended", "ended"), ("clock.moved", nil), ("fault.fired", nil), ("barrier.opened", nil),
            ("barrier.done", nil),
        ] as [(String, String?)])
    func tellsOf(_ kind: String, _ reason: String?) async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        _ = try await control.newSession()
        _ = await control.call("DELETE", "/sessions?user=alice")
        _ = try await control.json("POST", "/clock/advance", ["by": "1h"])
        _ = try await control.json("POST", "/faults", ["fault": "status", "status": 500])
        _ = try await control.json("POST", "/barriers", ["at": "request.received", "count": 1])
        _ = await control.ask()
        let found = try await events(control, "?kind=\(kind)")
        #expect(found.count == 1)
        if let reason { #expect(found.first?["reason"]?.string == reason) }
    }

    /// A ring of events is no store for what others send.
    @Test(arguments: [String(repeating: "x", count: 2000), "x" + String(repeating: "%CC%81", count: 1000)])
    func keepsNoLongTextsOfOthers(_ long: String) async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        _ = await control.provider.token("grant_type=\(long)&client_id=\(long)")
        _ = await control.provider.get("/\(long)?\(long)=\(long)")
        let found = try await events(control)
        #expect(found.count == 2)
        for event in found { #expect(event.serialised().count < 1500) }
    }

    @Test func recordsNothingBeforeTheFirstReader() async throws {
        let control = try await ControlUnderTest()
        _ = await control.ask()
        #expect(try await events(control).isEmpty)
    }

    @Test func filtersByClient() async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        _ = await control.ask("reader")
        _ = await control.ask("service")
        let found = try await events(control, "?client=reader")
        #expect(found.count == 2 && found.allSatisfy { $0["client"] == "reader" })
    }

    @Test(arguments: ["?kind=refresh.juged", "?kind=x", "?after=-1", "?wait=61s", "?kind=refresh,nothing"])
    func refusesAQueryThatIsWrong(_ query: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("GET", "/events\(query)", also: [.accept: "application/json"])
        #expect(answer.status == 400)
        if query.contains("juged") { #expect(answer.errorDescription.contains("did you mean refresh.judged?")) }
    }

    @Test func waitsForTheNextOne() async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        async let next = events(control, "?wait=60s&kind=request&after=0")
        _ = await control.ask()
        #expect(try await next.count == 1)
    }

    @Test func endsTheWaitWhenTheTimeIsUp() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        async let next = events(control, "?wait=5s")
        #expect(await alarm.ringNext() == .seconds(5))
        #expect(try await next.isEmpty)
    }

    // MARK: The stream

    @Test func streamsWhatComesAndEndsWithTheProvider() async throws {
        let control = try await ControlUnderTest()
        let produce = try await stream(control, "?kind=request")
        let writer = CollectingWriter()
        let reading = Task { try await produce(writer) }
        _ = await control.ask("reader")
        await writer.wait { $0.contains("event: request.answered") }
        control.provider.provider.stopWaiting()
        try await reading.value
        let messages = writer.text.split(separator: "\n\n")
        #expect(messages.count == 2)
        let lines = messages[1].split(separator: "\n")
        #expect(lines[0].hasPrefix("id: ") && lines[1] == "event: request.answered")
        let bytes = Array(lines[2].dropFirst("data: ".count).utf8)
        let data = try JSON(parsing: bytes.span)
        #expect(data["client"] == "reader" && data["path"] == "/token")
    }

    @Test func goesOnAfterTheLastOneThatWasSeen() async throws {
        let control = try await ControlUnderTest()
        _ = try await events(control)
        for _ in 0..<3 { _ = await control.provider.get("/jwks.json") }
        let numbers = try await events(control).compactMap { $0["id"]?.int64 }
        #expect(numbers.count == 3)
        let produce = try await stream(control, "", [HTTPField.Name("Last-Event-ID")!: String(numbers[0])])
        let writer = CollectingWriter()
        let reading = Task { try await produce(writer) }
        await writer.wait { $0.contains("id: \(numbers[2])\n") }
        control.provider.provider.stopWaiting()
        try await reading.value
        #expect(writer.text.contains("id: \(numbers[1])\n"))
        #expect(!writer.text.contains("id: \(numbers[0])\n"))
    }

    @Test(arguments: ["x", "-1", "1.5"])
    func refusesALastEventThatIsNone(_ id: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("GET", "/events", also: [HTTPField.Name("Last-Event-ID")!: id])
        #expect(answer.status == 400)
    }

    @Test func saysHowManyWereLost() async throws {
        let control = try await ControlUnderTest()
        let log = control.context.checkpoints.events
        log.turnOn()
        for _ in 0..<(EventLog.capacity + 5) { control.context.clock.advance(by: .seconds(1)) }
        let batch = log.events(after: 0, where: EventFilter())
        #expect(batch.lost == 5)
        #expect(batch.events.first?.number == 6)
        #expect(batch.events.count == EventLog.maximumBatchCount)
        let rest = log.events(after: batch.cursor, where: EventFilter())
        #expect(rest.lost == 0 && rest.events.first?.number == batch.cursor + 1)
    }

    @Test func beatsWhileNothingHappens() async throws {
        let alarm = ManualAlarm()
        let control = try await ControlUnderTest(alarm: alarm)
        let produce = try await stream(control)
        let writer = CollectingWriter()
        let reading = Task { try await produce(writer) }
        #expect(await alarm.ringNext() == .seconds(15))
        await writer.wait { $0.hasSuffix("\n\n:\n\n") }
        control.provider.provider.stopWaiting()
        try await reading.value
    }

    @Test func endsWhenTheReaderHasGone() async throws {
        let control = try await ControlUnderTest()
        let produce = try await stream(control)
        let writer = CollectingWriter(failing: true)
        await #expect(throws: CancellationError.self) { try await produce(writer) }
        #expect(control.context.checkpoints.events.readerCount == 0)
    }

    /// A reader that has hung up while nothing happens keeps no place until the next sign of life.
    @Test func endsWhenTheReaderHasHungUp() async throws {
        let control = try await ControlUnderTest()
        let (presence, gone) = (ManualPresence(), ManualPresence())
        gone.go()
        let answer = await control.call(
            "GET", "/events?wait=60s", also: [.accept: "application/json"], presence: gone)
        #expect(answer.status == 200)
        let head = HTTPRequest(
            method: .get, scheme: nil, authority: ProviderUnderTest.host, path: "/_pawl/events")
        let response = await control.provider.provider.respond(
            to: ServerRequest(head: head, peer: .here, id: "r-1", presence: presence))
        guard case .stream(let produce) = response.body else { return #expect(Bool(false), "no stream") }
        let writer = CollectingWriter()
        async let reading: Void = produce(writer)
        await writer.wait { $0.contains("retry: 1000") }
        presence.go()
        try await reading
        #expect(control.context.checkpoints.events.readerCount == 0)
    }

    @Test func takesNoMoreReadersThanThereMayBe() async throws {
        let control = try await ControlUnderTest()
        let log = control.context.checkpoints.events
        let late = try await stream(control)
        for _ in 0..<EventLog.maximumReaderCount { #expect(log.enter()) }
        await #expect(throws: NoRoom.self) { try await late(CollectingWriter()) }
        #expect(!log.enter())
        #expect(await control.call("GET", "/events").status == 409)
        let query = await control.call("GET", "/events?wait=1s", also: [.accept: "application/json"])
        #expect(query.status == 409)
    }
}

/// Takes what a stream writes.
final class CollectingWriter: ServerBodyWriter {
    private let content = Mutex("")
    private let pieces: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let isFailing: Bool

    init(failing isFailing: Bool = false) {
        self.isFailing = isFailing
        (pieces, continuation) = AsyncStream.makeStream()
    }

    var text: String { content.withLock { $0 } }

    func write(_ bytes: [UInt8]) async throws {
        if isFailing { throw CancellationError() }
        content.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        continuation.yield()
    }

    /// Waits until what was written is as wanted.
    func wait(until isWanted: (String) -> Bool) async {
        for await _ in pieces where isWanted(text) { return }
    }
}

import HTTPMessages
import IdentityProvider
import Primitives
import Testing

@Suite struct ClockControlTests {
    @Test func tellsTheTime() async throws {
        let control = try await ControlUnderTest()
        let clock = try await control.json("GET", "/clock")
        #expect(clock == ["now": "2023-11-14T22:13:20.000Z", "seconds": 1_700_000_000, "frozen": false])
    }

    @Test(
        arguments: [
            (["now": "2030-01-02T03:04:05.678Z"], 1_893_553_445_678), (["now": 1_900_000_000], 1_900_000_000_000),
            (["now": 1_900_000_000.25], 1_900_000_000_250),
        ] as [(JSON, Int64)])
    func setsIt(_ body: JSON, _ milliseconds: Int64) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PUT", "/clock", body)
        #expect(control.context.clock.now().millisecondsSinceEpoch == milliseconds)
    }

    @Test(
        arguments: [
            (["seconds": 90], 90_000), (["seconds": -1.5], -1500), (["by": "1h30m"], 5_400_000),
            (["by": "-250ms"], -250),
        ] as [(JSON, Int64)])
    func movesIt(_ body: JSON, _ milliseconds: Int64) async throws {
        let control = try await ControlUnderTest()
        let before = control.context.clock.now()
        _ = try await control.json("POST", "/clock/advance", body)
        #expect(control.context.clock.now() - before == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            ("PUT", "/clock", ["now": "yesterday"], "now"), ("PUT", "/clock", ["now": -1], "now"),
            ("PUT", "/clock", [:], "now"), ("PUT", "/clock", ["then": 1], "then"),
            ("PUT", "/clock", ["now": 1, "frozen": "yes"], "frozen"),
            ("POST", "/clock/advance", [:], "seconds"), ("POST", "/clock/advance", ["seconds": 1, "by": "1s"], "by"),
            ("POST", "/clock/advance", ["by": "soon"], "by"), ("POST", "/clock/advance", ["by": "90"], "by"),
            ("POST", "/clock/advance", ["seconds": -3_000_000_000], "seconds"),
            ("POST", "/clock/advance", ["by": 1e300], "by"),
        ] as [(String, String, JSON, String)])
    func refusesWhatIsNoTimeAndSaysWhere(_ method: String, _ path: String, _ body: JSON, _ member: String) async throws
    {
        let control = try await ControlUnderTest()
        let before = control.context.clock.now()
        let answer = await control.call(method, path, body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
        #expect(control.context.clock.now() == before)
    }

    @Test func stopsItAndLetsItGoOn() async throws {
        let control = try await ControlUnderTest()
        #expect(try await control.json("POST", "/clock/freeze")["frozen"] == true)
        control.provider.clock.advance(by: .seconds(10))
        #expect(control.context.clock.now() == Timestamp(secondsSinceEpoch: 1_700_000_000))
        #expect(try await control.json("POST", "/clock/resume")["frozen"] == false)
        control.provider.clock.advance(by: .seconds(5))
        #expect(control.context.clock.now() == Timestamp(secondsSinceEpoch: 1_700_000_005))
        _ = try await control.json("POST", "/clock/reset")
        #expect(control.context.clock.now() == Timestamp(secondsSinceEpoch: 1_700_000_015))
    }

    /// Set and stopped it is at once: nobody sees it go on in between.
    @Test func isSetAndStoppedInOneStep() async throws {
        let control = try await ControlUnderTest()
        let events = "/events?kind=clock.moved"
        _ = await control.call("GET", events, also: [.accept: "application/json"])
        let set = try await control.json("PUT", "/clock", ["now": "2030-01-02T03:04:05.000Z", "frozen": true])
        #expect(set["now"] == "2030-01-02T03:04:05.000Z" && set["frozen"] == true)
        let moves = await control.call("GET", events, also: [.accept: "application/json"])
        #expect(moves.json?["events"]?.array?.count == 1)
    }

    @Test func expiresTokens() async throws {
        let control = try await ControlUnderTest()
        let token = try await control.provider.accessToken()
        _ = try await control.provider.verified(token)
        _ = try await control.json("POST", "/clock/advance", ["seconds": 301])
        let reader = await control.provider.token("token=\(token)", basic: "service:secret", path: "/introspect")
        #expect(reader.json?["active"] == false)
    }

    @Test func eachTenantHasItsOwn() async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/clock/advance", ["seconds": 60], below: "/t/one/_pawl")
        #expect(answer.json?["seconds"] == 1_700_000_060)
        let other = await control.call("GET", "/clock", below: "/t/two/_pawl")
        #expect(other.json?["seconds"] == 1_700_000_000)
    }
}

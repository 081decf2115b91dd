import HTTPMessages
import Primitives
import SessionProxy
import TestSupport
import Testing

/// How long sessions last, and how many there are.
@Suite struct SessionTests {
    private static let cookie = "__Host-pawl_session"

    @Test func saysWhoIsSignedInAndUntilWhen() async throws {
        let world = try World()
        let browser = world.browser()
        #expect(await browser.get("/_session").json == ["signed_in": false, "login": "/_session/login"])
        try await browser.signIn()
        let answer = await browser.get("/_session")
        #expect(answer.json["sub"] == "alice" && answer.json["claims"] == ["name": "Alice Ames"])
        let now = world.clock.now().secondsSinceEpoch
        #expect(answer.json["idle_ends_at"] == .number(JSONNumber(now + 86_400)))
        #expect(answer.json["ends_at"] == .number(JSONNumber(now + 30 * 86_400)))
        #expect(answer["Cache-Control"] == "no-store")
    }

    @Test func whoeverHasNoSessionIsToldOrSent() async throws {
        let world = try World()
        let browser = world.browser()
        let script = await browser.get("/x")
        #expect(
            script.status == 401 && script.error == "no_session"
                && script["WWW-Authenticate"] == "Session login=\"/_session/login\"")
        #expect(await browser.post("/x").status == 401)
        let visit = await browser.visit("/x?a=b&c=d")
        #expect(visit.status == 303 && visit.location == "/_session/login?return_to=%2Fx%3Fa%3Db%26c%3Dd")
        // An older browser says what it wants to see, and no more.
        #expect(await browser.get("/x", [.accept: "text/html,*/*"]).status == 303)
        #expect(await browser.get("/x", [.accept: "application/json"]).status == 401)
        #expect(await browser.send(.head, "/x", [.accept: "text/html"]).status == 401)
        #expect(world.shop.requests.isEmpty && world.desk.with { $0.descriptions } == 0)
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 43), "access-token-2", "refresh-token-2"])
    func aNameThatNobodyGaveOutIsNobody(_ value: String) async throws {
        let world = try World()
        _ = try await world.signedIn()
        let browser = world.browser()
        browser.cookies = [Self.cookie: value]
        #expect(await browser.get("/x").status == 401)
    }

    /// Of two, one is a neighbour's who would have the user act in his name.
    @Test func refusesTwoSessionsAtOnce() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        let own = try #require(browser.cookies[Self.cookie])
        let fields = HTTPFields(Array(Browser.script) + [HTTPField(name: .cookie, value: "\(Self.cookie)=other")])
        for path in ["/x", "/_session"] {
            let answer = await browser.get(path, fields)
            #expect(answer.status == 400 && answer.error == "ambiguous_session")
        }
        let same = HTTPFields(Array(Browser.script) + [HTTPField(name: .cookie, value: "\(Self.cookie)=\(own)")])
        #expect(await browser.get("/x", same).status == 200)
    }

    @Test func endsWhenNobodyUsesIt() async throws {
        let world = try World { $0.lifetimes.idle = .seconds(100) }
        let browser = try await world.signedIn()
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(99))
            #expect(await browser.get("/x").status == 200)
        }
        world.clock.advance(by: .seconds(100))
        #expect(await browser.get("/x").status == 401)
        #expect(world.proxy.sessionCount == 0)
        // The clock goes back, and it stays ended.
        world.clock.advance(by: .seconds(-50))
        #expect(await browser.get("/x").status == 401)
    }

    /// A tab that was forgotten asks for ever.
    @Test func askingWhoIsSignedInIsNoUse() async throws {
        let world = try World { $0.lifetimes.idle = .seconds(100) }
        let browser = try await world.signedIn()
        for _ in 0..<2 {
            world.clock.advance(by: .seconds(40))
            #expect(await browser.isSignedIn())
        }
        world.clock.advance(by: .seconds(20))
        #expect(await !browser.isSignedIn())
    }

    @Test func endsAfterItsTimeHoweverMuchItIsUsed() async throws {
        let world = try World {
            $0.lifetimes.idle = .seconds(100)
            $0.lifetimes.absolute = .seconds(250)
        }
        let browser = try await world.signedIn()
        for _ in 0..<4 {
            world.clock.advance(by: .seconds(60))
            #expect(await browser.get("/x").status == 200)
        }
        #expect(await browser.get("/_session").json["idle_ends_at"] == browser.get("/_session").json["ends_at"])
        world.clock.advance(by: .seconds(10))
        #expect(await browser.get("/x").status == 401)
    }

    @Test func whatNobodyComesBackToIsGivenBack() async throws {
        let world = try World { $0.lifetimes.idle = .seconds(100) }
        _ = try await world.signedIn()
        world.clock.advance(by: .seconds(50))
        let other = try await world.signedIn()
        world.alarm.ringAll()
        #expect(world.proxy.sessionCount == 2)
        world.clock.advance(by: .seconds(50))
        world.alarm.ringAll()
        #expect(world.proxy.sessionCount == 1)
        try await eventually { world.desk.with { $0.revoked } == ["refresh-token-2"] }
        #expect(await other.get("/x").status == 200)
    }

    @Test func oneUserDoesNotPushOthersOut() async throws {
        let world = try World { $0.limits.sessionsOfOneUser = 2 }
        let alice = try await world.signedIn()
        world.desk.with { $0.user = "bob" }
        var bobs: [Browser] = []
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(1))
            bobs.append(try await world.signedIn())
        }
        #expect(await alice.isSignedIn())
        #expect(await !bobs[0].isSignedIn())
        let (second, third) = await (bobs[1].isSignedIn(), bobs[2].isSignedIn())
        #expect(second && third && world.proxy.sessionCount == 3)
        try await eventually { world.desk.with { $0.revoked.count } == 1 }
    }

    /// What was handed over came without an ID token: it may all be one user's.
    @Test func whoeverHasNoNamePushesNobodyOut() async throws {
        let world = try World {
            $0.takesSessions = true
            $0.limits.sessions = 8
        }
        let alice = try await world.signedIn()
        var nameless: [Browser] = []
        for number in 100..<110 {
            world.clock.advance(by: .seconds(1))
            world.desk.with { $0.families[number] = "minted-\(number)" }
            let app = world.browser()
            let handed = await app.send(.post, "/_session/handover", [.authorization: "Bearer minted-\(number)"])
            #expect(handed.status == 200)
            nameless.append(app)
        }
        #expect(await alice.isSignedIn())
        var left: [Bool] = []
        for app in nameless { left.append(await app.isSignedIn()) }
        #expect(left == Array(repeating: false, count: 8) + [true, true])
        #expect(world.proxy.sessionCount == 3)
        try await eventually { world.desk.with { $0.revoked.count } == 8 }
        // And those who have one are not in their way.
        _ = try await world.signedIn()
        #expect(await nameless[9].isSignedIn())
    }

    @Test func thatWhichWasNotUsedForLongestMakesRoom() async throws {
        let world = try World { $0.limits.sessions = 2 }
        var browsers: [Browser] = []
        for user in ["alice", "bob"] {
            world.desk.with { $0.user = user }
            browsers.append(try await world.signedIn())
            world.clock.advance(by: .seconds(1))
        }
        #expect(await browsers[0].get("/x").status == 200)
        world.clock.advance(by: .seconds(1))
        world.desk.with { $0.user = "minji" }
        let third = try await world.signedIn()
        let (first, last) = await (browsers[0].isSignedIn(), third.isSignedIn())
        #expect(first && last && world.proxy.sessionCount == 2)
        #expect(await !browsers[1].isSignedIn())
    }

    @Test func theEndOfTheProcessGivesEverythingBack() async throws {
        let world = try World()
        for _ in 0..<20 { _ = try await world.signedIn() }
        await world.proxy.end(within: .seconds(10))
        #expect(world.desk.with { $0.families.isEmpty && $0.revoked.count == 20 })
        #expect(world.proxy.sessionCount == 0)
    }

    /// A provider that does not answer keeps no process alive beyond what was said.
    @Test func theEndOfTheProcessKeepsToItsBound() async throws {
        let world = try World()
        for _ in 0..<20 { _ = try await world.signedIn() }
        let (gate, over) = (Gate(), Signal())
        world.desk.with { $0.revocationGate = gate }
        Task {
            await world.proxy.end(within: .seconds(7))
            over.give()
        }
        await gate.holds(16)
        #expect(!over.isGiven)
        try await eventually {
            world.alarm.ring(.seconds(7))
            return over.isGiven
        }
        #expect(world.log.lines.joined().contains("not all tokens could be given back in time"))
        // And nothing more is begun.
        gate.open()
        try await eventually { world.desk.with { $0.revoked.count >= 16 } }
        for _ in 0..<1000 { await Task.yield() }
        #expect(world.desk.with { $0.revoked.count } == 16)
        #expect(world.proxy.sessionCount == 0)
    }

    @Test func theEndOfAProcessWithoutSessionsWaitsForNothing() async throws {
        let world = try World()
        world.desk.with { $0.revocationGate = Gate() }
        await world.proxy.end(within: .seconds(7))
        #expect(world.desk.with { $0.requests } == 0)
    }
}

/// Waits for work that nobody waits for.
func eventually(_ condition: @Sendable () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
        guard ContinuousClock.now < end else { throw NotYet() }
        await Task.yield()
    }
}

struct NotYet: Error {}

import HTTPMessages
import Primitives
import SessionProxy
import Synchronization
import TestSupport
import Testing

/// What becomes of a request whose browser has gone.
@Suite struct GoneBrowserTests {
    let world: World
    let presence = ManualPresence()

    init() throws { world = try World() }

    @Test func aBrowserThatGoesGivesItsPlaceBack() async throws {
        let browser = try await world.signedIn()
        let (gate, wasCancelled) = (Gate(), Signal())
        world.shop.answers { _, _ in
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                wasCancelled.give()
                gate.open()
            }
            return Shop.answer(.ok, "goods")
        }
        async let late = browser.send(.get, "/slow", presence: presence)
        defer { gate.open() }
        await gate.holds()
        #expect(!wasCancelled.isGiven)
        presence.go()
        try await eventually { wasCancelled.isGiven }
        _ = await late
        // The session is another matter.
        #expect(await browser.isSignedIn())
    }

    @Test func whatIsGoneBeforeItIsAskedForIsGivenUp() async throws {
        let browser = try await world.signedIn()
        presence.go()
        let (gate, wasCancelled) = (Gate(), Signal())
        world.shop.answers { _, _ in
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                wasCancelled.give()
                gate.open()
            }
            return Shop.answer(.ok, "goods")
        }
        let over = Signal()
        async let late = {
            let answer = await browser.send(.get, "/slow", presence: presence)
            over.give()
            return answer
        }()
        defer { gate.open() }
        // Nobody need have been asked.
        try await eventually { over.isGiven }
        #expect(await late.error == "browser_gone" || wasCancelled.isGiven)
        #expect(await browser.isSignedIn())
    }

    /// Nothing is written there that could fail.
    @Test func aStreamThatIsQuietEndsWithItsBrowser() async throws {
        let browser = try await world.signedIn()
        let quiet = Quiet()
        world.shop.answers { _, _ in Shop.answer(.ok, "", body: quiet) }
        async let late = browser.send(.get, "/events", presence: presence)
        defer { quiet.close() }
        await quiet.gate.holds()
        presence.go()
        try await eventually { quiet.closed.isGiven }
        #expect(await late.isCutOff)
        #expect(!world.log.lines.joined().contains("broke off"))
    }

    @Test func anAnswerThatIsStillComingEndsWithItsBrowser() async throws {
        let browser = try await world.signedIn()
        let quiet = Quiet()
        world.shop.answers { _, _ in Shop.answer(.ok, "", [.contentLength: "5"], body: quiet) }
        async let late = browser.send(.get, "/slow", presence: presence)
        defer { quiet.close() }
        await quiet.gate.holds()
        presence.go()
        try await eventually { quiet.closed.isGiven }
        #expect(await late.status == 503)
    }

    /// Others wait for the same token.
    @Test func aBrowserThatGoesTakesNoRefreshAlong() async throws {
        let browser = try await world.signedIn()
        world.clock.advance(by: .seconds(301))
        let gate = Gate()
        world.desk.with { $0.gate = gate }
        let over = Signal()
        async let late = {
            let answer = await browser.send(.get, "/a", presence: presence)
            over.give()
            return answer
        }()
        async let other = browser.get("/b")
        defer { gate.open() }
        await gate.holds()
        presence.go()
        try await eventually { over.isGiven }
        #expect(await late.error == "browser_gone")
        gate.open()
        #expect(await other.status == 200)
        #expect(world.desk.with { $0.refreshes } == 1)
        #expect(world.shop.requests.map(\.path) == ["/b"])
    }

    /// A provider takes a code once: what it brings must be kept, or it is lost.
    @Test func aLoginIsFinishedWhoeverHasGone() async throws {
        let browser = world.browser()
        let url = world.desk.authorise(try await browser.begin())
        presence.go()
        let answer = await browser.send(
            .get, String(url.dropFirst(World.origin.count)), Browser.link, presence: presence)
        #expect(answer.status == 303)
        #expect(world.proxy.sessionCount == 1)
    }
}

/// Content that never comes, until nobody wants it any more.
private final class Quiet: UpstreamBody {
    let gate = Gate()

    func next() async throws(OutboundFailure) -> [UInt8]? {
        await withTaskCancellationHandler {
            await gate.pass()
        } onCancel: {
            close()
        }
        throw .cancelled
    }

    let closed = Signal()

    func close() {
        closed.give()
        gate.open()
    }
}

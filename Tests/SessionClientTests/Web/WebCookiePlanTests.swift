import Cookies
import Primitives
import SessionClient
import Testing

/// What a bridge takes for the state of a session, and for what a store shows of it.
@Suite struct WebCookiePlanTests {
    @Test func theFirstStateThereIsMayHaveTheNumberZero() {
        let world = WebWorld()
        let session = world.session(signedIn: false)
        let bridge = world.bridge(session)
        #expect(world.open(bridge) == .success(.signedOut))
        session.tell(PageCookies(generation: 0, isSignedIn: true, cookies: [world.cookie("session", "access-0")]))
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-0"])
        withExtendedLifetime(bridge) {}
    }

    @Test func aStateOfNobodyHasNoCookies() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.tell(PageCookies(generation: 9, isSignedIn: false, cookies: [world.cookie("session", "access-9")]))
        world.time.pass(.seconds(1))
        #expect(world.values.isEmpty)
        withExtendedLifetime(bridge) {}
    }

    @Test func aCookieThatIsNoPartOfTheNextStateGoes() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        session.tell(
            PageCookies(
                generation: 9, isSignedIn: true, cookies: [world.cookie("session", "9"), world.cookie("csrf", "9")]))
        world.time.pass(.seconds(1))
        #expect(world.values == ["9", "9"])
        session.tell(PageCookies(generation: 10, isSignedIn: true, cookies: [world.cookie("session", "10")]))
        world.time.pass(.seconds(1))
        #expect(world.values == ["10"])
        withExtendedLifetime(bridge) {}
    }

    /// Seen on a real engine: it reads out what it sends no more.
    @Test func aCookieWhoseLifeSomebodyHasShortenedIsLostWhenItIsOver() {
        let world = WebWorld { $0.readsExpired = true }
        let session = world.session()
        let bridge = world.bridge(session)
        world.site.accept("9")
        session.tell(
            PageCookies(
                generation: 9, isSignedIn: true, cookies: [world.cookie("session", "9", expiresIn: .seconds(600))]))
        world.time.pass(.seconds(1))
        world.view.store.setByNeighbour(world.cookie("session", "9", expiresIn: .seconds(2)))
        world.time.pass(.seconds(10))
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
        #expect(session.refreshCount == 0)
    }

    @Test func whatHasExpiredIsNotWrittenOverAndOver() {
        let world = WebWorld()
        let session = world.session()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, session)
        world.time.pass(.seconds(1))
        let count = surface.writes.count
        session.tell(
            PageCookies(
                generation: 9, isSignedIn: true, cookies: [world.cookie("session", "9", expiresIn: .seconds(10))]))
        for _ in 0..<10 {
            world.view.store.setByNeighbour(world.cookie("theme", "\(world.time.now())"))
            world.time.pass(.seconds(60))
        }
        #expect(surface.writes.count == count + 1)
        withExtendedLifetime(bridge) {}
    }

    /// Each is the cookie of the session, and is not as the session has it.
    @Test(arguments: [
        Cookie(name: "session", value: "access-1", domain: "app.example", isSecure: true, at: moment),
        Cookie(name: "session", value: "access-1", domain: "app.example", isHTTPOnly: true, at: moment),
        Cookie(
            name: "session", value: "access-1", domain: "app.example", expires: moment + .seconds(9_000_000),
            isSecure: true, isHTTPOnly: true, at: moment),
    ])
    func whatIsWeakerOrLivesLongerIsPutRight(_ cookie: Cookie) throws {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        world.view.store.setByNeighbour(cookie)
        world.time.pass(.seconds(1))
        let kept = try #require(world.view.store.cookies.first)
        #expect(kept.isHTTPOnly && kept.isSecure && !kept.isPersistent)
        withExtendedLifetime(bridge) {}
    }

    private static let moment = Timestamp(secondsSinceEpoch: 1_700_000_000)

    @Test func aStoreThatKeepsWholeSecondsShowsWhatItWasGiven() {
        let world = WebWorld()
        let session = world.session(signedIn: false)
        let surface = RecordingSurface(world.view) { cookie in
            cookie.with(expires: cookie.expires.map { Timestamp(secondsSinceEpoch: $0.secondsSinceEpoch) })
        }
        let bridge = world.bridge(to: surface, session)
        world.time.pass(.milliseconds(345))
        session.tell(
            PageCookies(
                generation: 9, isSignedIn: true, cookies: [world.cookie("session", "9", expiresIn: .seconds(3600))]))
        world.time.pass(.seconds(60))
        #expect(surface.writes.count == 1)
        withExtendedLifetime(bridge) {}
    }
}

import Cookies
import Primitives
import SessionClient
import Testing

/// The bridge does not write without end, whoever undoes what it writes, and whatever a store makes of it (C6).
@Suite struct WebQuarrelTests {
    @Test func C6_ownWritesAreNoReasonToWriteAgain() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.open(bridge)
        world.time.pass(.seconds(60))
        #expect(surface.writes.count == 1)
    }

    @Test func C6_aSecondBridgeOverTheSameStoreStartsNoLoop() {
        let world = WebWorld()
        let session = world.session()
        let surface = RecordingSurface(world.view)
        let other = RecordingSurface(SimulatedWebView(store: world.pool.sharedStore))
        let bridges = [world.bridge(to: surface, session), world.bridge(to: other, session)]
        for bridge in bridges { world.open(bridge) }
        for _ in 0..<5 {
            session.signIn()
            world.time.pass(.seconds(10))
        }
        #expect(world.values == ["access-6"])
        #expect(surface.writes.count + other.writes.count <= 2 * 6)
        withExtendedLifetime(bridges) {}
    }

    @Test func whoUndoesEverythingIsNotFoughtWithoutEnd() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.open(bridge)
        let enemy = SimulatedWebView(store: world.pool.sharedStore)
        enemy.connect { [store = world.pool.sharedStore] _ in store.clearByNeighbour() }
        enemy.observeCookies()
        world.pool.sharedStore.clearByNeighbour()
        world.time.pass(.seconds(600))
        #expect(surface.writes.count < 40)
        // Whoever opens a page does not wait until the quarrel has cooled down.
        enemy.connect(nil)
        let before = world.time.now()
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.time.now() - before < .seconds(2))
    }

    @Test func whoStopsUndoingEverythingIsForgiven() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.open(bridge)
        let enemy = SimulatedWebView(store: world.pool.sharedStore)
        enemy.connect { [store = world.pool.sharedStore] _ in store.clearByNeighbour() }
        enemy.observeCookies()
        world.pool.sharedStore.clearByNeighbour()
        world.time.pass(.seconds(600))
        enemy.connect(nil)
        world.time.pass(.seconds(120))
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }

    @Test func newStatesAreNoQuarrel() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        for _ in 0..<50 {
            session.signIn()
            world.time.pass(.seconds(1))
            #expect(world.values == ["access-\(session.generation)"])
        }
        withExtendedLifetime(bridge) {}
    }

    @Test func aStoreThatNeverLoadsIsNotAskedWithoutEnd() {
        let world = WebWorld { $0.loading = 100_000_000...100_000_000 }
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.time.pass(.seconds(3600))
        #expect(surface.calls.count < 100)
        #expect(surface.writes.isEmpty)
        withExtendedLifetime(bridge) {}
    }

    /// One that tells of each write, though nothing comes of it, cannot be told from somebody who undoes them: it is not left
    /// alone for ever, but only once a minute is it written to.
    @Test(arguments: [(false, 1...20), (true, 1...100)])
    func aStoreThatChangesWhatItTakesIsLeftAlone(_ tellsOfIdenticalWrites: Bool, _ writes: ClosedRange<Int>) {
        let world = WebWorld { $0.tellsOfIdenticalWrites = tellsOfIdenticalWrites }
        let surface = RecordingSurface(world.view) { cookie in
            Cookie(
                name: cookie.name, value: cookie.value + "-changed", domain: cookie.domain, isSecure: true,
                at: cookie.created)
        }
        let bridge = world.bridge(to: surface, world.session())
        world.time.pass(.seconds(3600))
        #expect(writes.contains(surface.writes.count))
        withExtendedLifetime(bridge) {}
    }
}

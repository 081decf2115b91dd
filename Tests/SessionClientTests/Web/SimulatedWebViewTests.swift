import Cookies
import Primitives
import SessionClient
import Synchronization
import Testing

/// The model of a web view does what the real ones were seen doing.
@Suite struct SimulatedWebViewTests {
    @Test func aWriteIsSeenLaterAndThenCompletes() {
        let world = WebWorld { $0.writing = 100...100 }
        let isDone = Pending<Bool>()
        world.view.apply([.set(world.cookie("session", "1"))]) { isDone.set(true) }
        world.time.pass(.milliseconds(99))
        #expect(world.view.store.cookies.isEmpty)
        world.time.pass(.milliseconds(1))
        #expect(world.view.store.cookies.map(\.value) == ["1"])
        #expect(isDone.value == nil)
        world.time.pass(.milliseconds(5))
        #expect(isDone.value == true)
    }

    @Test func writesLandInTheirOrder() {
        for seed in 1...20 {
            let world = WebWorld(seed: UInt64(seed))
            for value in 1...5 { world.view.apply([.set(world.cookie("session", "\(value)"))]) {} }
            world.time.pass(.seconds(1))
            #expect(world.view.store.cookies.map(\.value) == ["5"])
        }
    }

    @Test func aPageThatLoadsBeforeTheWriteLandsGoesOutSignedOut() {
        let world = WebWorld()
        world.site.accept("1")
        world.view.apply([.set(world.cookie("session", "1"))]) {}
        #expect(world.visit()?.answer.status == 401)
        #expect(world.visit()?.answer.status == 200)
    }

    @Test func aStoreThatWasNotLoadedIsNotEmpty() {
        let world = WebWorld { $0.loading = 50...50 }
        #expect(world.read() == .notLoaded)
        world.time.pass(.milliseconds(50))
        #expect(world.read() == .loaded([]))
    }

    @Test func whatExpiresSurvivesTheAppAndASessionCookieDoesNot() {
        let world = WebWorld()
        world.view.apply([.set(world.cookie("short", "1")), .set(world.cookie("long", "2", expiresIn: .seconds(3600)))])
        {}
        world.time.pass(.seconds(5))
        #expect(world.view.store.cookies.count == 2)
        world.relaunch()
        #expect(world.view.store.cookies.map(\.name) == ["long"])
    }

    @Test func aSessionCookieLivesAsLongAsTheProcessPool() {
        let world = WebWorld()
        world.view.apply([.set(world.cookie("session", "1"))]) {}
        world.time.pass(.seconds(1))
        let other = SimulatedWebView(store: world.pool.sharedStore)
        world.view.killContentProcess()
        world.time.pass(.seconds(1))
        #expect(other.store.cookies.count == 1)
        world.relaunch()
        #expect(world.view.store.cookies.isEmpty)
    }

    @Test func whatWasNotOnTheDiskYetGoesWithTheApp() {
        let world = WebWorld { $0.flushing = 1000...1000 }
        world.view.apply([.set(world.cookie("long", "2", expiresIn: .seconds(3600)))]) {}
        world.time.pass(.milliseconds(500))
        world.relaunch()
        #expect(world.view.store.cookies.isEmpty)
    }

    @Test(arguments: [true, false])
    func whatHasExpiredIsNeverSentAndNotAlwaysRead(_ readsExpired: Bool) {
        let world = WebWorld { $0.readsExpired = readsExpired }
        world.view.apply([.set(world.cookie("long", "2", expiresIn: .seconds(60)))]) {}
        world.time.pass(.seconds(59))
        world.visit()
        #expect(world.site.fields == ["long=2"])
        world.time.pass(.seconds(60))
        let read = world.read()
        world.visit()
        #expect(world.site.fields == ["long=2"])
        guard case .loaded(let cookies) = read else { return #expect(read == .loaded([])) }
        #expect(cookies.map(\.value) == (readsExpired ? ["2"] : []))
    }

    @Test(arguments: [true, false])
    func whatIsWrittenAsItIsMayBeAChange(_ tells: Bool) {
        let world = WebWorld { $0.tellsOfIdenticalWrites = tells }
        let count = Pending<Int>()
        world.view.connect { if case .cookiesChanged = $0 { count.set((count.value ?? 0) + 1) } }
        world.view.observeCookies()
        let cookie = world.cookie("session", "1")
        for _ in 1...3 { world.view.apply([.set(cookie)]) {} }
        // That nothing goes is no change to anybody.
        world.view.apply([.expire(world.cookie("other", "1").identity)]) {}
        world.time.pass(.seconds(1))
        #expect(count.value == (tells ? 3 : 1))
    }

    @Test func theNetworkProcessTakesSessionCookiesAndObserversWithIt() {
        let world = WebWorld { $0.loading = 50...50 }
        let count = Pending<Int>()
        world.view.connect { if case .cookiesChanged = $0 { count.set((count.value ?? 0) + 1) } }
        world.view.observeCookies()
        world.view.apply([.set(world.cookie("short", "1")), .set(world.cookie("long", "2", expiresIn: .seconds(3600)))])
        {}
        world.time.pass(.seconds(5))
        let heard = count.value
        #expect(heard != nil)
        world.view.apply([.set(world.cookie("late", "3", expiresIn: .seconds(3600)))]) {}
        world.view.store.killNetworkProcess()
        #expect(world.read() == .notLoaded)
        world.time.pass(.seconds(5))
        #expect(world.view.store.cookies.map(\.name) == ["long"])
        world.view.observeCookies()
        world.view.store.setByNeighbour(world.cookie("theme", "dark"))
        world.time.pass(.seconds(5))
        #expect(count.value == heard)
    }

    @Test func whatAScriptSetsIsNeverHTTPOnly() throws {
        let world = WebWorld()
        let page = try #require(world.visit())
        page.setDocumentCookie("mine=1; Secure")
        page.setDocumentCookie("stolen=1; Secure; HttpOnly")
        #expect(world.view.store.cookies.map(\.name) == ["mine"])
        #expect(world.view.store.cookies.allSatisfy { !$0.isHTTPOnly })
    }

    @Test func aScriptNeitherSeesNorReplacesWhatIsHTTPOnly() throws {
        let world = WebWorld()
        let page = try #require(world.visit())
        world.view.store.setByNeighbour(world.cookie("session", "1"))
        world.view.store.setByNeighbour(world.cookie("theme", "dark", isHTTPOnly: false))
        page.setDocumentCookie("session=2; Secure")
        #expect(page.documentCookie == "theme=dark")
        #expect(world.view.store.cookies.map(\.value) == ["1", "dark"])
    }

    @Test func deletingTheAppDropsItsCookies() {
        let world = WebWorld()
        world.view.apply([.set(world.cookie("long", "2", expiresIn: .seconds(3600)))]) {}
        world.time.pass(.seconds(5))
        #expect(world.disk.cookies.count == 1)
        world.disk.deleteApp()
        world.relaunch()
        #expect(world.view.store.cookies.isEmpty)
    }

    @Test func aPrivateStoreSeesNothingOfOthersAndLeavesNothing() {
        let world = WebWorld()
        let hidden = SimulatedWebView(store: world.pool.privateStore())
        hidden.apply([.set(world.cookie("mine", "1", expiresIn: .seconds(3600)))]) {}
        world.view.apply([.set(world.cookie("theirs", "1"))]) {}
        world.time.pass(.seconds(5))
        world.pool.sharedStore.clearByNeighbour()
        #expect(hidden.store.cookies.map(\.name) == ["mine"])
        #expect(world.disk.cookies.isEmpty)
    }

    @Test func whoSharesAStoreSharesItsCookies() {
        let world = WebWorld()
        let other = SimulatedWebView(store: world.pool.sharedStore)
        world.view.apply([.set(world.cookie("session", "1"))]) {}
        world.time.pass(.seconds(1))
        #expect(other.store.cookies.count == 1)
    }

    @Test func aKilledContentProcessTakesItsPageAndItsWritesAlong() {
        let world = WebWorld { $0.writing = 100...100 }
        world.visit()
        let isDone = Pending<Bool>()
        let isTold = Pending<Bool>()
        world.view.connect { if case .contentProcessTerminated = $0 { isTold.set(true) } }
        world.view.apply([.set(world.cookie("session", "1"))]) { isDone.set(true) }
        world.view.killContentProcess()
        world.time.pass(.seconds(1))
        #expect(world.view.page == nil)
        #expect(world.view.store.cookies.isEmpty)
        #expect(isDone.value == nil)
        #expect(isTold.value == true)
    }

    @Test func cookiesGetLostWithTheContentProcess() {
        var left: Set<Int> = []
        for seed in 1...20 {
            let world = WebWorld(seed: UInt64(seed)) { $0.lossAtKill = 50 }
            for name in 1...4 { world.view.apply([.set(world.cookie("c\(name)", "1"))]) {} }
            world.time.pass(.seconds(1))
            world.view.killContentProcess()
            left.insert(world.view.store.cookies.count)
        }
        #expect(left.count > 2)
    }

    @Test func aCompletionMayNeverCome() {
        let world = WebWorld { $0.lostCompletions = 100 }
        let isDone = Pending<Bool>()
        world.view.apply([.set(world.cookie("session", "1"))]) { isDone.set(true) }
        world.time.pass(.seconds(60))
        #expect(isDone.value == nil)
        #expect(world.view.store.cookies.count == 1)
    }

    @Test func anObserverMayBeForgotten() {
        let world = WebWorld()
        let count = Counter()
        world.view.connect { _ in count.add() }
        world.view.observeCookies()
        world.view.store.setByNeighbour(world.cookie("a", "1"))
        world.time.pass(.seconds(1))
        #expect(count.value == 1)
        world.view.store.forgetObservers()
        world.view.store.setByNeighbour(world.cookie("a", "2"))
        world.time.pass(.seconds(1))
        #expect(count.value == 1)
    }

    @Test func aLateAnswerSetsItsCookiesThoughThePageIsGone() {
        let world = WebWorld()
        world.site.set("session=late; Path=/; Secure; HttpOnly", after: .seconds(1))
        world.view.load(WebWorld.page)
        world.time.pass(.milliseconds(100))
        world.view.killContentProcess()
        world.time.pass(.seconds(2))
        #expect(world.view.page == nil)
        #expect(world.view.store.cookies.map(\.value) == ["late"])
    }

    @Test func thePromiseOfAPageThatGoesIsNeverKept() throws {
        let world = WebWorld()
        let page = try #require(world.visit())
        let outcome = world.time.begin { await page.post(["type": "refresh"]) }
        world.time.pass(.seconds(1))
        #expect(outcome.value == nil)
        world.visit()
        #expect(outcome.value == .pageGone)
    }

    @Test func theSameSeedGivesTheSameRun() {
        func run(_ seed: UInt64) -> [String] {
            let world = WebWorld(seed: seed) { $0.lossAtKill = 50 }
            for name in 1...6 { world.view.apply([.set(world.cookie("c\(name)", "1"))]) {} }
            world.time.pass(.milliseconds(60))
            world.view.killContentProcess()
            world.time.pass(.seconds(1))
            return world.view.store.cookies.map(\.name)
        }
        #expect(run(7) == run(7))
        #expect(Set((1...20).map { run(UInt64($0)) }).count > 5)
    }
}

/// Counts, from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

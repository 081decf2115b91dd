import Cookies
import Primitives
import SessionClient
import Testing

/// Whatever happens, and in whichever order: at the end the page is what the session is.
@Suite struct WebBridgeScheduleTests {
    @Test(arguments: 0..<8)
    func endsAsTheSessionIs(_ part: Int) {
        for seed in 0..<60 {
            var schedule = WebSchedule(seed: UInt64(part * 1000 + seed))
            schedule.run(stepCount: 40)
            if let fault = schedule.fault {
                Issue.record("seed \(part * 1000 + seed): \(fault), after \(schedule.steps.joined(separator: ", "))")
            }
        }
    }

    @Test func everyKindOfStepHappens() {
        var schedule = WebSchedule(seed: 1)
        schedule.run(stepCount: 500)
        #expect(Set(schedule.steps.map { $0.prefix { $0 != " " } }).count == WebSchedule.Step.allCases.count)
    }
}

/// One life of an app with a bridge, by chance.
struct WebSchedule {
    enum Step: String, CaseIterable {
        case wait, waitLong, refresh, signOut, signIn, open, ask, kill, lose, clear, forget, lateAnswer, oldCookie
        case killNetwork, relaunch, offline, online
    }

    private let random: SeededRandom
    private let world: WebWorld
    private let session: PageSessionFake
    private var surface: RecordingSurface
    private var bridge: WebSessionBridge
    private var surfaces: [RecordingSurface]
    private var pages: [SimulatedPage] = []
    private var isObserved = true
    private(set) var steps: [String] = []
    private(set) var fault: String?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let numbers = random.bytes(4).map(Int.init)
        world = WebWorld(seed: seed) { behaviour in
            behaviour.lostCompletions = [0, 0, 30, 100][numbers[0] % 4]
            behaviour.lossAtKill = [0, 50, 100][numbers[1] % 3]
            behaviour.writing = [1...5, 5...40, 50...900, 5...3000][numbers[2] % 4]
            behaviour.loading = [1...5, 500...3000][numbers[3] % 2]
        }
        session = world.session()
        surface = RecordingSurface(world.view)
        surfaces = [surface]
        bridge = world.bridge(to: surface, session)
    }

    private func below(_ bound: Int) -> Int {
        Int(random.bytes(2).reduce(0) { $0 << 8 | UInt32($1) }) % bound
    }

    mutating func run(stepCount: Int) {
        for _ in 0..<stepCount where fault == nil {
            let step = Step.allCases[below(Step.allCases.count)]
            steps.append(step.rawValue)
            take(step)
            if below(3) > 0 { world.time.pass(.milliseconds(below(200))) }
            check()
        }
        finish()
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .wait: world.time.pass(.milliseconds(below(500)))
        case .waitLong: world.time.pass(.seconds(below(100)))
        case .refresh: if session.isSignedIn { session.signIn() }
        case .signOut: session.signOut()
        case .signIn: session.signIn()
        case .open: _ = world.time.begin { [bridge] in try? await bridge.open(WebWorld.page) }
        case .ask:
            guard let page = world.view.page else { return }
            pages.append(page)
            let body: JSON = below(2) == 0 ? ["type": "refresh"] : ["type": "refresh", "generation": 2]
            _ = world.time.begin { await page.post(body) }
        case .kill: world.view.killContentProcess()
        case .killNetwork:
            world.view.store.killNetworkProcess()
            isObserved = false
        case .lose: world.view.store.lose(percent: 50)
        case .clear: world.pool.sharedStore.clearByNeighbour()
        case .forget:
            world.view.store.forgetObservers()
            isObserved = false
        case .lateAnswer:
            world.site.set(
                "session=access-\(session.generation); Path=/; Secure; HttpOnly; SameSite=Lax",
                after: .milliseconds(below(5000)))
            if let page = world.view.page { _ = world.time.begin { await page.fetch(WebWorld.page) } }
            world.site.set()
        case .oldCookie:
            let old = session.generation > 1 ? session.generation - 1 : 0
            world.view.store.setByNeighbour(world.cookie("session", "access-\(old)"))
        case .relaunch: relaunch()
        case .offline: session.fail(.offline)
        case .online: session.fail(.none)
        }
    }

    private mutating func relaunch() {
        bridge.close()
        // What was said to an app that is no more has no answer, or one.
        if pages.contains(where: { page in page.replyCounts.contains { $0 > 1 } }) { fault = "two answers" }
        pages = []
        world.relaunch()
        surface = RecordingSurface(world.view)
        surfaces.append(surface)
        bridge = world.bridge(to: surface, session)
        isObserved = true
    }

    /// Nobody who must not have it ever has the refresh token.
    private mutating func check() {
        var texts = world.values + world.view.sentFields + world.site.fields
        texts += world.view.page.map { [$0.documentCookie] } ?? []
        for case .set(let cookie) in surface.writes.joined() { texts.append(cookie.value) }
        if texts.contains(where: { $0.contains("REFRESH") }) { fault = "a refresh token is in the web view" }
    }

    private mutating func finish() {
        guard fault == nil else { return }
        session.fail(.none)
        world.time.pass(.seconds(150))
        let wanted = session.current.isSignedIn ? ["access-\(session.generation)"] : []
        if isObserved, world.values != wanted {
            fault = "the web view has \(world.values) and should have \(wanted)"
            return
        }
        let opened = world.open(bridge)
        guard opened == .success(session.isSignedIn ? .signedIn : .signedOut) else {
            fault = "the page could not be opened: \(String(describing: opened))"
            return
        }
        world.time.pass(.seconds(5))
        let status = world.view.page?.answer.status
        if status != (session.isSignedIn ? 200 : 401) { fault = "the page has \(String(describing: status))" }
        if world.values != wanted { fault = "after opening, the web view has \(world.values)" }
        if !pages.allSatisfy({ page in page.replyCounts.allSatisfy { $0 == 1 } }) {
            fault = "messages were answered \(pages.map(\.replyCounts)) times"
        }
        bridge.close()
    }
}

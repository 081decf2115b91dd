import Cookies
import HTTPMessages
import Primitives
import SessionClient
import Testing

/// The examples of the documentation: the model of a web view.
@Suite struct SimulationExamples {
    private let world = WebWorld()

    @Test func anEnvironment() {
        let (clock, alarm, site) = (world.time, world.time, world.site)
        var behaviour = SimulatedWebBehaviour()
        behaviour.writing = 200...300
        behaviour.lossAtKill = 100
        let environment = SimulatedWebEnvironment(
            clock: clock, alarm: alarm, random: SeededRandom(seed: 1), network: site, behaviour: behaviour)
        do {
            let disk = SimulatedWebDisk()
            let pool = SimulatedProcessPool(disk: disk, environment: environment)
            disk.deleteApp()
            let view = SimulatedWebView(store: pool.privateStore())
            #expect(view.store !== pool.sharedStore)
        }
        let disk = SimulatedWebDisk()
        let pool = SimulatedProcessPool(disk: disk, environment: environment)
        let view = SimulatedWebView(store: pool.sharedStore)
        pool.end()  // the app is killed
        let next = SimulatedProcessPool(disk: disk, environment: environment)
        #expect(view.store !== next.sharedStore)
    }

    @Test func aWebView() {
        let pool = world.pool
        let view = SimulatedWebView(store: pool.sharedStore)
        view.load("https://app.example/")
        view.killContentProcess()
        print(view.loads, view.sentFields)
        #expect(view.loads == ["https://app.example/"])
        let cookie = world.cookie("session", "access-1")
        view.store.setByNeighbour(cookie)
        view.store.lose(percent: 50)
        view.store.clearByNeighbour()
        view.store.forgetObservers()
        view.store.killNetworkProcess()
        view.store.flush()
        #expect(view.store.cookies.isEmpty)
    }

    @Test func aPage() throws {
        let page = try #require(world.visit())
        world.view.connect { event in
            if case .message(let message) = event { message.reply(.value(["status": "signed_out"])) }
        }
        let outcome = world.time.result {
            page.setDocumentCookie("theme=dark; Path=/")
            if await page.fetch("https://app.example/api")?.status == 401 {
                print(await page.post(["type": "refresh"]))
            }
            return true
        }
        let settled = world.time.result {
            let answer = await page.fetch("https://app.example/session/refresh", method: .post)
            return answer?.status
        }
        #expect(settled == 401)
        #expect(outcome == true && page.replyCounts == [1] && page.documentCookie == "theme=dark")
    }
}

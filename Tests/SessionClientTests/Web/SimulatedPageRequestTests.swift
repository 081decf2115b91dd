import HTTPMessages
import Primitives
import SessionClient
import Synchronization
import Testing

/// What pages send, and when they are there.
@Suite struct SimulatedPageRequestTests {
    /// A browser says whose script it is that may change something, and says nothing of a link or a script that only reads.
    @Test func onlyAScriptThatMayChangeSomethingNamesItsOrigin() async throws {
        let time = WebAlarm()
        let network = RequestLog()
        let view = Self.view(time, network)
        view.load("https://app.example/account")
        time.pass(.seconds(1))
        let page = try #require(view.page)
        _ = time.result { await page.fetch("https://app.example/data") }
        _ = time.result { await page.fetch("https://other.example/refresh", method: .post) }
        #expect(network.lines == ["GET /account -", "GET /data -", "POST /refresh https://app.example"])
    }

    @Test func whoWaitsForAPageGetsTheOneOfTheLastNavigation() {
        let time = WebAlarm()
        let view = Self.view(time, SiteFake(alarm: time))
        #expect(time.result { await view.settledPage() == nil } == true)
        view.load("https://app.example/one")
        let page = time.begin { await view.settledPage()?.url }
        time.runJobs()
        view.load("https://app.example/two")
        time.pass(.seconds(1))
        #expect(page.value == "https://app.example/two")
        #expect(time.result { await view.settledPage()?.url } == "https://app.example/two")
    }

    @Test func whoWaitsForAPageThatIsKilledHearsThatThereIsNone() {
        let time = WebAlarm()
        let view = Self.view(time, SiteFake(alarm: time))
        view.load("https://app.example/")
        let isThere = time.begin { await view.settledPage() != nil }
        time.runJobs()
        #expect(isThere.value == nil)
        view.killContentProcess()
        time.runJobs()
        #expect(isThere.value == false)
    }

    private static func view(_ time: WebAlarm, _ network: any OutboundRequests) -> SimulatedWebView {
        let environment = SimulatedWebEnvironment(
            clock: time, alarm: time, random: SeededRandom(seed: 1), network: network, launch: time.launch)
        return SimulatedWebView(
            store: SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment).sharedStore)
    }
}

/// Answers everything, and remembers what it was.
private final class RequestLog: OutboundRequests {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func send(_ request: HTTPRequest, body: [UInt8]) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        let line = "\(request.method) \(request.path ?? "-") \(request.headerFields[.origin] ?? "-")"
        state.withLock { $0.append(line) }
        return (HTTPResponse(status: .ok), [])
    }
}

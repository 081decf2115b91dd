import Cookies
import Dispatch
import Primitives
import SessionClient
import Testing

/// The bridge on many threads at once, with nobody who puts them in order.
@Suite struct WebBridgeThreadsTests {
    @Test(.timeLimit(.minutes(2)))
    func everybodyIsAnsweredAndTheNewestStateIsThere() async throws {
        let alarm = DispatchAlarm()
        let site = SiteFake(alarm: alarm)
        let environment = SimulatedWebEnvironment(
            clock: SystemWallClock(), alarm: alarm, random: SystemRandom(), network: site)
        let pool = SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment)
        let view = SimulatedWebView(store: pool.sharedStore)
        let session = PageSessionFake(time: alarm, site: site)
        session.signIn()
        var configuration = WebWorld.configuration
        configuration.limits.message = .seconds(5)
        let bridge = WebSessionBridge(
            session: session, surface: view, configuration: configuration, clock: SystemWallClock(), alarm: alarm)
        try await bridge.open(WebWorld.page)
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { _ = try? await bridge.open(WebWorld.page) }
                group.addTask { _ = await view.page?.post(["type": "refresh"]) }
                group.addTask { session.signIn() }
                group.addTask { pool.sharedStore.clearByNeighbour() }
                group.addTask { view.killContentProcess() }
                await group.next()
            }
        }
        session.signIn()
        let state = try await bridge.open(WebWorld.page)
        #expect(state == .signedIn)
        #expect(view.store.cookies.map(\.value) == ["access-\(session.generation)"])
        bridge.close()
    }
}

/// Rings in real time.
private struct DispatchAlarm: Alarm {
    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay.inMilliseconds)), execute: body)
    }
}

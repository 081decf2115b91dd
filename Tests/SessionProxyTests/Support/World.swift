import HTTPMessages
import OAuth
import Observability
import Primitives
import SessionClient
import SessionProxy
import Synchronization
import TestSupport

/// A provider, an upstream and a proxy between, and a time that the test moves.
final class World: Sendable {
    let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
    let alarm = Bells()
    let log = MemoryLogSink()
    let desk: Desk
    let shop: Shop
    let proxy: SessionProxy

    static let origin = "https://app.example"

    init(
        origin: String = World.origin, upstream: String = "http://127.0.0.1:3000",
        _ change: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws {
        desk = Desk(clock: clock)
        shop = Shop(desk)
        var configuration = try ProxyConfiguration(
            origin: PublicOrigin(origin)!, upstream: UpstreamAddress(upstream)!,
            scope: Scope(parsing: "openid offline_access"))
        change(&configuration)
        proxy = SessionProxy(
            configuration,
            provider: ProviderLink(
                issuer: Desk.issuer, client: ClientIdentity("proxy"), outbound: desk, clock: clock),
            upstream: shop, clock: clock, alarm: alarm,
            logger: Logger(level: .debug, format: .json, sink: log, clock: clock))
    }

    func browser() -> Browser { Browser(self) }

    /// One that has signed in.
    func signedIn() async throws -> Browser {
        let browser = browser()
        try await browser.signIn()
        return browser
    }
}

/// Rings when the test says so.
final class Bells: Alarm {
    private let armed = Mutex<[(delay: Duration, body: @Sendable () -> Void)]>([])

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        armed.withLock { $0.append((delay, body)) }
    }

    func ringAll() { ring { _ in true } }

    /// Those that were to ring after just so long.
    func ring(_ delay: Duration) { ring { $0 == delay } }

    private func ring(_ isMeant: (Duration) -> Bool) {
        let ringing = armed.withLock { armed in
            defer { armed.removeAll { isMeant($0.delay) } }
            return armed.filter { isMeant($0.delay) }
        }
        for bell in ringing { bell.body() }
    }
}

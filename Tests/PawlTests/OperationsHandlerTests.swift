import HTTPMessages
import Observability
import Synchronization
import Testing
import pawl

@Suite struct OperationsHandlerTests {
    /// Answers everything with 404, as the provider does with paths that it does not know.
    private struct Provider: RequestHandler {
        func respond(to request: ServerRequest) async -> ServerResponse { ServerResponse(status: .notFound) }
    }

    private static let loopback = ServerRequest.Peer(address: "127.0.0.1", isLoopback: true, isEncrypted: false)
    private static let unix = ServerRequest.Peer(address: "unix", isLoopback: true, isEncrypted: false)
    private static let stranger = ServerRequest.Peer(address: "192.0.2.7", isLoopback: false, isEncrypted: true)

    private func answer(
        to path: String?, _ method: HTTPRequest.Method = .get, from peer: ServerRequest.Peer = loopback,
        by handler: OperationsHandler<Provider>
    ) async -> ServerResponse {
        let head = HTTPRequest(method: method, scheme: "http", authority: "x", path: path)
        return await handler.respond(to: ServerRequest(head: head, peer: peer, id: "1"))
    }

    private func status(of path: String?, from handler: OperationsHandler<Provider>) async -> Int {
        await answer(to: path, by: handler).head.status.code
    }

    private func text(of response: ServerResponse) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    private func metrics() -> MetricsRegistry {
        let registry = MetricsRegistry()
        registry.gauge("pawl_of_client", help: "Names a client.", labels: [MetricLabel("client", "service")]) { 1 }
        return registry
    }

    @Test(arguments: [loopback, unix]) func givesMetricsToThisMachine(peer: ServerRequest.Peer) async {
        let handler = OperationsHandler(provider: Provider(), metrics: metrics())
        let response = await answer(to: "/metrics", from: peer, by: handler)
        #expect(response.head.status.code == 200)
        #expect(text(of: response).contains("service"))
    }

    @Test(arguments: ["/metrics", "/metrics?x=1"], [HTTPRequest.Method.get, .head])
    func givesMetricsToNobodyElse(path: String, method: HTTPRequest.Method) async {
        let handler = OperationsHandler(provider: Provider(), metrics: metrics())
        let response = await answer(to: path, method, from: Self.stranger, by: handler)
        #expect(response.head.status.code == 403)
        #expect(text(of: response).contains("--metrics-from any"))
        #expect(!text(of: response).contains("service"))
    }

    @Test(arguments: [loopback, stranger]) func givesMetricsToAllWhenToldSo(peer: ServerRequest.Peer) async {
        let handler = OperationsHandler(provider: Provider(), metrics: metrics(), for: .any)
        #expect(await answer(to: "/metrics", from: peer, by: handler).head.status.code == 200)
    }

    @Test(arguments: ["/health", "/ready"]) func strangersMayKnowWhetherItLives(path: String) async {
        let handler = OperationsHandler(provider: Provider(), metrics: metrics())
        handler.setReady(true)
        #expect(await answer(to: path, from: Self.stranger, by: handler).head.status.code == 200)
    }

    /// A server without metrics does not say what it would do with them.
    @Test func withoutMetricsAStrangerLearnsNothingOfThem() async {
        let handler = OperationsHandler(provider: Provider(), metrics: nil)
        #expect(await answer(to: "/metrics", from: Self.stranger, by: handler).head.status.code == 404)
    }

    @Test func isReadyOnlyWhenToldSo() async {
        let handler = OperationsHandler(provider: Provider(), metrics: nil)
        #expect(await status(of: "/ready", from: handler) == 503)
        handler.setReady(true)
        #expect(await status(of: "/ready", from: handler) == 200)
        handler.setReady(false)
        #expect(await status(of: "/ready", from: handler) == 503)
        // It is alive all the time.
        #expect(await status(of: "/health", from: handler) == 200)
    }

    @Test func isNotReadyWhileWhatItStandsOnDoesNotWork() async {
        let ground = Ground()
        let handler = OperationsHandler(
            provider: Provider(), metrics: nil, isWorking: { ground.isWorking.withLock { $0 } })
        handler.setReady(true)
        for isWorking in [true, false, true] {
            ground.isWorking.withLock { $0 = isWorking }
            #expect(await status(of: "/ready", from: handler) == (isWorking ? 200 : 503))
            #expect(await status(of: "/health", from: handler) == 200)
        }
    }

    private final class Ground: Sendable {
        let isWorking = Mutex(true)
    }

    @Test(arguments: ["/", "/metrics", "/health/x", "//health", "/Health", "*", nil])
    func passesOnWhatIsNotItsOwn(path: String?) async {
        let handler = OperationsHandler(provider: Provider(), metrics: nil)
        #expect(await status(of: path, from: handler) == 404)
    }
}

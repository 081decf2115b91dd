import HTTPMessages
import HTTPWire
import Networking
import Synchronization

/// A server behind a proxy, that keeps what it is sent.
final class RecordingUpstream: RequestHandler {
    typealias Answer = @Sendable (ServerRequest) async -> ServerResponse

    private let group: EventLoopGroup
    private let received = Mutex<[ServerRequest]>([])
    private let started = Mutex<(server: HTTPServer, url: String)?>(nil)
    private let answer: Answer

    init(at host: String = "127.0.0.1", _ answer: @escaping Answer) async throws {
        self.answer = answer
        group = try EventLoopGroup(count: 1)
        var configuration = ServerConfiguration(listeners: [.init(.ip(host: host, port: 0))])
        configuration.limits.bodyBytes = 16 << 20
        let server = HTTPServer(configuration: configuration, group: group, handler: self)
        let url = try await server.start()[0].description
        started.withLock { $0 = (server, url) }
    }

    var url: String { started.withLock { $0?.url ?? "" } }
    var requests: [ServerRequest] { received.withLock { $0 } }

    /// The tokens that came, each once.
    var tokens: Set<String> {
        Set(requests.compactMap { $0.head.headerFields[.authorization].map { String($0.dropFirst("Bearer ".count)) } })
    }

    func respond(to request: ServerRequest) async -> ServerResponse {
        received.withLock { $0.append(request) }
        return await answer(request)
    }

    func stop() async {
        await started.withLock { $0?.server }?.drain(within: .zero)
        group.shutdown()
    }
}

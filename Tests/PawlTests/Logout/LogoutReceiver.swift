import HTTPMessages
import Networking
import Synchronization

/// The server of a client, with an address for logout tokens: keeps what it is sent, and says that it has understood.
final class LogoutReceiver: RequestHandler {
    private let group: EventLoopGroup
    private let received = Mutex<[ServerRequest]>([])
    private let started = Mutex<(server: HTTPServer, url: String)?>(nil)

    init() async throws {
        group = try EventLoopGroup(count: 1)
        let server = HTTPServer(
            configuration: ServerConfiguration(listeners: [.init(.ip(host: "127.0.0.1", port: 0))]), group: group,
            handler: self)
        let url = try await server.start()[0].description + "/backchannel?tenant=1"
        started.withLock { $0 = (server, url) }
    }

    var url: String { started.withLock { $0?.url ?? "" } }
    var requests: [ServerRequest] { received.withLock { $0 } }

    func respond(to request: ServerRequest) async -> ServerResponse {
        received.withLock { $0.append(request) }
        return ServerResponse(status: .ok, headerFields: [.cacheControl: "no-store"])
    }

    func stop() async {
        await started.withLock { $0?.server }?.drain(within: .zero)
        group.shutdown()
    }
}

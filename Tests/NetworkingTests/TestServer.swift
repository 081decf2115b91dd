import Foundation
import HTTPMessages
import HTTPWire
import Networking
import Observability
import Primitives
import Synchronization

/// Answers by a closure.
struct ClosureHandler: RequestHandler {
    let answer: @Sendable (ServerRequest) async -> ServerResponse

    init(_ answer: @escaping @Sendable (ServerRequest) async -> ServerResponse) {
        self.answer = answer
    }

    func respond(to request: ServerRequest) async -> ServerResponse { await answer(request) }
}

/// A server on a free port of its own, with loops of its own.
final class TestServer: Sendable {
    let server: HTTPServer
    let group: EventLoopGroup
    let addresses: [BoundAddress]

    init(
        listen: [ServerConfiguration.Listener] = [.init(.ip(host: "127.0.0.1", port: 0))], loops: Int = 1,
        clock: any WallClock = SystemWallClock(), logger: Logger = .silent,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (ServerRequest) async -> ServerResponse = TestServer.echo
    ) async throws {
        group = try EventLoopGroup(count: loops)
        var configuration = ServerConfiguration(listeners: listen)
        // A machine that is busy with other tests is no slow client.
        configuration.deadlines.head = .seconds(600)
        configuration.deadlines.body = .seconds(600)
        configuration.deadlines.write = .seconds(600)
        configuration.deadlines.idle = .seconds(600)
        configure(&configuration)
        server = HTTPServer(
            configuration: configuration, group: group, handler: ClosureHandler(answer), logger: logger, clock: clock)
        addresses = try await server.start()
    }

    var address: ListenAddress { addresses[0].address }

    func connect(receiveBuffer: Int32? = nil) throws -> TestSocket {
        try TestSocket(to: address, receiveBuffer: receiveBuffer)
    }

    func stop() async {
        await server.drain(within: .zero)
        group.shutdown()
    }

    /// Waits until the statistics say so; they are what tells that a loop has seen something.
    func wait(until condition: @Sendable (ServerStatistics) -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while !condition(server.statistics) {
            guard ContinuousClock.now < end else { throw TestSocket.Failure(description: "\(server.statistics)") }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Method, path and body of the request.
    static let echo: @Sendable (ServerRequest) async -> ServerResponse = { request in
        let text = "\(request.head.method) \(request.head.path ?? "") \(String(decoding: request.body, as: UTF8.self))"
        return ServerResponse(status: .ok, headerFields: [.contentType: "text/plain"], body: .bytes(Array(text.utf8)))
    }
}

/// Runs `body` against a server and stops it, whatever comes.
func withServer<Value: Sendable>(
    listen: [ServerConfiguration.Listener] = [.init(.ip(host: "127.0.0.1", port: 0))], loops: Int = 1,
    clock: any WallClock = SystemWallClock(), logger: Logger = .silent,
    configure: (inout ServerConfiguration) -> Void = { _ in },
    answer: @escaping @Sendable (ServerRequest) async -> ServerResponse = TestServer.echo,
    _ body: @Sendable (TestServer) async throws -> Value
) async throws -> Value {
    let server = try await TestServer(
        listen: listen, loops: loops, clock: clock, logger: logger, configure: configure, answer: answer)
    do {
        let value = try await body(server)
        await server.stop()
        return value
    } catch {
        await server.stop()
        throw error
    }
}

/// Opened once; whoever waits goes on then. No actor: a handler must not have to wait for a thread that other tests hold.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() async {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }
}

/// Counts what many threads do.
final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.add(1, ordering: .relaxed) }
}

import HTTPMessages
import HTTPWire

/// A task that runs the handler for one request after another, of whichever connection. To begin a task costs several
/// times what it costs to wake one that waits, so a loop keeps those it has. Confined to its loop.
final class HandlerWorker: @unchecked Sendable {
    /// A request, and where its response goes.
    struct Assignment {
        let connection: ServerConnection
        let incoming: IncomingRequest
        let id: RequestID
        let number: Int

        var request: ServerRequest {
            ServerRequest(
                head: incoming.head.request, body: incoming.body, trailerFields: incoming.trailers,
                peer: connection.peer, id: id.text,
                presence: ServerConnection.Presence(connection: connection, number: number))
        }
    }

    private let server: ServerLoop
    @exclusivity(unchecked) private var assignment: Assignment?
    @exclusivity(unchecked) private var continuation: UnsafeContinuation<Void, Never>?

    init(server: ServerLoop) {
        self.server = server
    }

    /// Runs the first assignment: at once, up to where the handler first waits for something.
    func begin(_ first: Assignment) {
        assignment = first
        Task.immediate(executorPreference: server.loop) { [self] in await serve() }
    }

    /// Runs the next assignment, at once as well; without one, the task ends.
    func wake(_ next: Assignment?) {
        assignment = next
        guard let waiting = continuation else { preconditionFailure("a worker that does not wait was woken") }
        continuation = nil
        server.loop.resumeNow { waiting.resume() }
    }

    private func serve() async {
        while let current = assignment {
            assignment = nil
            let (connection, number) = (current.connection, current.number)
            let response = await server.handler.respond(to: current.request)
            if case .stream(let produce) = response.body {
                await connection.stream(response, number: number, produce)
            } else if server.loop.isCurrent {
                connection.respond(response, to: number)
            } else {
                server.loop.execute { connection.respond(response, to: number) }
            }
            // A handler may have left its task where it does not belong (on Swift 6.3, `nonisolated(nonsending)` code
            // loses the executor after a throw), or cancelled. Such a one is not used again.
            guard server.loop.isCurrent, !Task.isCancelled, server.keep(self) else { return }
            await withUnsafeContinuation { continuation = $0 }
        }
    }
}

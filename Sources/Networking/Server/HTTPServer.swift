import HTTPMessages
import HTTPWire
import Observability
import Primitives
import Synchronization

/// An HTTP/1.1 server on a group of loops: a request runs on the loop that read it.
///
///     let server = HTTPServer(configuration: configuration, group: group, handler: handler)
///     let addresses = try await server.start()
///     …
///     await server.drain(within: .seconds(10))
package final class HTTPServer: Sendable {
    private let configuration: ServerConfiguration
    private let loops: ServerLoops
    private let admission: Admission
    private let logger: Logger
    private let acceptors = Mutex<[Acceptor]>([])

    package init(
        configuration: ServerConfiguration, group: EventLoopGroup, handler: some RequestHandler,
        logger: Logger = .silent, clock: any WallClock = SystemWallClock(), random: some RandomSource = SystemRandom()
    ) {
        self.configuration = configuration
        self.logger = logger
        let admission = Admission(limit: configuration.connectionLimits.connections)
        self.admission = admission
        let bodyBudget = BodyBudget(
            limit: max(configuration.connectionLimits.bufferedBodyBytes, configuration.limits.bodyBytes))
        loops = ServerLoops(
            group.loops.map { loop in
                let part = ServerLoop(
                    loop: loop, configuration: configuration, bodyBudget: bodyBudget, handler: handler,
                    logger: logger, clock: clock, random: random)
                part.onClose = { admission.leave() }
                return part
            })
    }

    /// Listens everywhere or nowhere. Returns where, with the ports that the kernel chose.
    package func start() async throws(NetworkingError) -> [BoundAddress] {
        let opened = try openSockets()
        let started = opened.enumerated().map { index, listener in
            Acceptor(
                socket: listener.socket, tls: listener.tls, loop: loops.all[index % loops.all.count].loop,
                admission: admission, logger: logger, next: { [loops] in loops.next() })
        }
        acceptors.withLock { $0 += started }
        do throws(NetworkingError) {
            for acceptor in started { try await acceptor.start() }
        } catch {
            await stopListening()
            throw error
        }
        return opened.map {
            BoundAddress(
                address: $0.socket.address, isEncrypted: $0.tls != nil,
                asksForCertificate: $0.tls?.clientCertificates.areAskedFor ?? false)
        }
    }

    private func openSockets() throws(NetworkingError) -> [(socket: ListeningSocket, tls: TLSServerContext?)] {
        var opened: [(socket: ListeningSocket, tls: TLSServerContext?)] = []
        do {
            for listener in configuration.listeners {
                for socket in try ListeningSocket.open(listener.address) { opened.append((socket, listener.tls)) }
            }
        } catch {
            for (socket, _) in opened { socket.close() }
            throw error
        }
        return opened
    }

    private func stopListening() async {
        for acceptor in acceptors.withLock({ $0 }) { await acceptor.stop() }
    }

    /// Stops listening, closes the connections that do nothing, lets the requests that run finish, and cuts off what
    /// has not finished in time.
    /// - Returns: how many connections were cut off.
    @discardableResult
    package func drain(within bound: Duration) async -> Int {
        let deadline = MonotonicInstant.now() + bound
        await stopListening()
        return await withTaskGroup(of: Int.self) { group in
            for loop in loops.all { group.addTask { await loop.drain(until: deadline) } }
            return await group.reduce(0, +)
        }
    }

    /// Reads the certificates and keys again, and renews what is automatic and about to expire. Connections that are
    /// open are not touched; on an error every certificate that is in use stays.
    package func reloadTLS() async throws(NetworkingError) {
        var contexts: [TLSServerContext] = []
        for case let context? in configuration.listeners.map(\.tls) where !contexts.contains(where: { $0 === context })
        {
            contexts.append(context)
        }
        // Waits for files, and perhaps for another process that holds them.
        try await BlockingWork.run { [contexts] () throws(NetworkingError) in
            var loaded: [TLSServerContext.Material] = []
            for context in contexts { loaded.append(try context.load()) }
            for (context, material) in zip(contexts, loaded) { context.use(material) }
        }
    }

    /// What has happened so far. Read without stopping anything, so the numbers may be a moment apart.
    package var statistics: ServerStatistics {
        var sum = ServerStatistics()
        for loop in loops.all { loop.statistics.add(to: &sum) }
        sum.refusedConnections = admission.refused
        return sum
    }
}

import HTTPMessages
import HTTPWire
import Networking
import Observability
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What the options make, for every command that is a server.
extension ServerOptions {
    static func logger(_ arguments: Arguments, clock: SystemWallClock) -> Logger {
        let format: LogFormat =
            switch arguments[logFormat] {
            case .auto: .automatic(forDescriptor: STDERR_FILENO)
            case .text: .text(colour: LogFormat.wantsColour(onDescriptor: STDERR_FILENO))
            case .json: .json
            }
        return Logger(level: arguments[logLevel], format: format, descriptor: STDERR_FILENO, clock: clock)
    }

    /// Event loops, and room for the connections that they are to carry.
    static func makeGroup(_ arguments: Arguments, _ logger: Logger) throws(CommandFailure) -> EventLoopGroup {
        let room = DescriptorLimit.makeRoom(forConnections: arguments[connections])
        if room < arguments[connections] {
            logger.warning("the limit of open files allows fewer connections", [LogField("connections", room)])
        }
        do throws(NetworkingError) {
            return try EventLoopGroup(count: arguments[loops] ?? EventLoopGroup.availableCores)
        } catch {
            throw error.failure
        }
    }

    /// Limits and deadlines.
    static func configuration(
        _ arguments: Arguments, listeners: [ServerConfiguration.Listener]
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration(listeners: listeners)
        configuration.limits.requestLineBytes = arguments[requestLine]
        configuration.limits.headerBytes = arguments[headerBytes]
        configuration.limits.headerCount = arguments[headerCount]
        configuration.limits.bodyBytes = arguments[body]
        configuration.connectionLimits.connections = arguments[connections]
        configuration.connectionLimits.pipelinedRequests = arguments[pipelined]
        configuration.deadlines.head = arguments[head]
        configuration.deadlines.body = arguments[bodyTime]
        configuration.deadlines.idle = arguments[idle]
        configuration.deadlines.write = arguments[write]
        return configuration
    }

    /// `nil`: requests are not logged.
    static func accessLog(_ arguments: Arguments, _ logger: Logger) -> (@Sendable (AccessRecord) -> Void)? {
        guard arguments[accessLog] else { return nil }
        return { record in
            logger.info(
                "request",
                [
                    LogField("request", record.requestID), LogField("method", record.method?.rawValue ?? "-"),
                    LogField("path", record.path ?? "-"), LogField("status", record.status.code),
                    LogField("took", record.duration), LogField("bytes", record.responseBytes),
                    LogField("peer", record.peer.address),
                ])
        }
    }
}

/// The file that says where a server listens.
extension ListenOptions {
    /// Whoever waits for it must not find that of an earlier run.
    static func removePorts(_ arguments: Arguments) {
        if let file = arguments[portFile] { unlink(file) }
    }

    static func writePorts(of addresses: [BoundAddress], _ arguments: Arguments) throws(CommandFailure) {
        guard let file = arguments[portFile] else { return }
        let ports = addresses.compactMap(\.port).map { "\($0)\n" }.joined()
        do throws(FileError) {
            try FileSystem.replace(file, with: Array(ports.utf8), mode: 0o644)
        } catch {
            throw error.failure
        }
    }
}

import HTTPMessages
import HTTPWire
import IdentityProvider
import Networking
import Observability
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A server from its options to its end.
struct ServerProcess {
    private let invocation: Invocation
    let clock = SystemWallClock()
    let logger: Logger
    let listeners: Listeners
    private let clients: ClientRegistry
    let keys: ServerKeys
    /// `nil`: nothing is measured.
    private let metrics: MetricsRegistry?

    var arguments: Arguments { invocation.arguments }

    init(_ invocation: Invocation) throws(CommandFailure) {
        let arguments = invocation.arguments
        self.invocation = invocation
        logger = Self.makeLogger(arguments, clock: clock)
        clients = try Clients.read(arguments)
        listeners = try Listeners(arguments)
        metrics = arguments[ServerOptions.noMetrics] ? nil : MetricsRegistry()
        if let metrics { ServerMetrics.registerProcess(in: metrics, started: clock.now()) }
        keys = try ServerKeys.open(
            directory: arguments[ProviderOptions.keys], algorithm: arguments[ProviderOptions.algorithm],
            policy: try Self.keyPolicy(arguments), clock: clock)
    }

    private static func makeLogger(_ arguments: Arguments, clock: SystemWallClock) -> Logger {
        let format: LogFormat =
            switch arguments[ServerOptions.logFormat] {
            case .auto: .automatic(forDescriptor: STDERR_FILENO)
            case .text: .text(colour: LogFormat.wantsColour(onDescriptor: STDERR_FILENO))
            case .json: .json
            }
        return Logger(
            level: arguments[ServerOptions.logLevel], format: format, descriptor: STDERR_FILENO, clock: clock)
    }

    /// A key must have begun to sign before the next one is made, or none ever would.
    private static func keyPolicy(_ arguments: Arguments) throws(CommandFailure) -> KeyRingPolicy {
        var policy = KeyRingPolicy(longestTokenLifetime: arguments[ProviderOptions.lifetime])
        if let rotation = arguments[ProviderOptions.rotation] {
            policy.cacheLifetime = min(policy.cacheLifetime, rotation / 2)
            guard policy.hasRoom(rotatingEvery: rotation) else {
                throw .usage(
                    "a new key every \(DurationText.write(rotation)) makes more than \(KeyRing.State.maximumCount) keys "
                        + "whose tokens, good for \(DurationText.write(policy.longestTokenLifetime)), are still valid",
                    hint: "Give --rotate-keys-every a longer time, or --token-lifetime a shorter one.")
            }
        }
        return policy
    }

    func run() async throws(CommandFailure) {
        let handler = OperationsHandler(
            provider: try makeProvider(), metrics: metrics, for: arguments[ServerOptions.metricsAudience])
        // Whoever waits for the file must not find that of an earlier run.
        if let file = arguments[ListenOptions.portFile] { unlink(file) }
        let room = DescriptorLimit.makeRoom(forConnections: arguments[ServerOptions.connections])
        if room < arguments[ServerOptions.connections] {
            logger.warning("the limit of open files allows fewer connections", [LogField("connections", room)])
        }
        let group = try makeGroup()
        do throws(CommandFailure) {
            try await run(on: group, handler)
        } catch {
            group.shutdown()
            throw error
        }
        group.shutdown()
        logger.flush()
    }

    private func run(
        on group: EventLoopGroup, _ handler: OperationsHandler<IdentityProvider>
    ) async throws(CommandFailure) {
        let (signals, server, addresses) = try await start(handler, on: group)
        handler.setReady(true)
        do throws(CommandFailure) {
            try announce(addresses)
        } catch {
            // Nobody knows of the server yet, so nobody misses it.
            await server.drain(within: .zero)
            throw error
        }
        let care = startKeyCare()
        let reloading = await serve(server, until: signals)
        care.cancel()
        handler.setReady(false)
        await end(server, signals, after: [care, reloading])
    }

    private func makeGroup() throws(CommandFailure) -> EventLoopGroup {
        do throws(NetworkingError) {
            return try EventLoopGroup(count: arguments[ServerOptions.loops] ?? EventLoopGroup.availableCores)
        } catch {
            throw error.failure
        }
    }

    private func start(
        _ handler: some RequestHandler, on group: EventLoopGroup
    ) async throws(CommandFailure) -> (SignalSource, HTTPServer, [BoundAddress]) {
        do throws(NetworkingError) {
            let signals = try SignalSource([.terminate, .interrupt, .hangUp], on: group.next())
            let server = HTTPServer(
                configuration: serverConfiguration, group: group, handler: handler, logger: logger, clock: clock,
                random: SystemRandom())
            if let metrics { ServerMetrics.register(server, in: metrics) }
            return (signals, server, try await server.start())
        } catch {
            throw error.failure
        }
    }

    private func makeProvider() throws(CommandFailure) -> IdentityProvider {
        let audiences = arguments[ProviderOptions.audience]
        let configuration = ProviderConfiguration(
            issuer: arguments[ListenOptions.issuer].map { .fixed($0) } ?? .followsHost, clients: clients,
            accessTokens: AccessTokenPolicy(
                algorithm: arguments[ProviderOptions.algorithm], lifetime: arguments[ProviderOptions.lifetime],
                audience: audiences.isEmpty ? .issuer : .fixed(audiences)),
            crossOrigin: CrossOriginPolicy(arguments[ProviderOptions.crossOrigins]))
        do throws(ProviderConfigurationError) {
            return try IdentityProvider(
                configuration: configuration, keyRing: keys.ring, clock: clock, random: SystemRandom(), logger: logger,
                metrics: metrics ?? MetricsRegistry())
        } catch {
            throw .usage(error.description)
        }
    }

    private var serverConfiguration: ServerConfiguration {
        var configuration = ServerConfiguration(listeners: listeners.all)
        configuration.limits.requestLineBytes = arguments[ServerOptions.requestLine]
        configuration.limits.headerBytes = arguments[ServerOptions.headerBytes]
        configuration.limits.headerCount = arguments[ServerOptions.headerCount]
        configuration.limits.bodyBytes = arguments[ServerOptions.body]
        configuration.connectionLimits.connections = arguments[ServerOptions.connections]
        configuration.connectionLimits.pipelinedRequests = arguments[ServerOptions.pipelined]
        configuration.deadlines.head = arguments[ServerOptions.head]
        configuration.deadlines.body = arguments[ServerOptions.bodyTime]
        configuration.deadlines.idle = arguments[ServerOptions.idle]
        configuration.deadlines.write = arguments[ServerOptions.write]
        configuration.refusalRenderer = RefusalResponse.render
        configuration.accessLog = accessHook
        return configuration
    }

    /// Measures and logs requests, as far as that is wanted.
    private var accessHook: (@Sendable (AccessRecord) -> Void)? {
        let durations = metrics.map(ServerMetrics.requestDurations)
        guard arguments[ServerOptions.accessLog] else {
            guard let durations else { return nil }
            return { durations.observe($0.duration) }
        }
        return { [logger] record in
            durations?.observe(record.duration)
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

    private func announce(_ addresses: [BoundAddress]) throws(CommandFailure) {
        if let file = arguments[ListenOptions.portFile] {
            let ports = addresses.compactMap(\.port).map { "\($0)\n" }.joined()
            do throws(FileError) {
                try FileSystem.replace(file, with: Array(ports.utf8), mode: 0o644)
            } catch {
                throw error.failure
            }
        }
        let report = StartReport(
            addresses: addresses, issuer: arguments[ListenOptions.issuer], clients: clients,
            clientsAreStandard: !arguments.isGiven(ProviderOptions.client)
                && !arguments.isGiven(ProviderOptions.clientFile),
            keys: keys, authority: listeners.tls?.localAuthority)
        if arguments[CommonOptions.json] {
            try invocation.console.print(report.json.text())
        } else {
            try invocation.console.print(report.text, terminator: "")
        }
        for address in addresses { logger.info("listening", [LogField("address", address.description)]) }
        if keys.store == nil { logger.info("keys are in memory, for this run only") }
    }
}

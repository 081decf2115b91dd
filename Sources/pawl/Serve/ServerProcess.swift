import HTTPMessages
import HTTPWire
import IdentityProvider
import Networking
import Observability
import Primitives

/// A server from its options to its end.
struct ServerProcess {
    private let invocation: Invocation
    let clock = SystemWallClock()
    let logger: Logger
    let listeners: Listeners
    let settings: ServerSettings
    let keys: ServerKeys
    /// `nil`: what happens is forgotten at the end.
    let data: DataDirectory?
    /// `nil`: nothing is measured.
    private let metrics: MetricsRegistry?

    var arguments: Arguments { invocation.arguments }

    init(_ invocation: Invocation) throws(CommandFailure) {
        let arguments = invocation.arguments
        self.invocation = invocation
        logger = ServerOptions.logger(arguments, clock: clock)
        settings = try ServerSettings(invocation)
        listeners = try Listeners(arguments)
        metrics = arguments[ServerOptions.noMetrics] ? nil : MetricsRegistry()
        if let metrics { ServerMetrics.registerProcess(in: metrics, started: clock.now()) }
        data = try arguments[DataOptions.directory].map { [logger] (path) throws(CommandFailure) in
            try DataDirectory(path, logger: logger)
        }
        if let metrics { data?.register(in: metrics) }
        keys = try ServerKeys.open(
            directory: arguments[ProviderOptions.keys] ?? data?.keys, tenants: data?.tenants,
            algorithm: settings.current.root.accessTokens.algorithm,
            policy: try Self.keyPolicy(arguments, settings.current), clock: clock)
    }

    /// A key must have begun to sign before the next one is made, or none ever would.
    private static func keyPolicy(
        _ arguments: Arguments, _ settings: ProviderSettings
    ) throws(CommandFailure) -> KeyRingPolicy {
        var policy = KeyRingPolicy(longestTokenLifetime: settings.longestTokenLifetime)
        if let rotation = arguments[ProviderOptions.rotation] {
            policy.cacheLifetime = min(policy.cacheLifetime, rotation / 2)
            guard policy.hasRoom(rotatingEvery: rotation) else {
                throw .usage(
                    "a new key every \(DurationText.write(rotation)) makes more than \(KeyRing.State.maximumCount) keys "
                        + "whose tokens, good for \(DurationText.write(policy.longestTokenLifetime)), are still valid",
                    hint:
                        "Give --rotate-keys-every a longer time, or --token-lifetime and --id-token-lifetime shorter ones."
                )
            }
        }
        return policy
    }

    func run() async throws(CommandFailure) {
        warnOfWhatIsAllowed()
        ListenOptions.removePorts(arguments)
        let group = try ServerOptions.makeGroup(arguments, logger)
        do throws(CommandFailure) {
            let provider = try await makeProvider(on: group)
            let handler = OperationsHandler(
                provider: provider, metrics: metrics, for: arguments[ServerOptions.metricsAudience],
                isWorking: { [data] in await data?.isWorking() ?? true })
            try await run(on: group, handler, provider)
        } catch {
            group.shutdown()
            data?.close()
            throw error
        }
        group.shutdown()
        data?.close()
        logger.flush()
    }

    private func run(
        on group: EventLoopGroup, _ handler: OperationsHandler<IdentityProvider>, _ provider: IdentityProvider
    ) async throws(CommandFailure) {
        let (signals, server, addresses) = try await start(handler, on: group)
        handler.setReady(true)
        do throws(CommandFailure) {
            if let port = addresses.first(where: \.asksForCertificate)?.port {
                try settings.announceCertificatePort(
                    UInt16(port), besides: Self.ordinaryEntrance(addresses), at: provider)
            }
            try announce(addresses)
        } catch {
            // Nobody knows of the server yet, so nobody misses it.
            await server.drain(within: .zero)
            throw error
        }
        let care = startKeyCare()
        let reloading = await serve(server, provider, until: signals)
        care.cancel()
        handler.setReady(false)
        handler.provider.stopWaiting()
        await end(server, signals, after: [care, reloading])
    }

    /// Through TLS, if there is such a listener.
    private static func ordinaryEntrance(_ addresses: [BoundAddress]) -> OrdinaryEntrance? {
        let ordinary = addresses.filter { !$0.asksForCertificate && $0.port != nil }
        guard let address = ordinary.first(where: \.isEncrypted) ?? ordinary.first, let port = address.port else {
            return nil
        }
        return OrdinaryEntrance(port: UInt16(port), isEncrypted: address.isEncrypted)
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

    /// - Parameter group: where the requests of the provider's own are made.
    private func makeProvider(on group: EventLoopGroup) async throws(CommandFailure) -> IdentityProvider {
        let root = settings.current.root
        var environment = ProviderEnvironment(
            clock: clock, random: SystemRandom(), keySupply: keys, outbound: try makeOutboundClient(on: group),
            logger: logger, metrics: metrics ?? MetricsRegistry())
        environment.alarm = group
        environment.batches = group
        if let data {
            environment.makeStore = { data.store(of: $0) }
            environment.makeSecret = { data.secret(of: $0) }
        }
        environment.describeNeighbours = { [hasMetrics = metrics != nil] document in
            OperationsDescription.describe(in: &document, hasMetrics: hasMetrics)
        }
        do {
            for algorithm in root.algorithms where !keys.ring.canSign(with: algorithm) {
                try await keys.addKey(for: algorithm, to: keys.ring, at: clock.now())
            }
            return try await IdentityProvider(
                configuration: root, environment: environment, keyRing: keys.ring,
                configurationOfTenants: { [settings] in settings.configuration(of: $0) })
        } catch {
            throw .usage("\(error)")
        }
    }

    private func makeOutboundClient(on group: EventLoopGroup) throws(CommandFailure) -> OutboundClient {
        do throws(NetworkingError) {
            return try OutboundClient(
                group: group, additionalAuthorities: settings.current.root.outboundAuthorities)
        } catch {
            throw error.failure
        }
    }

    private var serverConfiguration: ServerConfiguration {
        var configuration = ServerOptions.configuration(arguments, listeners: listeners.all)
        configuration.refusalRenderer = RefusalResponse.render
        configuration.accessLog = accessHook
        return configuration
    }

    /// Measures and logs requests, as far as that is wanted.
    private var accessHook: (@Sendable (AccessRecord) -> Void)? {
        let durations = metrics.map(ServerMetrics.requestDurations)
        guard let log = ServerOptions.accessLog(arguments, logger) else {
            guard let durations else { return nil }
            return { durations.observe($0.duration) }
        }
        return { record in
            durations?.observe(record.duration)
            log(record)
        }
    }

    private func announce(_ addresses: [BoundAddress]) throws(CommandFailure) {
        try ListenOptions.writePorts(of: addresses, arguments)
        let report = StartReport(
            addresses: addresses, settings: settings.current, file: arguments[UserOptions.configuration], keys: keys,
            data: data?.path, authority: listeners.localAuthority)
        if arguments[CommonOptions.json] {
            try invocation.console.print(report.json.text())
        } else {
            try invocation.console.print(report.text, terminator: "")
        }
        for address in addresses { logger.info("listening", [LogField("address", address.description)]) }
        if keys.store == nil { logger.info("keys are in memory, for this run only") }
    }
}

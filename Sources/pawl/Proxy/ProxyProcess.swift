import HTTPMessages
import Networking
import Observability
import Primitives
import SessionProxy

/// A proxy from its options to its end.
struct ProxyProcess {
    private let invocation: Invocation
    private let clock = SystemWallClock()
    private let logger: Logger
    private let listeners: Listeners
    private let settings: ProxySettings

    private var arguments: Arguments { invocation.arguments }

    init(_ invocation: Invocation) throws(CommandFailure) {
        self.invocation = invocation
        logger = ServerOptions.logger(invocation.arguments, clock: clock)
        settings = try ProxySettings(invocation.arguments)
        listeners = try Listeners(invocation.arguments, tlsPort: ProxyOptions.tlsPort)
    }

    func run() async throws(CommandFailure) {
        ListenOptions.removePorts(arguments)
        let group = try ServerOptions.makeGroup(arguments, logger)
        do throws(CommandFailure) { try await run(on: group) } catch {
            group.shutdown()
            throw error
        }
        group.shutdown()
        logger.flush()
    }

    private func run(on group: EventLoopGroup) async throws(CommandFailure) {
        let clients = try makeClients(on: group)
        let handler = LateHandler()
        let (signals, server, addresses) = try await start(handler, on: group)
        let proxy: SessionProxy
        do throws(CommandFailure) {
            let configuration = try settings.configuration(at: addresses)
            proxy = SessionProxy(
                configuration,
                provider: ProviderLink(
                    issuer: settings.issuer, client: settings.client, outbound: clients.provider, clock: clock),
                upstream: NetworkUpstream(client: clients.upstream), clock: clock, alarm: group, logger: logger)
            handler.begin(proxy)
            try announce(addresses, configuration, cookieName: proxy.cookieName)
        } catch {
            // Nobody knows of the server yet, so nobody misses it.
            await server.drain(within: .zero)
            throw error
        }
        await serve(server, clients, until: signals)
        await Draining(arguments: arguments, logger: logger).drain(server, signals, reserving: .quarter) { rest in
            // Nobody could use them any more.
            await proxy.end(within: rest)
        }
    }

    /// Those who are asked: the provider, whose answers are short, and the upstream, whose answers pass through.
    private struct Clients {
        let provider: OutboundClient
        let upstream: OutboundClient
    }

    private func makeClients(on group: EventLoopGroup) throws(CommandFailure) -> Clients {
        var limits = OutboundLimits()
        limits.deadline = arguments[ProxyOptions.upstreamTimeout]
        limits.responseBytes = Self.greatestAnswerBytes
        limits.headerBytes = arguments[ServerOptions.headerBytes]
        limits.requestsAtOnce = arguments[ServerOptions.connections]
        let authorities = arguments[ProxyOptions.authorities]
        do throws(NetworkingError) {
            return Clients(
                provider: try OutboundClient(group: group, additionalAuthorities: authorities),
                upstream: try OutboundClient(group: group, limits: limits, additionalAuthorities: authorities))
        } catch {
            throw error.failure
        }
    }

    /// An answer is not held, and so may be long.
    private static let greatestAnswerBytes = 1 << 50

    private func start(
        _ handler: LateHandler, on group: EventLoopGroup
    ) async throws(CommandFailure) -> (SignalSource, HTTPServer, [BoundAddress]) {
        var configuration = ServerOptions.configuration(arguments, listeners: listeners.all)
        configuration.refusalRenderer = { status, reason in ProxyAnswer.refusal(status, reason) }
        configuration.accessLog = ServerOptions.accessLog(arguments, logger)
        do throws(NetworkingError) {
            let signals = try SignalSource([.terminate, .interrupt, .hangUp], on: group.next())
            let server = HTTPServer(
                configuration: configuration, group: group, handler: handler, logger: logger, clock: clock)
            return (signals, server, try await server.start())
        } catch {
            throw error.failure
        }
    }

    private func announce(
        _ addresses: [BoundAddress], _ configuration: ProxyConfiguration, cookieName: String
    ) throws(CommandFailure) {
        try ListenOptions.writePorts(of: addresses, arguments)
        let report = ProxyReport(
            addresses: addresses, configuration: configuration, settings: settings, cookieName: cookieName,
            authority: listeners.localAuthority)
        if arguments[CommonOptions.json] {
            try invocation.console.print(report.json.text())
        } else {
            try invocation.console.print(report.text, terminator: "")
        }
        for address in addresses { logger.info("listening", [LogField("address", address.description)]) }
    }

    /// Returns when the process has been told to end.
    private func serve(_ server: HTTPServer, _ clients: Clients, until signals: SignalSource) async {
        for await signal in signals.signals {
            guard signal == .hangUp else { return }
            do throws(NetworkingError) {
                if listeners.hasTLS { try await server.reloadTLS() }
                try await clients.provider.readAuthoritiesAgain()
                try await clients.upstream.readAuthoritiesAgain()
                logger.info("certificates and authorities read again")
            } catch {
                logger.error("certificates and authorities stay as they were", [LogField("reason", error.description)])
            }
        }
    }
}

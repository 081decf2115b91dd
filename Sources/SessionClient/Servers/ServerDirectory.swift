import HTTPMessages
import OAuth
import Primitives

/// One client at one server: asks for the server's metadata when somebody first needs it, once for everybody who does.
package actor ServerDirectory {
    package nonisolated let clock: any WallClock
    private nonisolated let issuer: String
    private nonisolated let client: ClientIdentity
    private nonisolated let binding: SessionConfiguration.TokenBinding
    private nonisolated let outbound: any OutboundRequests
    private nonisolated let alarm: any Alarm
    private nonisolated let limit: Duration

    private var known: (server: ServerDescription, until: Timestamp?)?
    private var asking: Task<Result<ServerDescription, DiscoveryError>, Never>?

    /// A server may move an endpoint while an app runs on: it is asked again after a day.
    private static let validity = Duration.seconds(86_400)
    private static let pauseAfterFailure = Duration.seconds(60)

    package init(
        _ configuration: SessionConfiguration, outbound: any OutboundRequests, clock: any WallClock, alarm: any Alarm
    ) {
        issuer = configuration.issuer
        client = configuration.client
        binding = configuration.binding
        limit = configuration.timing.answerLimit
        self.outbound = outbound
        self.clock = clock
        self.alarm = alarm
    }

    /// For a server that is known already, and stays as it is.
    package init(_ tokens: TokenClient) {
        issuer = tokens.server.issuer.identifier
        client = tokens.client
        binding = .none
        outbound = tokens.outbound
        clock = tokens.clock
        alarm = NoAlarm()
        limit = .zero
        known = (tokens.server, nil)
    }

    /// Without a key: for bearer tokens, or to be given that of a session.
    package func tokens() async throws(DiscoveryError) -> TokenClient {
        TokenClient(server: try await server(), client: client, outbound: outbound, clock: clock)
    }

    /// For a login: with a new key where tokens are to be bound to one.
    package func tokensForLogin(random: any RandomSource) async throws(LoginError) -> TokenClient {
        let server: ServerDescription
        do throws(DiscoveryError) { server = try await self.server() } catch { throw .unknownServer(error) }
        var proofs: DPoPProver?
        if binding == .whereOffered, server.takesProofs {
            guard let key = try? DPoPKey.generate() else { throw .notPossibleHere("no key can be made") }
            proofs = DPoPProver(key: key, clock: clock, random: random)
        }
        return TokenClient(server: server, client: client, outbound: outbound, clock: clock, proofs: proofs)
    }

    private func server() async throws(DiscoveryError) -> ServerDescription {
        if let known, known.until.map({ clock.now() < $0 }) ?? true { return known.server }
        // Nobody's child: who asked first may go, and the others still wait (R10).
        let task =
            asking
            ?? Task { [issuer, outbound, clock, alarm, limit] in
                // R12: nobody joins for ever what never ends.
                await alarm.first(within: limit, or: .failure(.unreachable(.timedOut))) {
                    await Self.ask(issuer, Discovery(outbound: outbound, clock: clock))
                }
            }
        asking = task
        let result = await task.value
        if asking == task { asking = nil }
        switch result {
        case .success(let server):
            known = (server, clock.now() + Self.validity)
            return server
        case .failure(let error):
            // What was true yesterday is better than nothing, and not asked about each time.
            guard let known else { throw error }
            self.known = (known.server, clock.now() + Self.pauseAfterFailure)
            return known.server
        }
    }

    private static func ask(
        _ issuer: String, _ discovery: Discovery
    ) async -> Result<ServerDescription, DiscoveryError> {
        let parsed: Issuer
        do throws(IssuerError) { parsed = try Issuer(issuer) } catch { return .failure(.notAnIssuer("\(error)")) }
        do throws(DiscoveryError) { return .success(try await discovery.describe(parsed)) } catch {
            return .failure(error)
        }
    }
}

extension Unavailability {
    /// A server that nobody knows how to ask is one that does not answer: the session stays.
    init(_ error: DiscoveryError) {
        switch error {
        case .unreachable(let failure): self.init(failure)
        case .unavailable(let unavailability): self = unavailability
        case .notAnIssuer, .unusableIssuer, .notFound, .noDocument, .otherIssuer, .malformed: self.init(.unreadable)
        }
    }
}

import HTTPMessages
import IdentityProvider
import Networking
import Primitives

/// A provider that listens, with a loop of its own: when it ends, nothing of it is left.
final class TestServer: Sendable {
    let provider: IdentityProvider
    /// Host and port.
    let authority: String
    private let group: EventLoopGroup
    private let server: HTTPServer

    private init(provider: IdentityProvider, authority: String, group: EventLoopGroup, server: HTTPServer) {
        self.provider = provider
        self.authority = authority
        self.group = group
        self.server = server
    }

    static func start(_ setup: TestSetup) async throws(IdentityProviderTestingError) -> TestServer {
        let configuration = try setup.configuration()
        let group: EventLoopGroup
        do { group = try EventLoopGroup(count: 1) } catch {
            throw IdentityProviderTestingError(.system, error.description)
        }
        do throws(IdentityProviderTestingError) {
            return try await start(configuration, on: group)
        } catch {
            group.shutdown()
            throw error
        }
    }

    private static func start(
        _ configuration: ProviderConfiguration, on group: EventLoopGroup
    ) async throws(IdentityProviderTestingError) -> TestServer {
        let provider: IdentityProvider
        do {
            let policy = KeyRingPolicy(longestTokenLifetime: configuration.accessTokens.lifetime)
            var environment = ProviderEnvironment(
                clock: SystemWallClock(), random: SystemRandom(), keySupply: ImmediateKeySupply(policy: policy))
            environment.alarm = group
            environment.batches = group
            provider = try await IdentityProvider(configuration: configuration, environment: environment)
        } catch {
            throw IdentityProviderTestingError(.badConfiguration, "\(error)")
        }
        let server = HTTPServer(
            configuration: ServerConfiguration(listeners: [.init(.ip(host: loopback, port: 0))]), group: group,
            handler: provider)
        do {
            guard let port = try await server.start().first?.port else {
                throw IdentityProviderTestingError(.system, "the server listens nowhere")
            }
            return TestServer(
                provider: provider, authority: "\(loopback):\(port)", group: group, server: server)
        } catch let error as IdentityProviderTestingError {
            throw error
        } catch {
            throw IdentityProviderTestingError(.system, "\(error)")
        }
    }

    private static let loopback = "127.0.0.1"

    /// Whoever is connected is cut off: the test that wanted an answer is over.
    func stop() async {
        provider.stopWaiting()
        await server.drain(within: .zero)
        group.shutdown()
    }
}

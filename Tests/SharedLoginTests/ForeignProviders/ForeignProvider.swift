import Foundation
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import TestSupport
import Testing

/// A provider that is not ours, as a process of its own: one of `Tests/CrossChecks/providers`. Killed when its owner is gone.
final class ForeignProvider: Sendable {
    /// By whom it is made.
    enum Make: String, Sendable {
        case oauthToolkit = "django_oauth_toolkit.py"
        /// It knows neither a grace period nor reuse protection, and takes no token back.
        case oidcProvider = "django_oidc_provider.py"
    }

    struct Setup: Sendable {
        var make = Make.oauthToolkit
        /// Of access tokens, in seconds.
        var lifetime = 60
        /// `REFRESH_TOKEN_GRACE_PERIOD_SECONDS`.
        var grace = 0
        /// `REFRESH_TOKEN_REUSE_PROTECTION`.
        var isProtected = false
        /// Of what its token endpoint says: as long it is on its way.
        var delay = Duration.zero

        fileprivate var arguments: [String] {
            var arguments = ["--lifetime", "\(lifetime)", "--delay", "\(delay.inMilliseconds)"]
            if grace > 0 { arguments += ["--grace", "\(grace)"] }
            if isProtected { arguments.append("--protect") }
            return arguments
        }
    }

    /// What came to its token endpoint and what it said; and what is in its tables.
    struct State: Decodable, Sendable {
        struct Request: Decodable, Sendable {
            let grant: String?
            let status: Int
            let error: String?
            let isLost: Bool
        }

        let requests: [Request]
        /// `live` and `revoked`, where those are kept.
        let refreshTokens: [String: Int]
        let accessTokens: Int
        let families: Int

        var refreshes: [Request] { requests.filter { $0.grant == "refresh_token" } }
        /// How often a token was replaced by another, where those are kept: one came with the login.
        var rotations: Int { refreshTokens.values.reduce(0, +) - families }
    }

    static let clientID = "native"
    static let username = "alice"
    static let password = "correct horse"

    let issuer: String
    private let directory: TemporaryDirectory
    private let process: RunningProcess
    private let outbound: any OutboundRequests

    init(_ setup: Setup, outbound: any OutboundRequests) async throws {
        self.outbound = outbound
        directory = try TemporaryDirectory()
        let script = OtherImplementations.folder.appending(path: "providers/" + setup.make.rawValue)
        process = try RunningProcess(
            OtherImplementations.python,
            // What it compiles must not land in the checkout.
            ["-B", script.path(), "--directory", directory.url.path()] + setup.arguments,
            environment: ProcessRunner.environment)
        let line = try #require(await process.output.first { _ in true }, "\(process.errors.text)")
        issuer = try #require(try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["issuer"])
    }

    /// The issuer has a path, beside which the addresses for the tests are.
    private func endpoint(_ path: String) throws -> ServerEndpoint { try ServerEndpoint(Issuer(issuer).origin + path) }

    func state() async throws -> State {
        let (response, body) = try await outbound.send(endpoint("/test/state").request(.get), body: [])
        #expect(response.status == .ok)
        return try JSONDecoder().decode(State.self, from: Data(body))
    }

    /// The next answers of its token endpoint are lost on their way, when all is done and stored.
    func loseAnswers(_ count: Int) async throws {
        let (response, _) = try await outbound.send(endpoint("/test/lose?count=\(count)").request(.post), body: [])
        #expect(response.status == .ok)
    }
}

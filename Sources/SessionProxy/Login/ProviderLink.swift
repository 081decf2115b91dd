import HTTPMessages
import OAuth
import Primitives
import SessionClient

/// The provider that users sign in at: asked what it is when that is first needed, and again when the answer is old, so that a proxy
/// can be started before its provider.
package actor ProviderLink {
    package nonisolated let issuer: Issuer
    package nonisolated let clientID: String
    private let identity: ClientIdentity
    private let outbound: any OutboundRequests
    private let clock: any WallClock
    private var known: (tokens: TokenClient, since: Timestamp)?
    private var failed: (error: DiscoveryError, at: Timestamp)?
    private var asking: Task<Result<TokenClient, DiscoveryError>, Never>?

    /// How long an answer is taken for true.
    static let lifetime = Duration.seconds(600)
    /// After an answer that was none nobody asks for so long: each would wait as long as the one before.
    static let pauseAfterFailure = Duration.seconds(2)

    package init(issuer: Issuer, client: ClientIdentity, outbound: any OutboundRequests, clock: any WallClock) {
        self.issuer = issuer
        clientID = client.clientID
        identity = client
        self.outbound = outbound
        self.clock = clock
    }

    /// Where it does not answer now, what it said before still holds.
    func tokens() async throws(DiscoveryError) -> TokenClient {
        let now = clock.now()
        if let known, now < known.since + Self.lifetime { return known.tokens }
        let answer: Result<TokenClient, DiscoveryError>
        if let failed, failed.at <= now, now < failed.at + Self.pauseAfterFailure {
            answer = .failure(failed.error)
        } else {
            answer = await self.answer()
        }
        if case .failure = answer, let known { return known.tokens }
        return try answer.get()
    }

    /// What it said last, however long ago: nobody is asked, nor waited for.
    var lastKnown: TokenClient? { known?.tokens }

    /// Whoever asks meanwhile waits for the same.
    private func answer() async -> Result<TokenClient, DiscoveryError> {
        if let asking { return await asking.value }
        let task = Task { [issuer, identity, outbound, clock] () -> Result<TokenClient, DiscoveryError> in
            do throws(DiscoveryError) {
                let server = try await Discovery(outbound: outbound, clock: clock).describe(issuer)
                return .success(TokenClient(server: server, client: identity, outbound: outbound, clock: clock))
            } catch {
                return .failure(error)
            }
        }
        asking = task
        let answer = await task.value
        asking = nil
        switch answer {
        case .success(let tokens): (known, failed) = ((tokens, clock.now()), nil)
        case .failure(let error): failed = (error, clock.now())
        }
        return answer
    }
}

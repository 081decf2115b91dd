import Cookies
import Crypto
import HTTPMessages
import Primitives
import Synchronization

/// A session whose tokens the app has in its hands: refreshed at the token endpoint, shown in `Authorization`, bound to a key
/// where the login has made one (RFC 9449).
///
///     let server = TokenSessionServer(TokenClient(server: description, client: client, outbound: outbound, clock: clock))
///     let session = SessionManager(server: server, store: store, clock: clock, alarm: alarm)
package final class TokenSessionServer: SessionServer {
    private let directory: ServerDirectory
    private let nonces = DPoPNonces()
    private let random: any RandomSource
    private let audience: [WebOrigin]
    /// The last key that was read from a credential: it is the same for a session's whole life.
    private let lastKey = Mutex<(pem: Secret, skew: Duration, prover: DPoPProver)?>(nil)

    package init(
        _ directory: ServerDirectory, audience: [WebOrigin] = [], random: any RandomSource = SystemRandom()
    ) {
        self.directory = directory
        self.audience = audience
        self.random = random
    }

    /// With a server that is known already.
    package convenience init(_ tokens: TokenClient, random: any RandomSource = SystemRandom()) {
        self.init(ServerDirectory(tokens), random: random)
    }

    package func refresh(_ credential: Credential) async -> TokenAnswer {
        let tokens: TokenClient
        do throws(DiscoveryError) { tokens = try await directory.tokens() } catch {
            return .unavailable(Unavailability(error))
        }
        guard let refreshToken = credential.refreshToken, let tokens = proving(tokens, for: credential) else {
            return .refused(TokenRefusal(code: "invalid_client", description: "the key of the session cannot be read"))
        }
        return await tokens.refresh(refreshToken, formerType: credential.tokenType)
    }

    /// RFC 7009 section 2.1: with the refresh token the access tokens go too. Where there is none, the access token is all there is,
    /// and would be good until its end.
    package func revoke(_ credential: Credential) async {
        guard let tokens = try? await directory.tokens(), let tokens = proving(tokens, for: credential) else { return }
        if let refreshToken = credential.refreshToken {
            _ = await tokens.revoke(refreshToken)
        } else {
            _ = await tokens.revoke(credential.accessToken, as: .accessToken)
        }
    }

    package func authorise(
        _ request: inout HTTPRequest, with credential: Credential, at now: Timestamp
    ) throws(SessionError) {
        guard mayShowToken(to: request) else { throw .foreignServer }
        guard let pem = credential.dpopKey else {
            request.headerFields[.authorization] =
                "Bearer " + credential.accessToken.withBytes { String(decoding: $0, as: UTF8.self) }
            return
        }
        do {
            try prover(of: pem, skew: credential.skew).authorise(&request, with: credential.accessToken)
        } catch {
            throw .store(.corrupt(reason: "the key of the session cannot be used"))
        }
    }

    /// RFC 9449 section 9: for want of a nonce alone nobody is signed out, and no token replaced; nor for a clock that is wrong.
    package func hears(_ response: HTTPResponse, to request: HTTPRequest, with credential: Credential) -> Bool {
        guard let pem = credential.dpopKey, let prover = try? prover(of: pem, skew: credential.skew) else {
            return false
        }
        prover.remember(response, to: request)
        return prover.asksForNonce(response) || prover.hasProvenAtAnotherTime(than: response)
    }

    /// RFC 6750 section 5.3: whoever sees a token has it, so it goes over TLS, and to those alone that it is for.
    private func mayShowToken(to request: HTTPRequest) -> Bool {
        guard let origin = WebOrigin("\(request.scheme ?? "https")://\(request.authority ?? "")") else { return false }
        return (origin.isEncrypted || ServerEndpoint.isLoopback(request.authority ?? ""))
            && (audience.isEmpty || audience.contains(origin))
    }

    /// The same with the key that the session is bound to.
    private func proving(_ tokens: TokenClient, for credential: Credential) -> TokenClient? {
        guard let pem = credential.dpopKey else { return tokens }
        guard let prover = try? prover(of: pem, skew: credential.skew) else { return nil }
        return TokenClient(
            server: tokens.server, client: tokens.client, outbound: tokens.outbound, clock: tokens.clock, proofs: prover
        )
    }

    private func prover(of pem: Secret, skew: Duration) throws(CryptoError) -> DPoPProver {
        if let last = lastKey.withLock({ $0 }), last.skew == skew, last.pem == pem { return last.prover }
        // A proof says when it was made, and the server compares that with its own clock.
        let clock = SkewedClock(base: directory.clock, skew: skew)
        let prover = DPoPProver(key: try DPoPKey(pem: pem), nonces: nonces, clock: clock, random: random)
        lastKey.withLock { $0 = (pem, skew, prover) }
        return prover
    }
}

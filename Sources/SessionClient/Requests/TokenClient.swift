import Crypto
import HTTPMessages
import OAuth
import Primitives

/// Asks a token endpoint, for one client at one server.
///
///     let tokens = TokenClient(server: server, client: ClientIdentity("native-app"), outbound: outbound, clock: clock)
///     switch await tokens.refresh(refreshToken) {
///     case .granted(let grant): …
///     case .incomplete(let successor): …              // its refresh token is the one to be presented next
///     case .refused(let refusal): …                   // .endsSession: only then is the login over
///     case .unavailable(let unavailability): …        // nobody knows; the session stays
///     }
///
/// Nothing is repeated by itself but one thing: a request that the server did not look at because its proof lacked a nonce, or was
/// made by a clock that is wrong.
package struct TokenClient: Sendable {
    package let server: ServerDescription
    package let client: ClientIdentity
    /// `nil`: tokens are not bound to a key.
    package let proofs: DPoPProver?
    let outbound: any OutboundRequests
    let clock: any WallClock

    package init(
        server: ServerDescription, client: ClientIdentity, outbound: any OutboundRequests, clock: any WallClock,
        proofs: DPoPProver? = nil
    ) {
        self.server = server
        self.client = client
        self.outbound = outbound
        self.clock = clock
        self.proofs = proofs
    }

    /// Sends a request for tokens, and again where the server did not look at it for a flaw of the proof that can be mended: once for
    /// a nonce (RFC 9449 section 8), once for its time. A proof is checked before the token is: nothing is spent by that.
    func ask(_ form: FormBody, formerType: String? = nil) async -> TokenAnswer {
        var proofs = proofs
        var mended: Set<ExactText> = []
        while true {
            let attempt = await attempt(form, formerType, proofs)
            guard case .refused(let refusal) = attempt.answer, let better = attempt.betterProofs,
                mended.insert(ExactText(refusal.code)).inserted
            else { return attempt.answer }
            proofs = better
        }
    }

    private struct Attempt {
        let answer: TokenAnswer
        /// With what to try again.
        var betterProofs: DPoPProver?
    }

    private func attempt(_ form: FormBody, _ formerType: String?, _ proofs: DPoPProver?) async -> Attempt {
        var form = form
        var request = authenticated(&form, to: server.tokenEndpoint)
        if let proofs {
            do { try proofs.prove(&request) } catch {
                // There is no proof, so nothing was sent.
                return Attempt(answer: .unavailable(Unavailability(.offline)))
            }
        }
        do throws(OutboundFailure) {
            let (response, body) = try await outbound.send(request, body: form.bytes)
            let hasNewNonce = proofs?.remember(response, to: request) ?? false
            let reader = TokenAnswerReader(
                receivedAt: clock.now(), secrets: form.secrets, hasProofKey: proofs != nil, formerType: formerType)
            let answer = reader.read(response, body)
            guard case .refused(let refusal) = answer, let proofs else { return Attempt(answer: answer) }
            if hasNewNonce, sameText(refusal.code, OAuthErrorCode.useDPoPNonce.rawValue) {
                return Attempt(answer: answer, betterProofs: proofs)
            }
            guard sameText(refusal.code, OAuthErrorCode.invalidDPoPProof.rawValue) else {
                return Attempt(answer: answer)
            }
            return Attempt(answer: answer, betterProofs: proofs.corrected(by: response))
        } catch {
            return Attempt(answer: .unavailable(Unavailability(error)))
        }
    }

    /// A request that says who the client is, in the way that has been agreed.
    func authenticated(_ form: inout FormBody, to endpoint: ServerEndpoint) -> HTTPRequest {
        var fields: HTTPFields = [.accept: "application/json", .contentType: FormBody.mediaType]
        client.authenticate(&form, &fields)
        return endpoint.request(.post, headerFields: fields)
    }
}

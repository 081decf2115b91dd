import Crypto
import HTTPMessages
import OAuth
import Primitives

/// Asks a token endpoint, for one client at one server.
///
///     let tokens = TokenClient(server: server, client: ClientIdentity("native-app"), outbound: outbound, clock: clock)
///     switch await tokens.refresh(refreshToken) {
///     case .granted(let grant): …
///     case .refused(let refusal): …                   // .endsSession: only then is the login over
///     case .unavailable(let unavailability): …        // nobody knows; the session stays
///     }
///
/// Nothing is repeated by itself but one thing: a request that the server did not look at because its proof lacked a nonce.
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

    /// Sends a request for tokens, and once more where that is all that is missing (RFC 9449 section 8).
    func ask(_ form: FormBody) async -> TokenAnswer {
        let (first, hasNewNonce) = await attempt(form)
        guard case .refused(let refusal) = first, hasNewNonce,
            sameText(refusal.code, OAuthErrorCode.useDPoPNonce.rawValue)
        else { return first }
        return await attempt(form).answer
    }

    private func attempt(_ form: FormBody) async -> (answer: TokenAnswer, hasNewNonce: Bool) {
        var form = form
        var request = authenticated(&form, to: server.tokenEndpoint)
        if let proofs {
            do { try proofs.prove(&request) } catch {
                // There is no proof, so nothing was sent.
                return (.unavailable(Unavailability(.offline)), false)
            }
        }
        do throws(OutboundFailure) {
            let (response, body) = try await outbound.send(request, body: form.bytes)
            let hasNewNonce = proofs?.remember(response, to: request) ?? false
            let reader = TokenAnswerReader(
                receivedAt: clock.now(), secrets: form.secrets, hasProofKey: proofs != nil)
            return (reader.read(response, body), hasNewNonce)
        } catch {
            return (.unavailable(Unavailability(error)), false)
        }
    }

    /// A request that says who the client is, in the way that has been agreed.
    func authenticated(_ form: inout FormBody, to endpoint: ServerEndpoint) -> HTTPRequest {
        var fields: HTTPFields = [.accept: "application/json", .contentType: FormBody.mediaType]
        client.authenticate(&form, &fields)
        return endpoint.request(.post, headerFields: fields)
    }
}

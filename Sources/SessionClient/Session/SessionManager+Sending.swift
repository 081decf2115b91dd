import HTTPMessages
import Primitives

extension SessionManager {
    /// Sends a request with the session's token. Where the server refuses the token, it is replaced and the request sent once
    /// more, and not a third time: what comes then is the answer.
    ///
    ///     let (response, body) = try await session.send(request)
    ///
    /// - Parameters:
    ///   - request: with scheme and authority. What it has of `Authorization`, or of `Cookie`, is replaced.
    ///   - body: sent each time.
    ///   - client: what it is sent with; `nil`: what the session itself uses.
    public func send(
        _ request: HTTPRequest, body: [UInt8] = [], through client: (any OutboundRequests)? = nil
    ) async throws(SessionError) -> (HTTPResponse, [UInt8]) {
        let client = client ?? transport
        let stored = try await current()
        let answer = try await exchange(request, body, with: stored, client)
        guard answer.0.status == .unauthorized, stored.record.credential?.refreshToken != nil else { return answer }
        // R4, R5: compared with the present one first, for the answer may be about one that was replaced on the way.
        let fresh = try await join(.replacing(stored.mark))
        // What one user wanted is not done in the name of the next.
        guard fresh.record.epoch == stored.record.epoch else { return answer }
        return try await exchange(request, body, with: fresh, client)
    }

    /// A request with what proves the session in it, for whoever sends it in a way of his own. Refreshes first where that is due.
    ///
    ///     let (authorised, token) = try await session.authorised(request)
    ///
    /// Good for this request, now: a proof of a key (RFC 9449) is for one method and one URL. Where the server refuses it, name the token to
    /// ``accessToken(replacing:)``. A server that wants a nonce in proofs is not heard in this way: ``send(_:body:through:)`` hears it.
    public func authorised(_ request: HTTPRequest) async throws(SessionError) -> (HTTPRequest, AccessToken) {
        let stored = try await current()
        guard var credential = stored.record.credential else { throw .signedOut(stored.record.signOut) }
        credential.skew = learnedSkew(for: stored.mark) ?? credential.skew
        var request = request
        try server.authorise(&request, with: credential, at: clock.now())
        return (request, AccessToken(credential, stored.mark))
    }

    private func exchange(
        _ request: HTTPRequest, _ body: [UInt8], with stored: StoredRecord, _ client: any OutboundRequests
    ) async throws(SessionError) -> (HTTPResponse, [UInt8]) {
        guard var credential = stored.record.credential else { throw .signedOut(stored.record.signOut) }
        let mark = stored.mark
        credential.skew = learnedSkew(for: mark) ?? credential.skew
        let (answer, hasMoreToSay) = try await attempt(request, body, with: credential, mark, client)
        // What the server did not look at for a reason that is mended now is no refusal of the token.
        credential.skew = learnedSkew(for: mark) ?? credential.skew
        return hasMoreToSay ? try await attempt(request, body, with: credential, mark, client).answer : answer
    }

    private func attempt(
        _ request: HTTPRequest, _ body: [UInt8], with credential: Credential, _ mark: CredentialMark,
        _ client: any OutboundRequests
    ) async throws(SessionError) -> (answer: (HTTPResponse, [UInt8]), hasMoreToSay: Bool) {
        var request = request
        try server.authorise(&request, with: credential, at: clock.now())
        do throws(OutboundFailure) {
            let answer = try await client.send(request, body: body)
            learn(serverTime: answer.0.serverTime, with: mark)
            return (answer, server.hears(answer.0, to: request, with: credential))
        } catch {
            throw .unavailable(error == .cancelled ? .cancelled : .offline, retryAt: nil)
        }
    }
}

import HTTPMessages
import OAuth
import Observability
import Primitives

/// What the endpoints of sessions in cookies share: who is there, what goes into cookies, and how they answer.
///
/// A session in cookies is a family like any other. What body mode can do with it at the token endpoint, cookies can do
/// here, by the same code and under the same policy, and each can go on where the other stopped.
struct SessionDesk: Sendable {
    let context: ProviderContext
    let minter: TokenMinter
    let reader: AccessTokenReader
    let metrics: TokenMetrics
    private let directory: SessionCookieDirectory

    init(context: ProviderContext, minter: TokenMinter) {
        self.context = context
        self.minter = minter
        reader = AccessTokenReader(context: context)
        metrics = TokenMetrics(registry: context.metrics)
        directory = SessionCookieDirectory(context: context)
    }

    /// The client of this name, if it may have sessions in cookies.
    func client(_ id: String?) -> SessionClient? { SessionClient(id.flatMap { context.client($0) }) }

    /// Pages that may use a session of some client.
    var origins: Set<WebOrigin> {
        Set(context.clients.clients.compactMap { SessionClient($0) }.flatMap(\.settings.origins))
    }

    /// The client whose cookies a request brings; `nil` where there are none, or those of several.
    func client(ofCookiesIn request: ServerRequest, at issuer: Issuer) -> String? {
        let names = directory.names(at: issuer)
        let owners = SessionCookie.Kind.allCases.flatMap { kind in
            names.found(kind, in: request, of: nil).flatMap(\.clientIDs)
        }
        guard let first = owners.first, owners.allSatisfy({ sameText($0, first) }) else { return nil }
        return first
    }

    func family(_ id: FamilyID) async throws(OAuthError) -> Family? {
        try await context.storing { store throws(StoreError) in try await store.family(id) }
    }

    /// Answers a request: `body` says what to tell, and notes in the visit whose session it is and what the browser is to
    /// keep.
    func answer(
        _ request: ServerRequest, as issuer: PreparedIssuer,
        by body: (inout SessionVisit) async throws(OAuthError) -> JSON
    ) async -> ServerResponse {
        var visit = SessionVisit(
            request: request, issuer: issuer, now: context.clock.now(),
            transport: SessionTransport(issuer.issuer), names: directory.names(at: issuer.issuer))
        var response: ServerResponse
        do throws(OAuthError) {
            let json = try await body(&visit)
            response = ServerResponse(
                status: .ok, headerFields: ResponseFields.neverStored, body: .bytes(json.serialised()))
        } catch {
            visit.trace.refuse(error.cause ?? error.code.rawValue)
            context.logger.refused(
                "session.refused", error, request,
                also: [LogField("client", visit.client?.id ?? "-")] + visit.trace.fields)
            response = Self.refusal(error)
        }
        visit.trace.apply(to: &response, of: visit.client?.id ?? visit.trace.tokenClientID)
        for cookie in visit.cookies {
            response.head.headerFields.append(name: .setCookie, value: cookie.fieldValue)
        }
        SessionReaders.admit(visit.client?.origins ?? visit.names.origins, to: &response, of: request)
        return response
    }

    /// RFC 9110 section 11.6.1 wants a challenge with every 401. Not Basic, which would make a browser ask for a password. RFC
    /// 6750 section 3.1: who brought no token SHOULD NOT be told an error in it.
    private static func refusal(_ error: OAuthError) -> ServerResponse {
        var response = ErrorResponse.response(for: error)
        guard response.head.status == .unauthorized else { return response }
        response.head.headerFields[.wwwAuthenticate] =
            Challenge(.bearer, realm: "pawl", error: error.code == .noSession ? nil : error).text
        return response
    }

    /// Notes which session it is whose access token is in a cookie, be it good no more. The cookie of one client says nothing
    /// of another's.
    func noteSession(of token: String, inCookieOf clientIDs: [String], in visit: SessionVisit) async {
        guard let facts = await reader.pastFacts(of: token, at: visit.now), let id = facts.familyID,
            clientIDs.contains(where: { sameText($0, facts.clientID) })
        else { return }
        visit.trace.concern(id)
    }

    func note(_ event: StaticString, _ terms: FamilyTerms, in visit: SessionVisit) {
        // A fork is another family than the one whose token was shown; and nothing became of one that was given back.
        let fields = visit.trace.record?.family == terms.id ? visit.trace.fields : []
        context.logger.info(
            event,
            [LogField("request", visit.request.id), LogField("client", terms.clientID)]
                + (fields.isEmpty ? [LogField("family", terms.id.description)] : fields))
    }
}

// MARK: - Tokens

extension SessionDesk {
    /// Puts tokens into the cookies of a client.
    ///
    /// The refresh token goes first: where the access token does not fit into a cookie, the session is not lost.
    func hand(
        _ tokens: TokenResponse, of terms: FamilyTerms, to client: SessionClient, _ cookies: SessionCookies,
        in visit: inout SessionVisit
    ) throws(OAuthError) {
        do throws(ResponseCookieError) {
            if let token = tokens.refreshToken {
                let expiry = context.rotation(for: client.client).expiry(of: terms)
                visit.cookies.append(
                    try cookies.refresh.setting(token, for: expiry.map { $0 - visit.now }, at: visit.now))
            }
            visit.cookies.append(
                try cookies.access.setting(
                    tokens.accessToken.text, for: .seconds(tokens.accessToken.lifetimeSeconds), at: visit.now))
        } catch {
            guard error == .tooLong else {
                throw OAuthError(
                    .unusableCookie, "browsers drop a cookie with the settings of this client", cause: "\(error)")
            }
            throw OAuthError(
                .serverError,
                "the access token does not fit into a cookie, which holds \(ResponseCookie.pairLimit) bytes; let the client have access_token_format: opaque",
                cause: "\(error)")
        }
    }

    /// What is told of a session whose tokens were just made.
    func facts(_ tokens: TokenResponse, of terms: FamilyTerms, for client: Client, in visit: SessionVisit) -> JSON {
        let expires = Timestamp(secondsSinceEpoch: visit.now.secondsSinceEpoch + tokens.accessToken.lifetimeSeconds)
        return SessionFacts(client: client, terms: terms, scope: tokens.scope, expires: expires)
            .json(in: context, at: visit.now)
    }

    /// Whether a session is over, and nothing that anybody does brings it back: no refresh token of it gets anything, even
    /// where an access token is good for some minutes yet. A family of which nothing is known was forgotten with its end.
    func isOver(_ id: FamilyID, of client: Client, at now: Timestamp) async throws(OAuthError) -> Bool {
        guard let family = try await family(id) else { return true }
        if context.rotation(for: client).isOver(family, at: now) { return true }
        return try await context.loss(of: id) != nil
    }

    /// A refusal takes cookies away only when their session is over for good.
    ///
    /// Whoever lost a race comes with a cookie that was replaced a moment ago, and the browser has the winner's by the same
    /// name already: to take that away would end a session that lives. Where the policy has ended it instead, the winner's
    /// is worth nothing either.
    func noteRefusal(
        of id: FamilyID, to client: SessionClient, in visit: inout SessionVisit
    ) async {
        guard client.settings.afterRefusal == .expire else { return }
        let isOver = (try? await self.isOver(id, of: client.client, at: visit.now)) ?? false
        guard isOver else { return }
        visit.cookies = SessionCookies(of: client.id, client.settings, by: visit.transport).expired
    }
}

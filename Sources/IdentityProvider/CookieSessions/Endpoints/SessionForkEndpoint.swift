import HTTPMessages
import OAuth
import Primitives

/// Forks a session for another client: a family of its own under the same login. Rotating the one does nothing to the
/// other, so that the two can never race for a token; the end of the session ends the fork, and the end of the login both.
///
///     curl -b jar -c fork -d fork_client_id=webview http://localhost:8080/session/fork
///
/// Whoever has but an access token has something that ends soon, and must not make of it what lasts: a fork takes the
/// refresh token. It is shown, and not spent.
struct SessionForkEndpoint: SessionPath {
    static let location = SessionEndpoint.location + "/fork"

    let path = SessionForkEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let desk: SessionDesk

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { visit async throws(OAuthError) in
            try await fork(in: &visit)
        }
    }

    private func fork(in visit: inout SessionVisit) async throws(OAuthError) -> JSON {
        let form = try SessionForm.parameters(of: visit.request)
        let token = try await SessionRefreshToken.find(in: form, at: desk, in: &visit)
        let target = try target(of: form, from: token.client)
        let cookies = try cookies(of: target, beside: token, in: visit)
        guard let origin = token.family?.terms else { throw RotationPolicy.refused("unknown family") }
        try await checkGeneration(of: origin)
        let expiry = desk.context.rotation(for: token.client.client).expiry(of: origin)
        let terms = try terms(form, from: origin, lasting: expiry, for: target.client, at: visit.now)
        try await show(token, in: &visit)
        let family = try await desk.minter.begin(
            terms, for: target.client, as: visit.issuer, notingIn: visit.trace)
        var order = TokenOrder(
            client: target.client, family: family, scope: terms.scope, grant: Self.grant, issuer: visit.issuer,
            now: visit.now)
        order.audience = terms.resources
        order.givesIDToken = false
        order.override = desk.context.overrides.next(at: path, for: target.id)
        let tokens = try await desk.minter.tokens(order)
        try desk.hand(tokens, of: terms, to: target, cookies, in: &visit)
        desk.metrics.countIssued(to: target.client, by: Self.grant)
        desk.note("session.forked", terms, in: visit)
        return desk.facts(tokens, of: terms, for: target.client, in: visit)
    }

    /// For rules about claims, and for counting.
    private static let grant = "session_fork"

    /// Whoever runs the provider has said for whom: the user is not asked.
    private func target(of form: FormParameters, from client: SessionClient) throws(OAuthError) -> SessionClient {
        guard let id = form["fork_client_id"] else {
            throw OAuthError(.invalidRequest, "fork_client_id is missing: the client that the fork is for")
        }
        guard !sameText(id, client.id) else {
            throw OAuthError(.invalidRequest, "a session is forked for another client; this one has it already")
        }
        guard client.settings.forkTo.contains(where: { sameText($0, id) }), let target = desk.client(id) else {
            throw OAuthError(
                .unauthorizedClient, "the sessions of this client are not forked for that one; fork_to says for whom")
        }
        return target
    }

    private func cookies(
        of target: SessionClient, beside token: SessionRefreshToken, in visit: SessionVisit
    ) throws(OAuthError) -> SessionCookies {
        let cookies = try SessionCookies(settable: target, by: visit.transport)
        guard token.isInCookie else { return cookies }
        let own = SessionCookies(of: token.client.id, token.client.settings, by: visit.transport)
        let clash = SessionCookie.Kind.allCases.contains { kind in sameText(own[kind].name, cookies[kind].name) }
        guard !clash else {
            throw OAuthError(
                .unusableCookie,
                "the two clients' cookies have the same names: the fork would take the place of the session")
        }
        return cookies
    }

    private func terms(
        _ form: FormParameters, from origin: FamilyTerms, lasting expiry: Timestamp?, for target: Client,
        at now: Timestamp
    ) throws(OAuthError) -> FamilyTerms {
        // RFC 9449 section 5: it is good with a proof alone, and none comes with a cookie.
        guard origin.confirmation == nil else { throw RotationPolicy.refused("bound to a key") }
        guard let loginID = origin.loginID else {
            throw OAuthError(
                .invalidRequest, "the session hangs on no login, so that nothing would end its fork with it",
                cause: "no login")
        }
        try TargetPolicy.check(origin.resources, for: target)
        return FamilyTerms(
            id: FamilyID(from: desk.context.random), clientID: target.id, userID: origin.userID,
            scope: try scope(form["scope"], within: origin.scope, for: target), resources: origin.resources,
            loginID: loginID, endsWithLogin: true, authentication: origin.authentication,
            loginClaims: origin.loginClaims, actor: origin.actor, began: now, expires: expiry,
            stays: origin.stays.map { Stays(user: $0.user, client: target.stay) }, origin: origin.id)
    }

    /// Forks of forks: each of those above is looked at with every token.
    private static let maximumGeneration = 4

    private func checkGeneration(of origin: FamilyTerms) async throws(OAuthError) {
        var generation = 0
        var next = origin.origin
        while let id = next, generation < Self.maximumGeneration {
            generation += 1
            next = try await desk.family(id)?.terms.origin
        }
        guard generation < Self.maximumGeneration else {
            throw OAuthError(
                .invalidRequest, "a fork of a fork goes \(Self.maximumGeneration) deep; fork the session it came from")
        }
    }

    /// Never more than the user granted to the one, nor than the other may have.
    private func scope(
        _ requested: String?, within granted: Scope, for target: Client
    ) throws(OAuthError) -> Scope {
        guard requested != nil else {
            guard case .listed(let allowed) = target.metadata.scopes else { return granted }
            return granted.filter(allowed.contains)
        }
        let scope = try target.scope(for: requested)
        guard scope.isSubset(of: granted) else {
            throw OAuthError(.invalidScope, "the session has: \(granted.text)")
        }
        return scope
    }

    private func show(_ token: SessionRefreshToken, in visit: inout SessionVisit) async throws(OAuthError) {
        let cause = try await desk.context.refusal(
            ofShown: token.node, of: token.familyID, by: token.client.client, at: visit.now)
        guard let cause else { return }
        if token.isInCookie { await desk.noteRefusal(of: token.familyID, to: token.client, in: &visit) }
        throw RotationPolicy.refused(cause)
    }

    func describe(in document: inout OpenAPIDocument) {
        SessionDescriptions.describe(path, methods, in: &document)
    }
}

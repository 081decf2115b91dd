import OAuth
import Primitives

/// Makes all the tokens that one answer holds.
struct TokenMinter: Sendable {
    let context: ProviderContext
    private let accessTokens: AccessTokenIssuer
    private let idTokens: IDTokenIssuer

    init(context: ProviderContext) {
        self.context = context
        accessTokens = AccessTokenIssuer(context: context)
        idTokens = IDTokenIssuer(context: context)
    }

    /// Begins a family: from now on it can be refreshed, revoked and seen. Its user and its client must be there
    /// still, and have been since it was authorised. A login that it
    /// depends on must be alive, and remembers the client, so that a logout reaches it.
    ///
    /// One that has begun already goes on; one that has ended, perhaps before it could begin, never does.
    ///
    /// - Parameters:
    ///   - issuer: by whose name the client is to know the login, where it gets an ID token.
    ///   - givesRefreshToken: whether it has a refresh token, if the client may have one.
    ///   - trace: where it is noted that the request is about this family.
    func begin(
        _ terms: FamilyTerms, for client: Client, as issuer: PreparedIssuer? = nil,
        givingRefreshToken givesRefreshToken: Bool = true, notingIn trace: FamilyTrace? = nil
    ) async throws(OAuthError) -> Family {
        guard context.holds(terms) else { throw Self.removed }
        var family = Family(terms)
        if givesRefreshToken, mayRefresh(terms, to: client) { family.rotation.begin(at: terms.began) }
        if let loginID = terms.loginID {
            let isAlive = try await context.storing { store throws(StoreError) in
                try await store.change(loginID) { login in
                    guard login.isAlive(at: terms.began) else { return false }
                    login.neededUntil = max(login.neededUntil, terms.expires ?? .endOfYear9999)
                    if !login.clientIDs.contains(where: { sameText($0, terms.clientID) }) {
                        login.clientIDs.append(terms.clientID)
                    }
                    if let issuer { login.issuers[terms.clientID] = issuer.identifier }
                    return true
                }
            }
            guard isAlive == true else {
                throw OAuthError(.invalidGrant, "the login that this was authorised in is over", cause: "login ended")
            }
        }
        // Before it begins: whoever comes too late for it is refused for what became of it.
        trace?.concern(family.id)
        let fresh = family
        let begun = try await context.storing { store throws(StoreError) in try await store.begin(fresh).family }
        guard begun.ended == nil else {
            throw OAuthError(.invalidGrant, "what this stands for was revoked", cause: "family ended")
        }
        // Whoever removed the user or the client meanwhile has ended what he found, and may have looked before this was
        // there.
        guard context.holds(terms) else {
            try await undo(fresh)
            throw Self.removed
        }
        return begun
    }

    private static var removed: OAuthError {
        OAuthError(.invalidGrant, "what this stands for was revoked", cause: "user or client removed")
    }

    private func undo(_ family: Family) async throws(OAuthError) {
        let terms = family.terms
        try await context.storing { store throws(StoreError) in
            _ = try await store.judge(family.id) { $0.end(.ended, at: terms.began) }
            guard let loginID = terms.loginID else { return }
            _ = try await store.change(loginID) { $0.remove(terms.clientID) }
        }
    }

    /// OpenID Connect Core section 11 asks for `offline_access`; RFC 6749 section 1.5 leaves it to the provider.
    private func mayRefresh(_ terms: FamilyTerms, to client: Client) -> Bool {
        guard client.mayUse(RefreshTokenGrant.type) else { return false }
        switch client.metadata.refreshTokens {
        case .whenGrantAllows: return true
        case .whenAskedFor: return terms.scope.contains("offline_access")
        }
    }

    private func claims(for order: borrowing TokenOrder) -> ClaimAssembler {
        let terms = order.family.terms
        return ClaimAssembler(
            context: context, client: order.client, terms: terms, user: context.users[id: terms.userID],
            subject: context.subjects.subject(of: terms.userID, for: order.client), scope: order.scope,
            grant: order.grant, request: order.request)
    }

    private func accessTokenOrder(_ order: borrowing TokenOrder, _ claims: ClaimAssembler) -> AccessTokenOrder {
        let terms = order.family.terms
        var access = AccessTokenOrder(
            client: order.client, subject: claims.subject, family: terms, scope: order.scope, issuer: order.issuer,
            now: order.now)
        access.audience = order.audience
        access.confirmation = order.confirmation
        access.actor = terms.actor
        access.latestExpiry = order.latestExpiry
        access.claims = claims.claims(for: .accessToken)
        access.overridingClaims = order.override?.accessTokenClaims
        if order.givenRefreshNode > 0, context.endsPairedAccessToken(of: order.client) {
            access.refreshNode = order.givenRefreshNode
        }
        return access
    }

    /// The access token of an order, where those of the client are kept: for whoever keeps it together with something else.
    func opaqueAccessToken(
        for client: Client, _ order: @autoclosure () -> TokenOrder
    ) throws(OAuthError) -> OpaqueAccessToken? {
        guard accessTokens.isOpaque(client) else { return nil }
        let order = order()
        return try accessTokens.opaque(accessTokenOrder(order, claims(for: order)))
    }

    /// The tokens for a user's client.
    func tokens(_ order: borrowing TokenOrder) async throws(OAuthError) -> TokenResponse {
        let terms = order.family.terms
        let claims = claims(for: order)
        let accessToken: AccessToken
        if let made = order.accessToken {
            accessToken = made
        } else {
            accessToken = try await accessTokens.issue(accessTokenOrder(order, claims))
        }
        // OpenID Connect Core section 3.1.2.1: without `openid` it is no OpenID request. A refresh that leaves it out
        // leaves the ID token out.
        var idToken: String?
        if order.givesIDToken, order.scope.contains("openid") {
            var identity = IDTokenOrder(
                client: order.client, terms: terms, subject: claims.subject, issuer: order.issuer, now: order.now)
            identity.nonce = order.nonce
            identity.accessToken = accessToken.text
            identity.claims = claims.claims(for: .idToken(withAccessToken: true))
            identity.overridingClaims = order.override?.idTokenClaims
            idToken = try await idTokens.issue(identity)
        }
        let refreshNode = order.givenRefreshNode
        let response = TokenResponse(
            accessToken: accessToken, scope: order.scope,
            refreshToken: refreshNode > 0 ? context.refreshTokens.token(of: terms.id, node: refreshNode) : nil,
            idToken: idToken, overridingMembers: order.override?.members ?? [:])
        tell(of: accessToken, to: order.client, response, family: terms.id)
        return response
    }

    /// Those who look on hear of tokens that were given.
    private func tell(of token: AccessToken, to client: Client, _ response: TokenResponse, family: FamilyID?) {
        context.checkpoints.events.record(
            .issued(
                token, to: client.id, scope: response.scope, family: family, refreshes: response.refreshToken != nil,
                identifies: response.idToken != nil))
    }

    /// The tokens that a redirect carries.
    func frontChannelTokens(_ order: FrontChannelOrder) async throws(OAuthError) -> FrontChannelTokens {
        let terms = order.family.terms
        let subject = context.subjects.subject(of: terms.userID, for: order.client)
        let claims = ClaimAssembler(
            context: context, client: order.client, terms: terms, user: context.users[id: terms.userID],
            subject: subject, scope: terms.scope, grant: "implicit")
        var tokens = FrontChannelTokens(scope: terms.scope)
        if order.responseType.contains(.token) {
            var access = AccessTokenOrder(
                client: order.client, subject: subject, family: terms, scope: terms.scope, issuer: order.issuer,
                now: order.now)
            access.audience = terms.resources
            access.claims = claims.claims(for: .accessToken)
            access.overridingClaims = order.override?.accessTokenClaims
            tokens.accessToken = try await accessTokens.issue(access)
        }
        if order.responseType.contains(.idToken) {
            var identity = IDTokenOrder(
                client: order.client, terms: terms, subject: subject, issuer: order.issuer, now: order.now)
            identity.nonce = terms.nonce
            identity.accessToken = tokens.accessToken?.text
            identity.code = order.code
            // OpenID Connect Core section 5.4: without an access token the claims have no other way.
            identity.claims = claims.claims(for: .idToken(withAccessToken: order.responseType != .idToken))
            identity.overridingClaims = order.override?.idTokenClaims
            tokens.idToken = try await idTokens.issue(identity)
        }
        context.checkpoints.events.record(
            .issued(
                tokens.accessToken, to: order.client.id, scope: terms.scope, family: terms.id, refreshes: false,
                identifies: tokens.idToken != nil))
        return tokens
    }

    /// The access token of a client that acts for itself (RFC 9068 section 2.2: the subject is the client).
    ///
    /// - Parameter subject: the client that it is about, where that is another one than the one that gets it.
    func tokens(
        for client: Client, subject: String? = nil, scope: Scope, audience: [String], confirmation: Confirmation?,
        actor: JSON? = nil, latestExpiry: Timestamp? = nil, override: TokenOverride?, as issuer: PreparedIssuer,
        at now: Timestamp, request: FormParameters = FormParameters()
    ) async throws(OAuthError) -> TokenResponse {
        var order = AccessTokenOrder(
            client: client, subject: subject ?? client.id, family: nil, scope: scope, issuer: issuer, now: now)
        order.audience = audience
        order.confirmation = confirmation
        order.actor = actor
        order.latestExpiry = latestExpiry
        order.claims = ClaimAssembler.clientClaims(client, context: context, scope: scope, request: request)
        order.overridingClaims = override?.accessTokenClaims
        var response = TokenResponse(accessToken: try await accessTokens.issue(order), scope: scope)
        response.overridingMembers = override?.members ?? [:]
        tell(of: response.accessToken, to: client, response, family: nil)
        return response
    }
}

extension TokenMinter {
    /// An ID token that comes without an access token, in its place (RFC 8693).
    func idToken(
        for client: Client, terms: FamilyTerms, scope: Scope, grant: String, actor: JSON?, latestExpiry: Timestamp?,
        override: TokenOverride?, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> AccessToken {
        let subject = context.subjects.subject(of: terms.userID, for: client)
        var order = IDTokenOrder(client: client, terms: terms, subject: subject, issuer: issuer, now: now)
        order.claims = ClaimAssembler(
            context: context, client: client, terms: terms, user: context.users[id: terms.userID], subject: subject,
            scope: scope, grant: grant
        ).claims(for: .idToken(withAccessToken: false))
        order.claims["act"] = actor
        order.latestExpiry = latestExpiry
        order.overridingClaims = override?.idTokenClaims
        let lifetime = (client.metadata.idTokenLifetime ?? context.configuration.idTokens.lifetime).inSeconds
        let left = latestExpiry.map { $0.secondsSinceEpoch - now.secondsSinceEpoch } ?? .max
        return AccessToken(
            text: try await idTokens.issue(order), identifier: "-", keyID: nil, lifetimeSeconds: min(lifetime, left),
            confirmation: nil, isUsedForAccess: false)
    }
}

extension JSONObject {
    /// Its members, and in their place those of `other` that have the same name.
    func overridden(by other: JSONObject?) -> JSONObject {
        guard let other, !other.isEmpty else { return self }
        var result = self
        for (name, value) in other { result[name] = value }
        return result
    }
}

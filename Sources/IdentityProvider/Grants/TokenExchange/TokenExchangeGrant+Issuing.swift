import OAuth
import Primitives

extension TokenExchangeGrant {
    /// An access token that ends with the subject token at the latest, and with what that one follows from.
    func accessToken(_ order: ExchangeOrder) async throws(OAuthError) -> TokenResponse {
        try requireTimeLeft(order)
        guard case .user(let userID) = order.subject.party else { return try await accessTokenOfClient(order) }
        let audience = try audience(of: order)
        var tokenOrder = TokenOrder(
            client: order.client, family: try await family(of: userID, for: order), scope: order.scope,
            grant: Self.type, issuer: order.request.issuer, now: order.now)
        tokenOrder.audience = audience
        tokenOrder.confirmation = order.request.confirmation
        tokenOrder.request = order.request.form
        tokenOrder.latestExpiry = order.subject.expires
        tokenOrder.givesIDToken = false
        tokenOrder.override = order.request.override
        var response = try await minter.tokens(tokenOrder)
        response.issuedTokenType = ExchangeTokenType.accessToken.rawValue
        return response
    }

    /// For whom an access token is: those who were named, or those of the subject token. Where the user granted resources
    /// by name, it is one of those (RFC 8707 section 2.2), whoever asks.
    private func audience(of order: ExchangeOrder) throws(OAuthError) -> [String] {
        guard order.targets.isEmpty else {
            let granted = order.subject.terms?.resources ?? []
            guard granted.isEmpty || TargetPolicy.isWithin(order.targets, granted) else {
                throw TargetPolicy.notGranted
            }
            return order.targets
        }
        // The subject token may be another client's, and this one may have an audience of its own.
        try TargetPolicy.check(order.subject.resources, for: order.client)
        return order.subject.resources
    }

    /// The family that the token belongs to: that of the subject token, seen by the client that asks, so that both end
    /// together; or one of its own, where the subject token has none.
    private func family(of userID: String, for order: ExchangeOrder) async throws(OAuthError) -> Family {
        if let terms = order.subject.terms {
            let changes = FamilyTerms.Changes(actor: order.actor)
            return Family(terms.derived(changes, id: terms.id, for: order.client, scope: order.scope))
        }
        let login = order.subject.login
        let terms = FamilyTerms(
            id: FamilyID(from: context.random), clientID: order.client.id, userID: userID, scope: order.scope,
            resources: order.targets, loginID: login?.id, endsWithLogin: login != nil,
            authentication: login?.authentication, loginClaims: login?.claims ?? [:], actor: order.actor,
            began: order.now, expires: order.subject.expires, stays: stays(of: userID, for: order))
        return try await minter.begin(
            terms, for: order.client, givingRefreshToken: false, notingIn: order.request.trace)
    }

    private func stays(of userID: String, for order: ExchangeOrder) -> Stays {
        order.subject.login.map { context.stays(of: $0, with: order.client) }
            ?? context.stays(of: userID, with: order.client)
    }

    private func accessTokenOfClient(_ order: ExchangeOrder) async throws(OAuthError) -> TokenResponse {
        var response = try await minter.tokens(
            for: order.client, subject: order.subject.subject, scope: order.scope, audience: order.targets,
            confirmation: order.request.confirmation, actor: order.actor, latestExpiry: order.subject.expires,
            override: order.request.override, as: order.request.issuer, at: order.now)
        response.issuedTokenType = ExchangeTokenType.accessToken.rawValue
        return response
    }

    /// A second session beside the first: a refresh token of a family of its own, under the same login. Rotating or ending
    /// one does nothing to the other; the end of the login ends both, and none outlives what the user authorised.
    ///
    /// Only the client that the user authorised gets one: whoever merely holds an access token must not turn it into
    /// something that lasts longer.
    func session(_ order: ExchangeOrder) async throws(OAuthError) -> TokenResponse {
        guard order.client.mayUse(RefreshTokenGrant.type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use refresh tokens")
        }
        guard let terms = order.subject.terms, let owner = order.subject.clientID,
            sameText(owner, order.client.id), sameText(terms.clientID, order.client.id)
        else {
            throw OAuthError(
                .invalidRequest, "a refresh token is given for an access or refresh token of the client's own")
        }
        guard TargetPolicy.isWithin(order.targets, terms.resources) else { throw TargetPolicy.notGranted }
        let changes = FamilyTerms.Changes(
            resources: order.targets.isEmpty ? terms.resources : order.targets, confirmation: order.binding,
            actor: order.actor, began: order.now)
        let family = try await minter.begin(
            terms.derived(changes, id: FamilyID(from: context.random), for: order.client, scope: order.scope),
            for: order.client, givingRefreshToken: true, notingIn: order.request.trace)
        guard family.rotation.current > 0 else {
            throw OAuthError(.invalidRequest, "this client gets refresh tokens for offline_access alone")
        }
        let token = AccessToken(
            text: context.refreshTokens.token(of: family.id, node: family.rotation.current),
            identifier: family.id.description, keyID: nil,
            lifetimeSeconds: ((terms.expires ?? order.now) - order.now).inSeconds, confirmation: nil,
            isUsedForAccess: false)
        return response(token, .refreshToken, order)
    }

    /// An ID token for the client that asks.
    func idToken(_ order: ExchangeOrder) async throws(OAuthError) -> TokenResponse {
        try requireTimeLeft(order)
        guard case .user(let userID) = order.subject.party else {
            throw OAuthError(.invalidRequest, "an ID token is about a user, and the subject_token is about a client")
        }
        let token = try await minter.idToken(
            for: order.client, terms: idTokenTerms(of: userID, order), scope: order.scope, grant: Self.type,
            actor: order.actor, latestExpiry: order.subject.expires, override: order.request.override,
            as: order.request.issuer, at: order.now)
        return response(token, .idToken, order)
    }

    private func idTokenTerms(of userID: String, _ order: ExchangeOrder) -> FamilyTerms {
        if let terms = order.subject.terms { return terms }
        let login = order.subject.login
        return FamilyTerms(
            id: FamilyID(from: context.random), clientID: order.client.id, userID: userID, scope: order.scope,
            loginID: login?.id, authentication: login?.authentication, loginClaims: login?.claims ?? [:],
            began: order.now, expires: order.subject.expires)
    }

    private func response(
        _ token: AccessToken, _ type: ExchangeTokenType, _ order: ExchangeOrder
    ) -> TokenResponse {
        var response = TokenResponse(accessToken: token, scope: order.scope)
        response.issuedTokenType = type.rawValue
        response.overridingMembers = order.request.override?.members ?? [:]
        return response
    }

    /// Tokens count in whole seconds: of what ends within this one, nothing can be made that ends with it.
    private func requireTimeLeft(_ order: ExchangeOrder) throws(OAuthError) {
        guard let expires = order.subject.expires else { return }
        guard expires.secondsSinceEpoch > order.now.secondsSinceEpoch else {
            throw OAuthError(.invalidRequest, "the subject_token ends within this second")
        }
    }
}

import OAuth
import Primitives

/// New tokens for a refresh token (RFC 6749 section 6).
struct RefreshTokenGrant: Grant {
    static let type = "refresh_token"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard let token = request.form["refresh_token"] else {
            throw OAuthError(.invalidRequest, "refresh_token is missing")
        }
        guard let (familyID, node) = context.refreshTokens.read(token) else { throw Self.refused("not ours") }
        guard
            let family = try await context.storing({ store throws(StoreError) in try await store.family(familyID) })
        else { throw Self.refused("unknown family") }
        // All that does not change is judged before anything does: a request that fails spends no token.
        try checkSender(of: request, against: family.terms)
        guard context.holds(family.terms) else { throw Self.refused("user or client removed") }
        let scope = try scope(of: request, within: family.terms.scope)
        let targets = try TargetPolicy.targets(of: request, within: family.terms.resources)
        let login = try await login(of: family.terms)
        let order = try await rotate(family.id, presenting: node, scope: scope, targets: targets, for: request)
        if let login, scope.contains("openid") { try await noteIssuer(in: login, for: request) }
        return try await minter.tokens(order)
    }

    private func rotate(
        _ id: FamilyID, presenting node: UInt32, scope: Scope, targets: [String], for request: TokenRequest
    ) async throws(OAuthError) -> TokenOrder {
        let policy = context.configuration.rotation
        let now = request.now
        let judged = try await context.storing { store throws(StoreError) in
            try await store.judge(id) { family in
                (policy.judge(&family, presenting: node, at: now), family)
            }
        }
        guard let (verdict, family) = judged else { throw Self.refused("unknown family") }
        switch verdict {
        case .refused(let cause):
            throw Self.refused(cause.rawValue)
        case .granted(let successor):
            var order = TokenOrder(
                client: request.client, family: family, scope: scope, grant: Self.type, issuer: request.issuer,
                now: now)
            order.audience = targets
            order.confirmation = request.confirmation
            order.refreshNode = successor
            order.override = request.override
            order.request = request.form
            return order
        }
    }

    /// RFC 6749 section 6: the token is bound to the client it was given to. RFC 9449 section 5, RFC 8705 section 4: one
    /// that is bound to a key comes with that key.
    private func checkSender(of request: TokenRequest, against terms: FamilyTerms) throws(OAuthError) {
        guard sameText(terms.clientID, request.client.id) else { throw Self.refused("token of another client") }
        if let bound = terms.confirmation, bound != request.confirmation {
            throw bound.refusal(of: "the refresh token", shownWith: request.confirmation)
        }
    }

    /// RFC 6749 section 6: the scope MUST NOT include any that was not granted; none means all.
    private func scope(of request: TokenRequest, within granted: Scope) throws(OAuthError) -> Scope {
        guard let text = request.form["scope"] else { return granted }
        let scope: Scope
        do { scope = try Scope(parsing: text) } catch { throw OAuthError(.invalidScope, error.description) }
        guard scope.isSubset(of: granted) else {
            throw OAuthError(.invalidScope, "the user granted: \(granted.text)")
        }
        return scope
    }

    /// The login that it was authorised in, if that is still of use. That its time was over ends nothing but what the
    /// browser shows: an application lives on, unless somebody ended the login.
    private func login(of terms: FamilyTerms) async throws(OAuthError) -> Login? {
        guard let id = terms.loginID else { return nil }
        let login = try await context.storing { store throws(StoreError) in try await store.login(id) }
        guard let login, login.ended == nil else {
            guard terms.endsWithLogin else { return nil }
            throw Self.refused("login ended")
        }
        return login
    }

    /// OpenID Connect Back-Channel Logout section 2.4: `iss` of a logout token is what it is in the client's ID tokens, and
    /// the newest of those is the one that comes now.
    private func noteIssuer(in login: Login, for request: TokenRequest) async throws(OAuthError) {
        let (client, issuer) = (request.client.id, request.issuer.identifier)
        guard login.issuers[client] != issuer else { return }
        _ = try await context.storing { store throws(StoreError) in
            try await store.change(login.id) { login in
                guard login.ended == nil else { return }
                login.issuers[client] = issuer
            }
        }
    }

    /// One refusal for all causes but the key: who tries learns nothing from it. The log has the cause.
    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(
            .invalidGrant, "the refresh token is not good (any more), or was given to another client", cause: cause)
    }
}

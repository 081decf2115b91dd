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
        if let loginID = family.terms.loginID, family.terms.endsWithLogin {
            try await checkLogin(loginID)
        }
        return try await minter.tokens(
            try await rotate(family.id, presenting: node, scope: scope, targets: targets, for: request))
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
            throw Self.refused("presented without the key that it is bound to")
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

    /// Somebody ended it. That its time was over ends nothing but what the browser shows: an application lives on.
    private func checkLogin(_ id: LoginID) async throws(OAuthError) {
        let login = try await context.storing { store throws(StoreError) in try await store.login(id) }
        guard let login, login.ended == nil else { throw Self.refused("login ended") }
    }

    /// One refusal for all causes: who tries learns nothing from it. The log has the cause.
    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(
            .invalidGrant, "the refresh token is not good (any more), or was given to another client", cause: cause)
    }
}

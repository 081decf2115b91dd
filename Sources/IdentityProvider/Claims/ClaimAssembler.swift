import OAuth
import Primitives

/// Puts together what a token or the userinfo endpoint says about a user, beyond what every token has.
struct ClaimAssembler: Sendable {
    let context: ProviderContext
    let client: Client
    let terms: FamilyTerms
    let user: User?
    let subject: String
    let scope: Scope
    let grant: String
    /// What the rules for claims may read of it.
    var request = FormParameters()

    /// Where claims go.
    enum Destination: Sendable, Equatable {
        case accessToken
        case idToken(withAccessToken: Bool)
        case userInfo
    }

    func claims(for destination: Destination) -> JSONObject {
        var claims = JSONObject()
        var requested: ClaimRequests?
        switch destination {
        case .accessToken:
            break
        case .idToken(let hasAccessToken):
            if !hasAccessToken || context.configuration.idTokens.userClaims == .always { addScopeClaims(to: &claims) }
            requested = terms.claimsRequest?.idToken
        case .userInfo:
            addScopeClaims(to: &claims)
            requested = terms.claimsRequest?.userinfo
        }
        add(requested, to: &claims)
        addUnscopedClaims(to: &claims)
        // Most often there is no more, and ``User`` has left the claims of the protocol out of these.
        guard
            requested != nil || !client.metadata.claims.isEmpty || !context.configuration.claimRules.isEmpty
                || !terms.loginClaims.isEmpty
        else { return claims }
        for (name, value) in client.metadata.claims { claims[name] = value }
        context.configuration.claimRules.apply(to: &claims, for: ruleContext(for: destination))
        // What was chosen for this login counts more than what holds for all.
        for (name, value) in terms.loginClaims { claims[name] = value }
        return claims.withoutProtocolClaims
    }

    /// OpenID Connect Core section 5.4.
    private func addScopeClaims(to claims: inout JSONObject) {
        guard let user else { return }
        for (scopeName, scoped) in user.claimsByScope where scope.contains(scopeName) {
            for (name, value) in scoped { claims[name] = value }
        }
    }

    /// Claims that no standard scope stands for, such as roles: they go wherever they are wanted.
    private func addUnscopedClaims(to claims: inout JSONObject) {
        guard let user else { return }
        guard !claims.isEmpty else {
            claims = user.unscopedClaims
            return
        }
        for (name, value) in user.unscopedClaims { claims[name] = value }
    }

    /// OpenID Connect Core section 5.5.
    private func add(_ requested: ClaimRequests?, to claims: inout JSONObject) {
        guard let user else { return }
        for claim in requested?.claims ?? [] {
            if let value = user.claims[claim.name] { claims[claim.name] = value }
        }
    }

    private func ruleContext(for destination: Destination) -> ClaimContext {
        ClaimContext(
            destination: destination.ofRules, tenant: context.tenantText, grant: grant, scope: scope, client: client.id,
            clientProperties: client.metadata.json, user: user?.username,
            userClaims: (user?.claims ?? [:]).overridden(by: terms.loginClaims), request: request)
    }

    /// Those of a client that acts for itself.
    static func clientClaims(
        _ client: Client, context: ProviderContext, scope: Scope, grant: String = ClientCredentialsGrant.type,
        request: FormParameters = FormParameters()
    ) -> JSONObject {
        var claims = client.metadata.claims
        context.configuration.claimRules.apply(
            to: &claims,
            for: ClaimContext(
                destination: .accessToken, tenant: context.tenantText, grant: grant, scope: scope, client: client.id,
                clientProperties: client.metadata.json, request: request))
        return claims.withoutProtocolClaims
    }
}

extension JSONObject {
    /// Without the claims that others trust to mean what the protocol says: whatever is known of users and clients, nothing
    /// of it becomes one of these.
    fileprivate var withoutProtocolClaims: JSONObject {
        guard contains(where: { ClaimRules.protectedClaims.contains($0.0) }) else { return self }
        var rest = JSONObject()
        for (name, value) in self where !ClaimRules.protectedClaims.contains(name) { rest[name] = value }
        return rest
    }
}

extension ClaimAssembler.Destination {
    fileprivate var ofRules: ClaimDestination {
        switch self {
        case .accessToken: .accessToken
        case .idToken: .idToken
        case .userInfo: .userinfo
        }
    }
}

extension ProviderContext {
    /// As rules for claims see it: empty at the root.
    fileprivate var tenantText: String { tenant?.text ?? "" }
}

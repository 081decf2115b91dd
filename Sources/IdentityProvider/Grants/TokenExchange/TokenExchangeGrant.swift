import OAuth
import Primitives

/// A token for another token (RFC 8693): for another audience, for less, for somebody who acts for the user, or for a second
/// session beside the first.
struct TokenExchangeGrant: Grant {
    static let type = "urn:ietf:params:oauth:grant-type:token-exchange"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        let exchange = try ExchangeRequest(request.form)
        try check(exchange.targets, for: exchange.requestedType, of: request.client)
        let subject = try await reader(of: "subject_token", in: exchange, request).read(exchange.subject)
        var actor: ExchangedToken?
        if let token = exchange.actor {
            actor = try await reader(of: "actor_token", in: exchange, request).read(token)
        }
        try check(subject, presentedBy: request.client)
        let delegation = Delegation(
            subject: subject, actor: actor, clientID: request.client.id, issuer: request.issuer.identifier)
        try delegation.check()
        let order = ExchangeOrder(
            request: request, subject: subject, scope: try scope(of: request, for: subject),
            targets: exchange.targets, actor: try delegation.claim())
        switch exchange.requestedType {
        case .accessToken: return try await accessToken(order)
        case .refreshToken: return try await session(order)
        case .idToken, .jwt: return try await idToken(order)
        }
    }

    private func reader(
        of parameter: StaticString, in exchange: ExchangeRequest, _ request: TokenRequest
    ) -> ExchangedTokenReader {
        ExchangedTokenReader(context: context, request: request, parameter: parameter, targets: exchange.targets)
    }

    /// RFC 8693 section 2.2.2: invalid_target. An ID token is for the client that asks and nobody else.
    private func check(
        _ targets: [String], for type: ExchangeTokenType, of client: Client
    ) throws(OAuthError) {
        switch type {
        case .accessToken, .refreshToken, .jwt: try TargetPolicy.check(targets, for: client)
        case .idToken:
            guard TargetPolicy.isWithin(targets, [client.id]) else {
                throw OAuthError(.invalidTarget, "an ID token is for the client that asks for it")
            }
        }
    }

    /// RFC 8693 section 5: a client that proves nothing could exchange whatever it finds. It exchanges what was given to
    /// itself.
    private func check(_ subject: ExchangedToken, presentedBy client: Client) throws(OAuthError) {
        guard client.isPublic else { return }
        guard let owner = subject.clientID, sameText(owner, client.id) else {
            throw OAuthError(.invalidRequest, "a public client exchanges tokens that were given to itself")
        }
    }

    /// Never wider than that of the subject token, and never more than the client may have. None means as much as both
    /// allow.
    private func scope(of request: TokenRequest, for subject: ExchangedToken) throws(OAuthError) -> Scope {
        if let text = request.form["scope"] {
            let scope = try request.client.scope(for: text)
            guard let most = subject.scope ?? subject.consented, !scope.isSubset(of: most) else { return scope }
            throw OAuthError(.invalidScope, "the subject_token is good for: \(most.text)")
        }
        guard let granted = subject.scope else {
            let usual = request.client.metadata.defaultScope
            return subject.consented.map { usual.filter($0.contains) } ?? usual
        }
        guard case .listed(let allowed) = request.client.metadata.scopes else { return granted }
        return granted.filter(allowed.contains)
    }
}

import OAuth
import Primitives

/// Gives a client what its user has granted: a code, tokens, or both.
struct AuthorizationGranter: Sendable {
    let context: ProviderContext
    let minter: TokenMinter

    /// What goes to the redirect URI.
    func answer(
        _ request: AuthorizationRequest, of client: Client, by login: Login, granting scope: Scope,
        as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> AuthorizationAnswer {
        let terms = self.terms(of: request, client, login, scope, now)
        var parameters: [(name: String, value: String)] = []
        var code: String?
        if request.responseType.contains(.code) {
            let text = Self.codePrefix + context.random.identifier(byteCount: Self.codeByteCount)
            try await keep(text, request, terms, at: now)
            parameters.append(("code", text))
            code = text
        }
        let givesTokens = request.responseType.returnsTokens
        let family = givesTokens ? try await begin(terms, for: client, as: issuer) : nil
        // What was chosen for the next answer is for one that grants something: all that may refuse comes before.
        let override = context.overrides.next(
            at: AuthorizationEndpoint.location, givingTokens: givesTokens, for: client.id)
        if let family {
            var order = FrontChannelOrder(
                client: client, family: family, responseType: request.responseType, issuer: issuer, now: now)
            order.code = code
            order.override = override
            parameters += try await minter.frontChannelTokens(order).parameters
        }
        var answer = AuthorizationAnswer(parameters, to: request.target, as: issuer)
        answer.remark = RequestRemark(clientID: client.id, families: family.map { [$0.id] } ?? [])
        if let members = override?.members { answer.put(members) }
        return answer
    }

    /// A grant that is refused is an error of the token endpoint. Here it means that the user has logged out meanwhile,
    /// or that he or the client has been removed.
    private func begin(
        _ terms: FamilyTerms, for client: Client, as issuer: PreparedIssuer
    ) async throws(OAuthError) -> Family {
        do throws(OAuthError) {
            return try await minter.begin(terms, for: client, as: issuer)
        } catch {
            guard error.code == .invalidGrant else { throw error }
            throw OAuthError(.loginRequired, "the user has logged out meanwhile", cause: error.cause)
        }
    }

    private static let codePrefix = "ac1."
    /// 256 bits; RFC 6749 section 10.10 asks for 128.
    private static let codeByteCount = 32

    private func keep(
        _ code: String, _ request: AuthorizationRequest, _ terms: FamilyTerms, at now: Timestamp
    ) async throws(OAuthError) {
        let record = AuthorizationCode(
            terms: terms, redirectURI: request.target.namedRedirectURI, challenge: request.challenge,
            proofKeyThumbprint: request.proofKeyThumbprint, hasBegunFamily: request.responseType.returnsTokens,
            expires: now + context.configuration.lifetimes.authorizationCode)
        try await context.storing { store throws(StoreError) in
            try await store.keep(record, named: TokenDigest(of: code))
        }
    }

    private func terms(
        of request: AuthorizationRequest, _ client: Client, _ login: Login, _ scope: Scope, _ now: Timestamp
    ) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: context.random), clientID: client.id, userID: login.userID, scope: scope,
            resources: request.resources, loginID: login.id,
            // OpenID Connect Core section 11: offline access is what goes on when the user is not logged in any more.
            endsWithLogin: !scope.contains("offline_access"), authentication: login.authentication,
            nonce: request.nonce, claimsRequest: request.claims, loginClaims: login.claims,
            // RFC 9449 section 5: the refresh tokens of public clients are bound; those of others are bound to the client.
            confirmation: client.isPublic ? request.proofKeyThumbprint.map { .proofKey(thumbprint: $0) } : nil,
            began: now, expires: now + context.configuration.lifetimes.refreshTokens,
            stays: context.stays(of: login, with: client))
    }
}

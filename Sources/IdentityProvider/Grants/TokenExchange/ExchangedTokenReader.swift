import JOSE
import OAuth
import Primitives

/// Finds out what the tokens of an exchange are worth. RFC 8693 section 2.2.2: whatever is wrong with one, it is
/// `invalid_request`.
struct ExchangedTokenReader: Sendable {
    let context: ProviderContext
    let request: TokenRequest
    let parameter: StaticString
    /// For whom the new token is to be.
    let targets: [String]

    func read(_ token: ExchangeRequest.Token) async throws(OAuthError) -> ExchangedToken {
        let presented: ExchangedToken
        switch token.type {
        case .accessToken: presented = try await required(accessToken(token.text))
        case .refreshToken: presented = try await refreshToken(token.text)
        case .idToken: presented = try await identity(token.text)
        case .jwt: presented = try await jwt(token.text)
        }
        // RFC 9449 section 7, RFC 8705 section 3: a token that is bound to a key is worth nothing without it.
        if let bound = presented.confirmation, bound != request.confirmation {
            throw refused("it is bound to a key that the request does not prove", cause: "presented without its key")
        }
        return presented
    }

    private func required(_ token: ExchangedToken?) throws(OAuthError) -> ExchangedToken {
        guard let token else { throw refused("it is not good (any more), or not of the type that was said") }
        return token
    }

    private func identity(_ text: String) async throws(OAuthError) -> ExchangedToken {
        if let token = try await idToken(text) { return token }
        let algorithm = request.client.metadata.idTokenAlgorithm ?? context.configuration.idTokens.algorithm
        guard !algorithm.isSymmetric else {
            throw refused("ID tokens of this client are signed with its own secret, and so prove nothing here")
        }
        return try required(nil)
    }

    private func jwt(_ text: String) async throws(OAuthError) -> ExchangedToken {
        if let token = try await accessToken(text) { return token }
        if let token = try await idToken(text) { return token }
        return try await assertion(text)
    }

    func refused(_ reason: String, cause: String? = nil) -> OAuthError {
        OAuthError(.invalidRequest, "the \(parameter) was refused: \(reason)", cause: cause)
    }
}

// MARK: - Access tokens and refresh tokens

extension ExchangedTokenReader {
    private func accessToken(_ text: String) async throws(OAuthError) -> ExchangedToken? {
        let reader = AccessTokenReader(context: context)
        guard let facts = try await reader.active(text, at: request.now, notingIn: request.trace)?.facts else {
            return nil
        }
        var terms: FamilyTerms?
        if let id = facts.familyID {
            terms = try await context.storing { store throws(StoreError) in try await store.family(id) }?.terms
            guard terms != nil else { return nil }
        }
        var token = ExchangedToken(
            party: terms.map { .user($0.userID) } ?? .client(facts.subject), subject: facts.subject,
            expires: facts.expires)
        token.clientID = facts.clientID
        // What a test made the token say beyond what the user granted counts for nothing.
        token.scope = terms.map { terms in facts.scope.filter(terms.scope.contains) } ?? facts.scope
        token.resources = Self.resources(of: facts, within: terms)
        token.terms = terms
        token.confirmation = facts.confirmation
        token.actor = facts.claims["act"]
        token.mayAct = facts.claims["may_act"]
        return token
    }

    /// RFC 8707 section 2.2: where the user granted resources by name, what follows is for those, and for no more of them
    /// than the token has. What a test made it say beyond them counts for nothing.
    private static func resources(of facts: AccessTokenFacts, within terms: FamilyTerms?) -> [String] {
        guard let terms, !terms.resources.isEmpty else { return [] }
        let own = facts.audience.filter { TargetPolicy.isWithin([$0], terms.resources) }
        return own.isEmpty ? terms.resources : own
    }

    /// RFC 6749 section 6: a refresh token is good in the hands of its client alone. It is shown here and not redeemed
    /// (RFC 8693 section 2.1: an exchange has no effect on the tokens that are presented).
    private func refreshToken(_ text: String) async throws(OAuthError) -> ExchangedToken {
        guard let (id, node) = context.refreshTokens.read(text) else {
            throw refused("it is not good (any more), or was given to another client")
        }
        request.trace.present(id, node)
        guard let terms = try await context.storing({ store throws(StoreError) in try await store.family(id) })?.terms,
            sameText(terms.clientID, request.client.id)
        else { throw refused("it is not good (any more), or was given to another client") }
        // Its key is looked at before anything is judged: whoever has no proof cannot end a family.
        if let bound = terms.confirmation, bound != request.confirmation {
            throw refused("it is bound to a key that the request does not prove", cause: "presented without its key")
        }
        if let cause = try await context.refusal(ofShown: node, of: id, by: request.client, at: request.now) {
            throw refused("it is not good (any more), or was given to another client", cause: cause)
        }
        return presented(terms)
    }

    private func presented(_ terms: FamilyTerms) -> ExchangedToken {
        let client = request.client
        let subject = context.subjects.subject(of: terms.userID, for: client)
        // What an access token of the same line would say.
        let claims = ClaimAssembler(
            context: context, client: client, terms: terms, user: context.users[id: terms.userID], subject: subject,
            scope: terms.scope, grant: TokenExchangeGrant.type
        ).claims(for: .accessToken)
        var token = ExchangedToken(party: .user(terms.userID), subject: subject, expires: terms.expires)
        token.clientID = terms.clientID
        token.scope = terms.scope
        token.resources = terms.resources
        token.terms = terms
        token.confirmation = terms.confirmation
        token.actor = terms.actor
        token.mayAct = claims["may_act"]
        return token
    }
}

// MARK: - ID tokens and assertions

extension ExchangedTokenReader {
    /// OpenID Connect Core section 2: an ID token is meant for its audience, so that nobody else may use it here.
    ///
    /// One that is signed with a symmetric algorithm is signed with the client's secret (section 10.1): the client could
    /// have made it itself, about anybody. So the keys of the ring alone count.
    private func idToken(_ text: String) async throws(OAuthError) -> ExchangedToken? {
        let policy = JWTPolicy(
            issuer: .unchecked, audience: .oneOf([request.client.id]), type: .exactly(TokenType.idToken.header),
            requiredClaims: ["iss", "sub", "aud", "exp", "iat"])
        let keys = context.keyRing.verificationKeys(at: request.now)
        guard let claims = try? policy.verify(text, keys: keys, at: request.now).claims,
            let issuer = claims.issuer, context.isOurs(issuer, as: request.issuer), let subject = claims.subject,
            let expires = claims.expires
        else { return nil }
        var login: Login?
        if let sid = claims.members["sid"]?.string {
            login = try await context.storing { store throws(StoreError) in try await store.login(LoginID(sid)) }
            guard let login, login.isAlive(at: request.now) else { return nil }
        }
        guard let userID = login?.userID ?? userID(ofSubject: subject),
            sameText(context.subjects.subject(of: userID, for: request.client), subject)
        else { return nil }
        var token = ExchangedToken(party: .user(userID), subject: subject, expires: expires)
        token.clientID = request.client.id
        token.consented = try await consent(of: userID)
        token.login = login
        token.actor = claims.members["act"]
        token.mayAct = claims.members["may_act"]
        return token
    }

    /// An ID token says nothing of what the user allowed: that is what was remembered, for the targets of the new token.
    /// `nil`: the client's users are not asked.
    private func consent(of userID: String) async throws(OAuthError) -> Scope? {
        let client = request.client
        guard client.metadata.consent != .implied else { return nil }
        let remembered: Scope? = try await context.storing { [targets] store throws(StoreError) in
            try await store.consent(of: userID, to: client.id, for: targets)
        }
        return remembered ?? .empty
    }

    /// Pairwise subjects cannot be turned back (OpenID Connect Core section 8.1): each user is asked.
    private func userID(ofSubject subject: String) -> String? {
        switch request.client.metadata.subjectType {
        case .shared: context.users[id: subject]?.id
        case .pairwise:
            context.users.users.first {
                sameText(context.subjects.subject(of: $0.id, for: request.client), subject)
            }?.id
        }
    }

    /// What the JWT bearer grant would take (RFC 7523), of a client that may use that grant: an exchange is no way
    /// around what its registration says.
    private func assertion(_ text: String) async throws(OAuthError) -> ExchangedToken {
        guard request.client.mayUse(JWTBearerGrant.type) else {
            throw refused("it is no token of this provider, and this client may not use the JWT bearer grant")
        }
        let found: BearerAssertions.Subject
        do throws(OAuthError) {
            found = try await BearerAssertions(context: context).subject(
                of: text, presentedBy: request.client, as: request.issuer, at: request.now)
        } catch {
            throw error.code == .invalidGrant ? OAuthError(.invalidRequest, error.publicDescription) : error
        }
        var token = ExchangedToken(
            party: .user(found.user.id), subject: found.assertion.subject,
            expires: found.assertion.claims["exp"]?.int64.map { Timestamp(secondsSinceEpoch: $0) }
                ?? found.assertion.goodUntil)
        token.issuer = found.assertion.issuer
        token.mayAct = found.assertion.claims["may_act"]
        return token
    }
}

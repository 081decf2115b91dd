import Crypto
import OAuth
import Observability
import Primitives
import Synchronization

/// Tokens for a code (RFC 6749 section 4.1.3, RFC 7636 section 4.5).
struct AuthorizationCodeGrant: Grant {
    static let type = "authorization_code"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard let text = request.form["code"] else { throw OAuthError(.invalidRequest, "code is missing") }
        if context.checkpoints.isWatched { await context.checkpoints.pass(.codeReceived) }
        // RFC 8707 section 2.2: the token is for those of the granted resources that this request names.
        let resources = try ResourceIndicator.all(of: request.form).map(\.text)
        let judge = CodeJudge(
            request: request, verifier: try self.verifier(of: request), resources: resources,
            boundKey: boundKey(of: request))
        let code = try await consume(text, of: request, if: judge)
        let family = try await minter.begin(
            code.terms.bound(to: boundKey(of: request)), for: request.client, as: request.issuer,
            notingIn: request.trace)
        if context.checkpoints.isWatched { await context.checkpoints.pass(.codeCommitted) }
        var order = TokenOrder(
            client: request.client, family: family, scope: family.terms.scope, grant: type, issuer: request.issuer,
            now: request.now)
        order.audience = resources.isEmpty ? family.terms.resources : resources
        order.confirmation = request.confirmation
        order.nonce = family.terms.nonce
        order.override = request.override
        order.request = request.form
        let response = try await minter.tokens(order)
        if context.checkpoints.isWatched { await context.checkpoints.pass(.codeResponding) }
        return response
    }

    private func verifier(of request: TokenRequest) throws(OAuthError) -> CodeVerifier? {
        guard let text = request.form["code_verifier"] else { return nil }
        guard let verifier = CodeVerifier(text) else {
            throw OAuthError(.invalidRequest, "code_verifier is 43 to 128 letters, digits, - . _ and ~")
        }
        return verifier
    }

    private func consume(
        _ text: String, of request: TokenRequest, if judge: CodeJudge
    ) async throws(OAuthError) -> AuthorizationCode {
        let now = request.now
        let refusal = Mutex<Refusal?>(nil)
        let consumption = try await context.storing { store throws(StoreError) in
            try await store.consumeCode(named: TokenDigest(of: text), at: now) { code in
                let found = judge.refusal(of: code)
                refusal.withLock { $0 = found }
                return found == nil
            }
        }
        if context.checkpoints.isWatched { await context.checkpoints.pass(.codeJudged) }
        switch consumption {
        case .consumed(let code):
            return code
        case .replayed(let code):
            request.trace.concern(code.terms.id)
            try await end(code.terms, at: now)
            throw Self.refused("replayed")
        case .expired:
            throw Self.refused("expired")
        case .unknown:
            throw Self.refused("unknown")
        case nil:
            throw refusal.withLock { $0 }.map { $0.error(for: request) } ?? Self.refused("refused")
        }
    }

    /// RFC 6749 section 4.1.2: of a code that is used a second time, all tokens that it gave SHOULD be revoked.
    ///
    /// The first use may not have begun their family yet. Then one is put there that has ended, and the first use, when it
    /// comes to begin its own, finds it. Whichever comes first, one of the two finds the other.
    private func end(_ terms: FamilyTerms, at now: Timestamp) async throws(OAuthError) {
        var family = Family(terms)
        family.end(.codeReplayed, at: now)
        let ended = family
        try await context.storing { store throws(StoreError) in
            guard try await !store.begin(ended).family.isOver else { return }
            _ = try await store.judge(terms.id) { $0.end(.codeReplayed, at: now) }
        }
        context.logger.warning(
            "code.replayed", [LogField("client", terms.clientID), LogField("family", "\(terms.id)")])
    }

    /// RFC 9449 section 5, RFC 8705 section 4: the refresh tokens of a public client are bound to the key that it has
    /// shown. Those of a confidential one are bound to the client, which proves itself each time.
    private func boundKey(of request: TokenRequest) -> Confirmation? {
        request.client.isPublic ? request.confirmation : nil
    }

    /// One refusal for all causes but the key: who tries learns nothing from it. The log has the cause.
    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(
            .invalidGrant,
            "the code is not good (any more), was given to another client or for another redirect_uri, or "
                + "code_verifier does not fit",
            cause: cause)
    }

    /// Why a code gets nothing, although it is one.
    private enum Refusal: Sendable {
        case anotherClient, anotherRedirectURI, verifierMissing, verifierUnexpected, wrongVerifier
        case anotherKey(Confirmation)
        case keyIsLate, anotherResource

        func error(for request: TokenRequest) -> OAuthError {
            switch self {
            case .anotherClient: refused("code of another client")
            case .anotherRedirectURI: refused("redirect_uri differs")
            case .verifierMissing: refused("code_verifier is missing")
            case .verifierUnexpected: refused("code_verifier for a code without code_challenge")
            case .wrongVerifier: refused("code_verifier does not fit")
            case .anotherKey(let bound): bound.refusal(of: "the code", shownWith: request.confirmation)
            case .keyIsLate:
                OAuthError(
                    .invalidGrant,
                    "the tokens that came with this code are not bound to this key, so that it takes none; name the key "
                        + "in the authorization request (dpop_jkt)",
                    cause: "the family has begun and is bound to no key")
            case .anotherResource:
                OAuthError(.invalidTarget, "a resource was not part of what the user granted")
            }
        }

        private func refused(_ cause: String) -> OAuthError { AuthorizationCodeGrant.refused(cause) }
    }

    /// Whether a request presents a code rightly. What it refuses leaves the code as it was: who has but the code cannot
    /// spend it.
    private struct CodeJudge: Sendable {
        let request: TokenRequest
        let verifier: CodeVerifier?
        let resources: [String]
        /// What the refresh tokens are to be bound to.
        let boundKey: Confirmation?

        func refusal(of code: AuthorizationCode) -> Refusal? {
            // RFC 6749 section 4.1.3: MUST be issued to this client.
            guard sameText(code.terms.clientID, request.client.id) else { return .anotherClient }
            // RFC 6749 section 4.1.3: if it was there, the same; and it was, unless the client has but one.
            if let redirectURI = code.redirectURI {
                guard let presented = request.form["redirect_uri"], sameText(presented, redirectURI) else {
                    return .anotherRedirectURI
                }
            }
            // Before what is said of keys: that is for whoever began the flow, and not for whoever found the code.
            if let refusal = refusalOfVerifier(for: code.challenge) { return refusal }
            // RFC 9449 section 10: the proof is by the key that the authorization request named.
            if let thumbprint = code.proofKeyThumbprint, request.confirmation != .proofKey(thumbprint: thumbprint) {
                return .anotherKey(.proofKey(thumbprint: thumbprint))
            }
            // A hybrid answer has begun the family before any key was shown. Its refresh tokens would be bound to none.
            if let boundKey, code.hasBegunFamily, code.terms.confirmation != boundKey { return .keyIsLate }
            let granted = code.terms.resources
            let wasGranted = resources.allSatisfy { one in granted.contains { sameText($0, one) } }
            return wasGranted ? nil : .anotherResource
        }

        private func refusalOfVerifier(for challenge: CodeChallenge?) -> Refusal? {
            switch (challenge, verifier) {
            case (nil, nil): return nil
            case (.some, nil): return .verifierMissing
            // RFC 9700 section 4.8.2: a verifier that nobody asked for means that somebody took the challenge away.
            case (nil, .some): return .verifierUnexpected
            case (let challenge?, let verifier?):
                return challenge.matches(verifier) { HashFunction.sha256.digest($0) } ? nil : .wrongVerifier
            }
        }
    }
}

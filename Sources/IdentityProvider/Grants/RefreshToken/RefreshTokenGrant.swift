import OAuth
import Primitives

/// New tokens for a refresh token (RFC 6749 section 6).
struct RefreshTokenGrant: Grant {
    static let type = "refresh_token"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    /// Part of what a grant is called through, and its steps part of it, as ``ProviderContext/storing(_:)`` says why.
    @inline(__always)
    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard request.form["refresh_token"] != nil else {
            throw OAuthError(.invalidRequest, "refresh_token is missing")
        }
        // The endpoint has read it already, before whatever else it may be refused for.
        guard let presented = request.trace.record else { throw RotationPolicy.refused("not ours") }
        let (id, node) = (presented.family, presented.node)
        let policy = context.rotation(for: request.client)
        // By whether the token was good when its request came, the loser of a race is known. It costs a look into the store,
        // which is taken only where the loser hears something of his own.
        let wasGood = policy.race == .retryableRejection ? try await isGood(id, node) : false
        let presentation = RotationPolicy.Presentation(
            isFromPublicClient: request.client.isPublic, wasGoodOnArrival: wasGood)
        if context.checkpoints.isWatched { await context.checkpoints.pass(.refreshReceived) }
        let judged = try await judge(id, node, presentation, by: policy, for: request)
        if context.checkpoints.isWatched { await context.checkpoints.pass(.refreshCommitted) }
        do throws(OAuthError) {
            let response = try await minter.tokens(
                order(for: request, judged.presented, judged.after, judged.verdict, judged.accessToken))
            if context.checkpoints.isWatched { await context.checkpoints.pass(.refreshResponding) }
            return response
        } catch {
            await takeBack(judged)
            request.trace.takeBack()
            throw error
        }
    }

    private func isGood(_ id: FamilyID, _ node: UInt32) async throws(OAuthError) -> Bool {
        try await context.storing { store throws(StoreError) in try await store.family(id) }?
            .rotation.isLive(node) ?? false
    }

    // MARK: Judgement

    /// Shared, for it is large, and goes through many hands.
    private final class Judged: Sendable {
        let verdict: RotationPolicy.Verdict
        let before: RotationState
        let after: Family
        let presented: Presented
        /// One that was kept with the judgement.
        let accessToken: AccessToken?

        init(
            _ verdict: RotationPolicy.Verdict, before: RotationState, after: Family, _ presented: Presented,
            _ accessToken: AccessToken?
        ) {
            self.verdict = verdict
            self.before = before
            self.after = after
            self.presented = presented
            self.accessToken = accessToken
        }
    }

    private enum Outcome: Sendable {
        case judged(Judged)
        /// The family came from another: first has to be found out whether that is still there.
        case hasOrigin(FamilyTerms)
        /// There can be no answer, and nothing has changed.
        case failed(OAuthError)
    }

    @inline(__always)
    private func judge(
        _ id: FamilyID, _ node: UInt32, _ presentation: RotationPolicy.Presentation, by policy: RotationPolicy,
        for request: TokenRequest
    ) async throws(OAuthError) -> Judged {
        let judged = try await judgement(of: id, node, presentation, by: policy, for: request)
        if context.checkpoints.isWatched {
            await context.checkpoints.pass(
                .refreshJudged, noting: Judgement(judged.verdict, of: judged.after, presenting: node))
        }
        // What the rules say of a refusal is for the refusal alone, and not for a store that fails on the way to it.
        if judged.verdict.refusal?.endsGrant == true {
            try await context.endGrant(of: judged.after, at: context.clock.now())
        }
        request.trace.note(judged.verdict, by: policy)
        guard let refusal = judged.verdict.refusal else { return judged }
        throw policy.refusal(refusal)
    }

    @inline(__always)
    private func judgement(
        of id: FamilyID, _ node: UInt32, _ presentation: RotationPolicy.Presentation, by policy: RotationPolicy,
        for request: TokenRequest
    ) async throws(OAuthError) -> Judged {
        var isOriginThere = false
        while true {
            let knowsOrigin = isOriginThere
            // The time of the judgement, which may be later than that of the request: it decides who came within a window.
            let now = context.clock.now()
            let found = try await context.storing { store throws(StoreError) in
                try await store.refresh(id) { family, login -> RefreshOutcome<Outcome> in
                    let before = family
                    do throws(OAuthError) {
                        let terms = try presented(to: family.terms, login, by: request)
                        guard knowsOrigin || family.terms.origin == nil else {
                            return RefreshOutcome(.hasOrigin(family.terms))
                        }
                        let verdict = policy.judge(&family, presenting: node, at: now, presentation)
                        return try outcome(
                            of: verdict, before: before.rotation, after: family, terms, login, for: request)
                    } catch {
                        family = before
                        return RefreshOutcome(.failed(error))
                    }
                }
            }
            switch found {
            case nil: throw RotationPolicy.refused("unknown family")
            case .judged(let judged): return judged
            case .failed(let error): throw error
            case .hasOrigin(let terms):
                guard try await !context.hasLostOrigin(terms) else { throw RotationPolicy.refused("origin ended") }
                isOriginThere = true
            }
        }
    }

    /// All that is kept of the answer is kept with the judgement: a store that fails has spent no token.
    private func outcome(
        of verdict: RotationPolicy.Verdict, before: RotationState, after family: Family, _ presented: Presented,
        _ login: Login?, for request: TokenRequest
    ) throws(OAuthError) -> RefreshOutcome<Outcome> {
        let isGranted = verdict.refusal == nil
        let made =
            isGranted
            ? try minter.opaqueAccessToken(for: request.client, order(for: request, presented, family, verdict)) : nil
        var outcome = RefreshOutcome<Outcome>(
            .judged(Judged(verdict, before: before, after: family, presented, made?.token)))
        guard isGranted else { return outcome }
        outcome.accessToken = made.map { ($0.record, $0.digest) }
        if presented.namesLogin, let login { outcome.login = noteOfIssuer(in: login, for: request) }
        return outcome
    }

    private func order(
        for request: TokenRequest, _ presented: Presented, _ family: Family, _ verdict: RotationPolicy.Verdict,
        _ accessToken: AccessToken? = nil
    ) -> TokenOrder {
        var order = TokenOrder(
            client: request.client, family: family, scope: presented.scope, grant: Self.type, issuer: request.issuer,
            now: request.now)
        order.audience = presented.targets
        order.confirmation = request.confirmation
        order.accessToken = accessToken
        if case .granted(let successor, _, _) = verdict {
            order.refreshNode = successor
        } else {
            order.givesRefreshToken = false
        }
        order.override = request.override
        order.request = request.form
        return order
    }

    /// The client gets nothing, through no fault of its own: its token is as good as before, unless somebody else has used
    /// the family meanwhile.
    private func takeBack(_ judged: Judged) async {
        _ = try? await context.store.judge(judged.after.id) { family in
            guard family.rotation == judged.after.rotation, family.ended == judged.after.ended else { return }
            family.rotation = judged.before
        }
    }

    // MARK: What does not change

    /// What a request asks for, of what was granted.
    private struct Presented: Sendable {
        let scope: Scope
        let targets: [String]
        /// Whether the ID token will name the login.
        let namesLogin: Bool
    }

    /// All that does not change is judged before anything does: a request that fails spends no token.
    private func presented(
        to terms: FamilyTerms, _ login: Login?, by request: TokenRequest
    ) throws(OAuthError) -> Presented {
        try checkSender(of: request, against: terms)
        guard context.holds(terms) else { throw RotationPolicy.refused("user or client removed") }
        let scope = try scope(of: request, within: terms.scope)
        let targets = try TargetPolicy.targets(of: request, within: terms.resources)
        let isLoggedIn = try Self.isLoggedIn(login, terms)
        return Presented(scope: scope, targets: targets, namesLogin: isLoggedIn && scope.contains("openid"))
    }

    /// RFC 6749 section 6: the token is bound to the client it was given to. RFC 9449 section 5, RFC 8705 section 4: one
    /// that is bound to a key comes with that key.
    private func checkSender(of request: TokenRequest, against terms: FamilyTerms) throws(OAuthError) {
        guard sameText(terms.clientID, request.client.id) else {
            throw RotationPolicy.refused("token of another client")
        }
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

    /// Whether the login that it was authorised in is still of use. That its time was over ends nothing but what the
    /// browser shows: an application lives on, unless somebody ended the login.
    private static func isLoggedIn(_ login: Login?, _ terms: FamilyTerms) throws(OAuthError) -> Bool {
        guard terms.loginID != nil else { return false }
        guard let login, login.ended == nil else {
            guard terms.endsWithLogin else { return false }
            throw RotationPolicy.refused("login ended")
        }
        return true
    }

    /// OpenID Connect Back-Channel Logout section 2.4: `iss` of a logout token is what it is in the client's ID tokens, and
    /// the newest of those is the one that comes now.
    private func noteOfIssuer(
        in login: Login, for request: TokenRequest
    ) -> (id: LoginID, change: @Sendable (inout Login) -> Void)? {
        let (client, issuer) = (request.client.id, request.issuer.identifier)
        guard login.issuers[client] != issuer else { return nil }
        return (
            login.id,
            { login in
                guard login.ended == nil else { return }
                login.issuers[client] = issuer
            }
        )
    }
}

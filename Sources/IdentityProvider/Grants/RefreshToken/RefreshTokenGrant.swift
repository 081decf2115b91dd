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
        guard let (familyID, node) = context.refreshTokens.read(token) else { throw RotationPolicy.refused("not ours") }
        request.refresh.present(familyID, node)
        do throws(OAuthError) {
            return try await answer(request, family: familyID, node: node)
        } catch {
            request.refresh.refuse(error.cause ?? error.code.rawValue)
            throw error
        }
    }

    private func answer(
        _ request: TokenRequest, family id: FamilyID, node: UInt32
    ) async throws(OAuthError) -> TokenResponse {
        var (family, foundLogin) = try await find(id)
        // Who is held here has come: that the token was good then is how the loser of a race is known. What has happened to
        // the login meanwhile counts.
        let wasGoodOnArrival = family.rotation.isLive(node)
        if context.checkpoints.isWatched {
            await context.checkpoints.pass(.refreshReceived)
            (family, foundLogin) = try await find(id)
        }
        // All that does not change is judged before anything does: a request that fails spends no token.
        try checkSender(of: request, against: family.terms)
        guard context.holds(family.terms) else { throw RotationPolicy.refused("user or client removed") }
        let scope = try scope(of: request, within: family.terms.scope)
        let targets = try TargetPolicy.targets(of: request, within: family.terms.resources)
        let login = try Self.login(foundLogin, of: family.terms)
        guard try await !context.hasLostOrigin(family.terms) else { throw RotationPolicy.refused("origin ended") }
        let presented = Presented(
            node: node,
            presentation: RotationPolicy.Presentation(
                isFromPublicClient: request.client.isPublic, wasGoodOnArrival: wasGoodOnArrival),
            scope: scope, targets: targets, login: scope.contains("openid") ? login : nil)
        let judged = try await judge(id, presented, for: request)
        await context.checkpoints.pass(.refreshCommitted)
        do throws(OAuthError) {
            let response = try await minter.tokens(judged.order)
            await context.checkpoints.pass(.refreshResponding)
            return response
        } catch {
            await takeBack(judged)
            request.refresh.takeBack()
            throw error
        }
    }

    private func find(_ id: FamilyID) async throws(OAuthError) -> (family: Family, login: Login?) {
        let found = try await context.storing { store throws(StoreError) in try await store.familyWithLogin(id) }
        guard let found else { throw RotationPolicy.refused("unknown family") }
        return found
    }

    // MARK: Judgement

    private struct Presented: Sendable {
        let node: UInt32
        let presentation: RotationPolicy.Presentation
        let scope: Scope
        let targets: [String]
        /// The one that the ID token will name.
        let login: Login?
    }

    private struct Judged: Sendable {
        let verdict: RotationPolicy.Verdict
        let before: Family
        let after: Family
        var order: TokenOrder
    }

    /// Or why there can be no answer.
    private typealias Outcome = Result<Judged, OAuthError>

    private func judge(
        _ id: FamilyID, _ presented: Presented, for request: TokenRequest
    ) async throws(OAuthError) -> Judged {
        let policy = context.rotation(for: request.client)
        // The time of the judgement, which may be later than that of the request: it decides who came within a window.
        let now = context.clock.now()
        let found = try await context.storing { store throws(StoreError) in
            try await store.refresh(id) { family -> RefreshOutcome<Outcome> in
                let before = family
                let verdict = policy.judge(&family, presenting: presented.node, at: now, presented.presentation)
                let judged = Judged(
                    verdict: verdict, before: before, after: family,
                    order: order(for: request, presented, family, verdict))
                guard verdict.refusal == nil else { return RefreshOutcome(.success(judged)) }
                do throws(OAuthError) {
                    return try outcome(of: judged, presented, for: request)
                } catch {
                    family = before
                    return RefreshOutcome(.failure(error))
                }
            }
        }
        guard let judged = try found?.get() else { throw RotationPolicy.refused("unknown family") }
        await context.checkpoints.pass(
            .refreshJudged, noting: Judgement(judged.verdict, of: judged.after, presenting: presented.node))
        // What the rules say of a refusal is for the refusal alone, and not for a store that fails on the way to it.
        if judged.verdict.refusal?.endsGrant == true { try await context.endGrant(of: judged.after, at: now) }
        request.refresh.note(judged.verdict, by: policy)
        guard let refusal = judged.verdict.refusal else { return judged }
        throw policy.refusal(refusal)
    }

    /// All that is kept of the answer is kept with the judgement: a store that fails has spent no token.
    private func outcome(
        of judged: Judged, _ presented: Presented, for request: TokenRequest
    ) throws(OAuthError) -> RefreshOutcome<Outcome> {
        var judged = judged
        let made = try minter.opaqueAccessToken(judged.order)
        judged.order.accessToken = made?.token
        var outcome = RefreshOutcome<Outcome>(.success(judged))
        outcome.accessToken = made.map { ($0.record, $0.digest) }
        if let login = presented.login { outcome.login = noteOfIssuer(in: login, for: request) }
        return outcome
    }

    private func order(
        for request: TokenRequest, _ presented: Presented, _ family: Family, _ verdict: RotationPolicy.Verdict
    ) -> TokenOrder {
        var order = TokenOrder(
            client: request.client, family: family, scope: presented.scope, grant: Self.type, issuer: request.issuer,
            now: request.now)
        order.audience = presented.targets
        order.confirmation = request.confirmation
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
            family.rotation = judged.before.rotation
        }
    }

    // MARK: What does not change

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

    /// The login that it was authorised in, if that is still of use. That its time was over ends nothing but what the
    /// browser shows: an application lives on, unless somebody ended the login.
    private static func login(_ login: Login?, of terms: FamilyTerms) throws(OAuthError) -> Login? {
        guard terms.loginID != nil else { return nil }
        guard let login, login.ended == nil else {
            guard terms.endsWithLogin else { return nil }
            throw RotationPolicy.refused("login ended")
        }
        return login
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

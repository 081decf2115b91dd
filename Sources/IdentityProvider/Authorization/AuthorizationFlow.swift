import HTTPMessages
import OAuth
import Observability
import Primitives

/// Leads a request to its answer: judges it by who is logged in and by what the user has done, and says what comes next.
struct AuthorizationFlow: Sendable {
    let context: ProviderContext
    let sessions: BrowserSessions
    let granter: AuthorizationGranter

    /// What comes next.
    enum Step: Sendable {
        case logIn
        case chooseAccount
        case askConsent(Login)
        case answer(AuthorizationAnswer)
    }

    /// - Parameters:
    ///   - progress: how far the user has come; where nobody is ever asked who he is, he comes further by this.
    ///   - visit: its session changes with it.
    func next(
        _ request: AuthorizationRequest, of client: Client, _ progress: inout Interaction.Progress,
        in visit: inout Visit
    ) async throws(OAuthError) -> Step {
        let login: Login
        switch try await accountStep(request, client, &progress, in: &visit) {
        case .goOn(let found): login = found
        case .logIn: return .logIn
        case .chooseAccount: return .chooseAccount
        case .refuse(let error): throw error
        }
        switch try await consentStep(request, client, progress, login, at: visit.now) {
        case .ask: return .askConsent(login)
        case .refuse(let error): throw error
        case .given(let scope):
            let answer = try await granter.answer(
                request, of: client, by: login, granting: scope, as: visit.issuer, at: visit.now)
            context.logger.info(
                "authorization.granted",
                [
                    LogField("request", visit.request.id), LogField("client", client.id),
                    LogField("user", login.userID), LogField("response_type", request.responseType.text),
                ])
            return .answer(answer)
        }
    }

    /// Who the request is about.
    func accountStep(
        _ request: AuthorizationRequest, _ client: Client, _ progress: inout Interaction.Progress,
        in visit: inout Visit
    ) async throws(OAuthError) -> AuthorizationJudge.AccountStep {
        let step = judge(request, client, progress, at: visit.now).account(among: visit.session.logins)
        guard context.configuration.allowances.contains(.automaticLogin) else { return step }
        switch step {
        case .goOn, .refuse:
            return step
        case .logIn, .chooseAccount:
            guard let user = automaticUser(for: request, client) else { return step }
            let login = try await logIn(user, claims: [:], for: request, in: &visit)
            progress.authenticated = login.id
            progress.account = login.id
            return judge(request, client, progress, at: visit.now).account(among: visit.session.logins)
        }
    }

    private func consentStep(
        _ request: AuthorizationRequest, _ client: Client, _ progress: Interaction.Progress, _ login: Login,
        at now: Timestamp
    ) async throws(OAuthError) -> AuthorizationJudge.ConsentStep {
        let remembered: Scope? =
            client.metadata.consent == .remembered
            ? try await context.storing { store throws(StoreError) in
                try await store.consent(of: login.userID, to: client.id, for: request.resources)
            } : nil
        return judge(request, client, progress, at: now).consent(of: login, remembered: remembered)
    }

    private func judge(
        _ request: AuthorizationRequest, _ client: Client, _ progress: Interaction.Progress, at now: Timestamp
    ) -> AuthorizationJudge {
        let subjects = context.subjects
        return AuthorizationJudge(
            request: request, consent: client.metadata.consent, progress: progress,
            hintedUserID: request.loginHint.flatMap { user(hinted: $0)?.id }, now: now
        ) { subjects.subject(of: $0, for: client) }
    }

    /// Logs a user in, with the context class that the request would like, if the provider says that a login reaches it.
    func logIn(
        _ user: User, claims: JSONObject, for request: AuthorizationRequest?, in visit: inout Visit
    ) async throws(OAuthError) -> Login {
        let reachable = context.configuration.contextClasses
        let reached =
            (request?.wantedContextClasses ?? []).first { one in reachable.contains { sameText($0, one) } }
            ?? reachable.first
        let login = try await sessions.logIn(
            user, by: Authentication(at: visit.now, methods: ["pwd"], contextClass: reached), claims: claims,
            in: &visit.session)
        context.logger.info(
            "login.succeeded",
            [LogField("request", visit.request.id), LogField("user", user.id), LogField("sid", login.id.text)])
        return login
    }
}

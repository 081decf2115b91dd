import HTTPMessages
import OAuth
import Observability
import Primitives

/// What the pages of an interaction share: they find it, hold it to its browser, and go on with it.
///
/// A page of the provider that wants to know who its user is, such as the one for devices, begins an interaction of its
/// own and gets the user back when he has logged in:
///
///     guard let login = visit.session.current else {
///         return try await desk.logIn(thenShow: "/device", in: &visit)
///     }
///
/// Shared by all pages.
final class InteractionDesk: Sendable {
    let context: ProviderContext
    let sessions: BrowserSessions
    let flow: AuthorizationFlow
    let forms: FormGuard
    let pages: ProviderPages

    init(context: ProviderContext, minter: TokenMinter) {
        self.context = context
        sessions = BrowserSessions(context: context)
        flow = AuthorizationFlow(
            context: context, sessions: sessions, granter: AuthorizationGranter(context: context, minter: minter))
        forms = FormGuard(context: context)
        pages = ProviderPages(context: context)
    }

    /// The parameter that names an interaction.
    static let field = "interaction"

    /// Answers a request of a browser. What `body` refuses goes where it may go.
    ///
    /// - Parameter event: what a refusal is called in the log.
    func answer(
        _ request: ServerRequest, as issuer: PreparedIssuer, refusing event: StaticString = "authorization.refused",
        _ body: (inout Visit) async throws(AuthorizationRefusal) -> ServerResponse
    ) async -> ServerResponse {
        let now = context.clock.now()
        let session: BrowserSession
        do throws(OAuthError) {
            session = try await sessions.session(of: request, as: issuer, at: now)
        } catch {
            return pages.response(for: error, to: request)
        }
        var visit = Visit(request: request, issuer: issuer, now: now, session: session)
        var response: ServerResponse
        do throws(AuthorizationRefusal) {
            response = try await body(&visit)
        } catch {
            report(error, to: request, as: event)
            if let target = error.target {
                response = AuthorizationAnswer(error.error, to: target, as: issuer).response(on: pages, for: visit)
            } else {
                response = pages.response(for: error.error, visit)
            }
        }
        if let remark = visit.remark { response.remark = remark }
        visit.session.write(to: &response)
        return response
    }

    private func report(_ refusal: AuthorizationRefusal, to request: ServerRequest, as event: StaticString) {
        let error = refusal.error
        context.logger.refused(
            event, error, request, also: [LogField("told", refusal.target == nil ? "user" : "client")]
        )
    }
}

// MARK: - Beginning and finding

extension InteractionDesk {
    /// Begins an interaction.
    ///
    /// - Parameter isBound: whether it belongs to this browser from the beginning; else to the first that comes with it.
    func begin(
        _ purpose: Interaction.Purpose, _ progress: Interaction.Progress = Interaction.Progress(),
        isBound: Bool = true, in visit: inout Visit
    ) async throws(OAuthError) -> InteractionID {
        let browser = isBound ? TokenDigest(of: visit.session.secret(from: context.random)) : nil
        var interaction = Interaction(
            id: InteractionID(from: context.random), purpose: purpose, browser: browser, began: visit.now,
            expires: visit.now + context.configuration.lifetimes.interaction)
        interaction.progress = progress
        let begun = interaction
        try await context.storing { store throws(StoreError) in try await store.keep(begun) }
        return begun.id
    }

    /// Has the user log in, and then shows a page of ours.
    ///
    /// - Parameter path: of the page, with its query, below the issuer's own.
    func logIn(thenShow path: String, in visit: inout Visit) async throws(AuthorizationRefusal) -> ServerResponse {
        let id = try await refusing(to: nil) { () async throws(OAuthError) in
            try await begin(.page(path), in: &visit)
        }
        return redirect(to: LoginEndpoint.location, id, visit)
    }

    func redirect(to path: String, _ id: InteractionID, _ visit: Visit) -> ServerResponse {
        AuthorizationAnswer.redirect(to: visit.path(path) + "?\(Self.field)=\(id.text)")
    }

    /// The interaction that a request is about, if it belongs to the browser.
    func open(in visit: inout Visit) async throws(AuthorizationRefusal) -> OpenInteraction {
        let request = visit.request
        return try await open(
            refusing(to: nil) { () throws(OAuthError) in try PageForm.parameters(of: request) }, in: &visit)
    }

    private func open(_ form: FormParameters, in visit: inout Visit) async throws(AuthorizationRefusal)
        -> OpenInteraction
    {
        let now = visit.now
        let secrets = visit.session.secrets
        let digests = secrets.map { TokenDigest(of: $0) }
        let found: Interaction? = try await refusing(to: nil) { () async throws(OAuthError) in
            guard let id = form[Self.field] else {
                throw OAuthError(.invalidRequest, "this page belongs to a sign-in, and the address names none")
            }
            let result = try await context.storing { store throws(StoreError) in
                try await store.changeInteraction(InteractionID(id), at: now) { interaction in
                    interaction.belongs(to: digests) ? interaction : nil
                }
            }
            return result ?? nil
        }
        // Which of the two it is, is nobody's business but the browser's that it belongs to.
        guard let found, let index = digests.firstIndex(where: { $0 == found.browser }) else {
            throw AuthorizationRefusal(
                OAuthError(
                    .expiredToken,
                    "this sign-in is over, or was begun in another browser, or the browser keeps no cookies",
                    cause: "no such interaction"))
        }
        let subject = try refusing(to: nil) { () throws(OAuthError) in try self.subject(of: found) }
        visit.uiLocales = subject?.request.uiLocales
        return OpenInteraction(interaction: found, browserSecret: secrets[index], subject: subject)
    }

    private func subject(of interaction: Interaction) throws(OAuthError) -> OpenInteraction.Subject? {
        guard case .authorization(let request) = interaction.purpose else { return nil }
        guard let client = context.client(request.clientID), client.stay == request.clientStay else {
            throw OAuthError(.invalidRequest, "the client is not there any more", cause: "client removed")
        }
        // RFC 6749 section 3.1.2.3: what the answer goes to is compared with what is registered when it goes.
        guard request.target.isRegistered(by: client) else {
            throw OAuthError(
                .invalidRequest, "the client has not registered this redirect_uri any more",
                cause: "redirect_uri removed")
        }
        return OpenInteraction.Subject(request: request, client: client)
    }

    /// What a form of ours posted, if it was ours.
    func submission(
        in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> (form: FormParameters, open: OpenInteraction) {
        let request = visit.request
        let issuer = visit.issuer
        let form = try refusing(to: nil) { () throws(OAuthError) in
            try forms.check(request, as: issuer)
            return try PageForm.parameters(of: request)
        }
        let open = try await self.open(form, in: &visit)
        guard let token = form[FormGuard.field],
            forms.isValid(token, for: open.interaction.id.text, in: [open.browserSecret])
        else {
            throw AuthorizationRefusal(
                OAuthError(.accessDenied, "the form is not one of ours, or is too old", cause: "csrf token"))
        }
        return (form, open)
    }

    /// What every form of an interaction carries unseen.
    func hiddenFields(_ open: OpenInteraction) -> [HiddenField] {
        let id = open.interaction.id.text
        return [
            HiddenField(Self.field, id),
            HiddenField(FormGuard.field, forms.token(for: id, in: open.browserSecret)),
        ]
    }
}

// MARK: - Going on

extension InteractionDesk {
    /// Notes how far the user has come.
    func note(
        _ open: inout OpenInteraction, at now: Timestamp,
        _ body: @escaping @Sendable (inout Interaction.Progress) -> Void
    ) async throws(AuthorizationRefusal) {
        try await change(&open, at: now) { body(&$0.progress) }
    }

    private func change(
        _ open: inout OpenInteraction, at now: Timestamp, _ body: @escaping @Sendable (inout Interaction) -> Void
    ) async throws(AuthorizationRefusal) {
        let id = open.interaction.id
        let changed = try await refusing(to: open.target) { () async throws(OAuthError) in
            try await context.storing { store throws(StoreError) in
                try await store.changeInteraction(id, at: now) { interaction in
                    body(&interaction)
                    return interaction
                }
            }
        }
        guard let changed else {
            throw AuthorizationRefusal(OAuthError(.expiredToken, "this sign-in is over", cause: "interaction ended"))
        }
        open.interaction = changed
    }

    /// Shows the next page, or gives the client its answer.
    ///
    /// An interaction that has had its answer gets another when it is asked again, by a second press of a button or a step
    /// back: the same user, by the same proofs, in the same browser. Each answer has a code of its own.
    func proceed(_ open: OpenInteraction, in visit: inout Visit) async throws(AuthorizationRefusal) -> ServerResponse {
        guard let subject = open.subject else {
            guard case .page(let path) = open.interaction.purpose, open.interaction.progress.account != nil else {
                return redirect(to: LoginEndpoint.location, open.interaction.id, visit)
            }
            return AuthorizationAnswer.redirect(to: visit.path(path))
        }
        var progress = open.interaction.progress
        let step: AuthorizationFlow.Step
        do throws(OAuthError) {
            step = try await flow.next(subject.request, of: subject.client, &progress, in: &visit)
        } catch {
            throw AuthorizationRefusal(error, to: open.target)
        }
        var open = open
        let (reached, now) = (progress, visit.now)
        if case .answer = step {
            try await change(&open, at: now) { $0.end(at: now) }
        } else if progress.authenticated != open.interaction.progress.authenticated {
            try await note(&open, at: now) { $0 = reached }
        }
        return response(to: step, open.interaction.id, visit)
    }

    func response(to step: AuthorizationFlow.Step, _ id: InteractionID, _ visit: Visit) -> ServerResponse {
        switch step {
        case .logIn: redirect(to: LoginEndpoint.location, id, visit)
        case .chooseAccount: redirect(to: AccountEndpoint.location, id, visit)
        case .askConsent: redirect(to: ConsentEndpoint.location, id, visit)
        case .answer(let answer): answer.response(on: pages, for: visit)
        }
    }

    /// The user does not want to (RFC 6749 section 4.1.2.1).
    func cancel(_ open: OpenInteraction) -> AuthorizationRefusal {
        AuthorizationRefusal(OAuthError(.accessDenied, "the user said no"), to: open.target)
    }
}

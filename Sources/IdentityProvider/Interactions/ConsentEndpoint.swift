import HTTPMessages
import OAuth
import Primitives

/// Asks the user whether a client may have what it wants (OpenID Connect Core section 3.1.2.4).
struct ConsentEndpoint: InteractionPage {
    static let location = "/consent"

    let path = ConsentEndpoint.location
    let desk: InteractionDesk

    /// Whom the form was shown to: another account of the same browser must not agree in his place.
    private static let accountField = "account"

    func show(
        _ open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        guard let subject = open.subject, let login = try await self.login(of: open, subject, in: &visit) else {
            return try await desk.proceed(open, in: &visit)
        }
        return desk.pages.response(page(open, subject, login, visit), for: visit)
    }

    func submit(
        _ form: FormParameters, of open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        guard let subject = open.subject, let login = try await self.login(of: open, subject, in: &visit),
            form[Self.accountField].map({ sameText($0, login.id.text) }) == true
        else { return try await desk.proceed(open, in: &visit) }
        guard form["decision"] == "allow" else { throw desk.cancel(open) }
        let scope = Self.scope(granted: form[values: "scope"], of: subject.request.scope)
        // Nothing at all is a refusal.
        guard !scope.isEmpty || subject.request.scope.isEmpty else { throw desk.cancel(open) }
        try await refusing(to: open.target) { () async throws(OAuthError) in
            try await remember(scope, of: subject, by: login)
        }
        var open = open
        try await desk.note(&open, at: visit.now) { progress in
            progress.account = login.id
            progress.consent = Interaction.Consent(userID: login.userID, scope: scope)
        }
        return try await desk.proceed(open, in: &visit)
    }

    private func remember(
        _ scope: Scope, of subject: OpenInteraction.Subject, by login: Login
    ) async throws(OAuthError) {
        let (context, clientID) = (desk.context, subject.client.id)
        try await context.storing { store throws(StoreError) in
            try await store.rememberConsent(
                scope, of: subject.request.scope, by: login.userID, to: clientID, for: subject.request.resources)
        }
        // Whoever removed one of the two meanwhile has had forgotten what there was, and perhaps not this.
        guard context.holds(login), context.isPresent(subject.client) else {
            try await context.storing { store throws(StoreError) in
                try await store.withdrawConsents { sameText($0, login.userID) && sameText($1, clientID) }
            }
            throw OAuthError(.accessDenied, "the user or the client is not there any more", cause: "removed")
        }
    }

    /// What was asked for and left checked. `openid` is no choice: without it, it would be another request.
    private static func scope(granted: [String], of requested: Scope) -> Scope {
        requested.filter { token in sameText(token, "openid") || granted.contains { sameText($0, token) } }
    }

    /// Who is asked; `nil` while that is not known.
    private func login(
        of open: OpenInteraction, _ subject: OpenInteraction.Subject, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> Login? {
        var progress = open.interaction.progress
        do throws(OAuthError) {
            let step = try await desk.flow.accountStep(subject.request, subject.client, &progress, in: &visit)
            if case .goOn(let login) = step { return login }
            return nil
        } catch {
            throw AuthorizationRefusal(error, to: open.target)
        }
    }

    private func page(
        _ open: OpenInteraction, _ subject: OpenInteraction.Subject, _ login: Login, _ visit: Visit
    ) -> ConsentPage {
        ConsentPage(
            action: visit.action(path),
            hiddenFields: desk.hiddenFields(open) + [HiddenField(Self.accountField, login.id.text)],
            formTargets: open.formTargets, clientName: subject.client.displayName,
            user: desk.context.users.person(of: login), scopes: subject.request.scope.tokens,
            resources: subject.request.resources, policyURL: subject.client.metadata.policyURI.flatMap { PageURL($0) },
            termsURL: subject.client.metadata.termsURI.flatMap { PageURL($0) })
    }
}

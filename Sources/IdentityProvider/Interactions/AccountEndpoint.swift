import HTTPMessages
import OAuth
import Primitives

/// Asks the user which of his accounts to go on with (`prompt=select_account`, OpenID Connect Core section 3.1.2.1).
struct AccountEndpoint: Endpoint {
    static let location = "/select-account"

    let path = AccountEndpoint.location
    let methods: [HTTPRequest.Method] = [.get, .post]
    let isPublic = false
    let isForPeople = true

    let desk: InteractionDesk

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { (visit: inout Visit) async throws(AuthorizationRefusal) in
            request.head.method == .post ? try await submit(&visit) : try await show(&visit)
        }
    }

    func advertise(in metadata: inout ServerMetadata) {}

    private func show(_ visit: inout Visit) async throws(AuthorizationRefusal) -> ServerResponse {
        let request = visit.request
        let form = try refusing(to: nil) { () throws(OAuthError) in try PageForm.parameters(of: request) }
        let open = try await desk.open(form, in: &visit)
        // Whoever has logged out meanwhile has nothing to choose from.
        guard !visit.session.accounts.isEmpty else {
            return desk.redirect(to: LoginEndpoint.location, open.interaction.id, visit)
        }
        return desk.pages.response(page(open, visit), for: visit)
    }

    private func submit(_ visit: inout Visit) async throws(AuthorizationRefusal) -> ServerResponse {
        var (form, open) = try await desk.submission(in: &visit)
        if form["cancel"] != nil { throw desk.cancel(open) }
        // What the form says counts only where a cookie proves it.
        guard let chosen = form["account"], form["another"] == nil,
            let login = visit.session.logins.first(where: { sameText($0.id.text, chosen) })
        else { return desk.redirect(to: LoginEndpoint.location, open.interaction.id, visit) }
        visit.session.prefer(login.id)
        try await desk.note(&open, at: visit.now) { $0.account = login.id }
        return try await desk.proceed(open, in: &visit)
    }

    private func page(_ open: OpenInteraction, _ visit: Visit) -> AccountPickerPage {
        AccountPickerPage(
            action: visit.action(path), hiddenFields: desk.hiddenFields(open), formTargets: open.formTargets,
            clientName: open.clientName, accounts: visit.session.logins.map { desk.context.users.person(of: $0) })
    }
}

import HTTPMessages
import OAuth
import Primitives

/// Asks the user which of his accounts to go on with (`prompt=select_account`, OpenID Connect Core section 3.1.2.1).
struct AccountEndpoint: InteractionPage {
    static let location = "/select-account"

    let path = AccountEndpoint.location
    let desk: InteractionDesk

    func show(
        _ open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        // Whoever has logged out meanwhile has nothing to choose from.
        guard !visit.session.accounts.isEmpty else {
            return desk.redirect(to: LoginEndpoint.location, open.interaction.id, visit)
        }
        return desk.pages.response(page(open, visit), for: visit)
    }

    func submit(
        _ form: FormParameters, of open: OpenInteraction, in visit: inout Visit
    ) async throws(AuthorizationRefusal) -> ServerResponse {
        // What the form says counts only where a cookie proves it.
        guard let chosen = form["account"], form["another"] == nil,
            let login = visit.session.logins.first(where: { sameText($0.id.text, chosen) })
        else { return desk.redirect(to: LoginEndpoint.location, open.interaction.id, visit) }
        visit.session.prefer(login.id)
        var open = open
        try await desk.note(&open, at: visit.now) { $0.account = login.id }
        return try await desk.proceed(open, in: &visit)
    }

    private func page(_ open: OpenInteraction, _ visit: Visit) -> AccountPickerPage {
        AccountPickerPage(
            action: visit.action(path), hiddenFields: desk.hiddenFields(open), formTargets: open.formTargets,
            clientName: open.clientName, accounts: visit.session.logins.map { desk.context.users.person(of: $0) })
    }
}

import OAuth
import Primitives

/// The session that an `id_token_hint` is of, as far as it lives, whichever browser shows it.
///
/// A client's own session ends before it sends its user here, and the browser that comes may have lost its cookie, or be a
/// script. RP-Initiated Logout section 2 takes the hint for what tells the session, and has the user asked where it is not
/// the one that the browser has. Nobody proves here to be that user: whoever has the ID token can end the session. What he
/// gains is that somebody has to sign in again; what a page that said "signed out" of a living session would cost is more.
struct HintedSession: Sendable {
    let login: Login
    let client: Client

    /// - Returns: `nil` where there is no such login, or somebody has ended it.
    init?(of request: LogoutRequest, in context: ProviderContext) async throws(OAuthError) {
        guard let hint = request.hint, let id = hint.loginID else { return nil }
        let found = try await context.storing { store throws(StoreError) in try await store.login(id) }
        guard let login = found, login.ended == nil else { return nil }
        let subject = context.subjects.subject(of: login.userID, for: hint.client)
        guard sameText(subject, hint.subject) else { return nil }
        self.login = login
        client = hint.client
    }

    /// The user as the ID token names him: whoever only has that learns neither name nor address from the page.
    func person(in context: ProviderContext) -> PagePerson {
        PagePerson(id: login.id.text, name: context.subjects.subject(of: login.userID, for: client))
    }
}

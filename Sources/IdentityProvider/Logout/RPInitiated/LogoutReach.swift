import Primitives

/// Which of a browser's logins a request ends, and whether the user must be asked before.
///
/// OpenID Connect RP-Initiated Logout section 2: the user MUST be asked when there is no `id_token_hint`, or when it does
/// not belong to the current session. With a hint of the very login that this browser has, which only its client and its
/// user can know, it need not be, and is not: that is what users of applications expect who have just said so there.
struct LogoutReach: Sendable {
    let logins: [Login]
    let mustAsk: Bool

    init(of request: LogoutRequest, among all: [Login], _ context: ProviderContext) {
        if let hint = request.hint, let login = Self.login(of: hint, among: all, context) {
            // The session of this client, and no other account of the browser.
            logins = [login]
            mustAsk = false
            return
        }
        let hinted = request.userHint.map { text in
            all.filter { Self.isMeant($0, by: text, request.client, context) }
        }
        // A hint that nobody answers to narrows nothing: to sign out is to sign out.
        if let hinted, !hinted.isEmpty { logins = hinted } else { logins = all }
        mustAsk = !logins.isEmpty
    }

    private static func login(
        of hint: LogoutHint, among all: [Login], _ context: ProviderContext
    ) -> Login? {
        guard let login = all.first(where: { $0.id == hint.loginID }) else { return nil }
        let subject = context.subjects.subject(of: login.userID, for: hint.client)
        return sameText(subject, hint.subject) ? login : nil
    }

    /// `logout_hint`: the `sid`, the user's name, or the `sub` by which the client knows him.
    private static func isMeant(
        _ login: Login, by text: String, _ client: Client?, _ context: ProviderContext
    ) -> Bool {
        if login.id == LoginID(text) { return true }
        if let user = context.users[id: login.userID], sameText(user.username, text) { return true }
        guard let client else { return sameText(login.userID, text) }
        return sameText(context.subjects.subject(of: login.userID, for: client), text)
    }
}

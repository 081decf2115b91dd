import OAuth
import Primitives

extension AuthorizationFlow {
    /// Whom a `login_hint` names (OpenID Connect Core section 3.1.2.1: "an e-mail address, phone number or username"): a
    /// username, a subject, or an e-mail address.
    func user(hinted hint: String) -> User? {
        if let user = context.users[username: hint] ?? context.users[id: hint] { return user }
        guard hint.utf8.contains(UInt8(ascii: "@")) else { return nil }
        return context.users.first { $0.claims["email"]?.string.map { sameText($0, hint) } ?? false }
    }

    /// Whom the request is about where nobody is asked: the one whom it names, else the first there is.
    func automaticUser(for request: AuthorizationRequest, _ client: Client) -> User? {
        if request.namesSubject {
            let subjects = context.subjects
            return context.users.first { request.permits(subject: subjects.subject(of: $0.id, for: client)) }
        }
        guard let hint = request.loginHint else { return context.users.first }
        if let user = user(hinted: hint) { return user }
        return context.configuration.allowances.contains(.anyUser)
            ? context.users.assumed(hint) : context.users.first
    }

    /// Whom the login page suggests.
    func suggestedUsername(for request: AuthorizationRequest, _ client: Client) -> String? {
        if let hint = request.loginHint { return hint }
        guard let subject = request.hintedSubject, client.metadata.subjectType == .shared else { return nil }
        return context.users[id: subject]?.username
    }
}

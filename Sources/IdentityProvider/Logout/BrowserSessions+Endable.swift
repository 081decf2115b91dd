import HTTPMessages
import OAuth
import Primitives

extension BrowserSessions {
    /// The logins that a browser can end: those that it is logged in with, and those whose time is over. Nobody is known
    /// by the latter any more, but applications live on with what they were given then, and a user who signs out means
    /// them too.
    func endable(
        by request: ServerRequest, in session: BrowserSession
    ) async throws(OAuthError) -> [Login] {
        var logins = session.logins
        for proof in Self.proofs(in: RequestCookies(request.head.headerFields), session.cookies)
        where !logins.contains(where: { $0.id == proof.loginID }) {
            if let login = try await login(provenBy: proof) { logins.append(login) }
        }
        return logins
    }
}

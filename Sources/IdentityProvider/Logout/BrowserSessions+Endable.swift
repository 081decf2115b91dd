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
        let cookies = RequestCookies(request.head.headerFields)
        for proof in cookies[values: session.cookies.loginName].prefix(Self.maximumCookieCountForEnding).flatMap(
            LoginProof.read)
        where !logins.contains(where: { $0.id == proof.loginID }) {
            let login = try await context.storing { store throws(StoreError) in try await store.login(proof.loginID) }
            guard let login, login.ended == nil, login.secretDigest == proof.digest else { continue }
            logins.append(login)
        }
        return logins
    }

    /// Cookies of one name that are looked at.
    private static let maximumCookieCountForEnding = 4
}

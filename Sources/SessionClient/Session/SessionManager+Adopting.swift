import Cookies
import OAuth
import Primitives

/// Sessions that users have from before the app had this library: nobody has to sign in again because of it.
extension SessionManager {
    /// Takes over a refresh token that the app has kept in its own way until now.
    ///
    ///     if let old = try legacy.refreshToken() {
    ///         try await session.adopt(refreshToken: Secret(utf8: old))
    ///         legacy.removeTokens()
    ///     }
    ///
    /// Nothing is sent: the token is spent when somebody first wants an access token. It is taken where the store has never held
    /// anything, and nowhere else: neither a newer session nor a sign-out gives way to it, so every process may call this at
    /// every start. Remove the old copy after that, whatever was returned: the token is spent soon, and whoever presents it
    /// once more is taken for a thief. Where this throws, nothing was taken: leave the copy, and try again at the next start.
    ///
    /// - Parameters:
    ///   - refreshToken: the newest: a spent one ends the session.
    ///   - scope: what was granted, if the app has kept that.
    ///   - idToken: for ``signOutEverywhere(returningTo:)``, which tells the server by it whose session ends.
    /// - Returns: whether it was taken.
    @discardableResult
    public func adopt(
        refreshToken: Secret, scope: Scope? = nil, idToken: Secret? = nil
    ) async throws(LoginError) -> Bool {
        if case .cookies = logins { throw .notPossibleHere("this session is kept in cookies: adopt those") }
        return try await takeOver(
            Credential(
                generation: 1, accessToken: Secret(utf8: ""), tokenType: "Bearer", expires: Self.longAgo,
                refreshToken: refreshToken, scope: scope, idToken: idToken))
    }

    /// Takes over the cookies of a session that the app has kept in a store of its own, or of the system's.
    ///
    ///     try await session.adopt(cookies: [oldAccess, oldRefresh])
    ///
    /// Hand over those of the session's server, the one with the refresh token among them. All else is as with
    /// ``adopt(refreshToken:scope:idToken:)``.
    @discardableResult
    public func adopt(cookies: [Cookie]) async throws(LoginError) -> Bool {
        guard case .cookies(let server) = logins else {
            throw .notPossibleHere("this session is not kept in cookies: adopt its refresh token")
        }
        guard let refresh = cookies.last(where: { sameText($0.name, server.refreshCookie) }) else {
            throw .badRequest("none of the cookies is \(server.refreshCookie)")
        }
        let access = cookies.last { sameText($0.name, server.accessCookie) }
        return try await takeOver(
            Credential(
                generation: 1, accessToken: Secret(utf8: access?.value ?? ""), tokenType: "Cookie",
                expires: access == nil ? Self.longAgo : access?.expires,
                refreshToken: Secret(utf8: refresh.value), cookies: cookies))
    }

    /// Of a token that is not there: by no clock, however it is set, is it good.
    private static let longAgo = Timestamp(secondsSinceEpoch: 0)

    private func takeOver(_ credential: Credential) async throws(LoginError) -> Bool {
        // As where a store was emptied: what began before that must not find its own epoch again.
        let epoch = UInt64(max(0, clock.now().secondsSinceEpoch)) + 1
        let asked = broadcast.moment
        let record = SessionRecord(epoch: epoch, content: .signedIn(credential))
        do throws(SessionStoreError) {
            guard case .written(let version) = try await records.write(record, over: nil) else { return false }
            let stored = StoredRecord(version: version, record: record)
            adopt(stored)
            show(state(of: stored), of: stored, askedAt: asked)
            return true
        } catch {
            if case .locked = error { show(.locked, of: nil, askedAt: asked) }
            throw .notKept(.store(error))
        }
    }
}

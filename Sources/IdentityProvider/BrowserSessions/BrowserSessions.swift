import HTTPMessages
import OAuth
import Primitives

/// Knows browsers again, and who is logged in with them (OpenID Connect Core section 3.1.2.3).
struct BrowserSessions: Sendable {
    let context: ProviderContext

    /// Cookies of one name that are looked at; browsers send one for each path that set it.
    private static let maximumCookieCount = 4

    /// What the request proves.
    func session(
        of request: ServerRequest, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> BrowserSession {
        let cookies = issuer.cookies
        let sent = RequestCookies(request.head.headerFields)
        var accounts: [BrowserSession.Account] = []
        for proof in sent[values: cookies.loginName].prefix(Self.maximumCookieCount).flatMap(LoginProof.read) {
            guard let login = try await login(provenBy: proof, at: now),
                !accounts.contains(where: { $0.login.id == login.id })
            else { continue }
            accounts.append(BrowserSession.Account(login: login, proof: proof))
        }
        let secrets = sent[values: cookies.browserName].prefix(Self.maximumCookieCount).map(String.init)
        return BrowserSession(cookies: cookies, accounts: accounts, secrets: secrets.filter(Self.looksLikeSecret))
    }

    /// What we did not make is no secret: somebody would know it.
    private static func looksLikeSecret(_ text: String) -> Bool {
        (try? Base64URL.decode(text))?.count == LoginProof.secretByteCount
    }

    private func login(provenBy proof: LoginProof, at now: Timestamp) async throws(OAuthError) -> Login? {
        let login = try await context.storing { store throws(StoreError) in try await store.login(proof.loginID) }
        // What is compared are digests of 256 random bits: how near a guess came tells nothing.
        guard let login, login.isAlive(at: now), login.secretDigest == proof.digest else { return nil }
        // Somebody may have taken the user away.
        guard context.users[id: login.userID] != nil else { return nil }
        return login
    }

    /// Logs a user in. The browser gets a secret that it did not have before, so that whoever knew an older one, or put
    /// it there, has nothing. Somebody who was logged in already keeps his `sid`: to clients it is the same session.
    func logIn(
        _ user: User, by authentication: Authentication, claims: JSONObject, in session: inout BrowserSession
    ) async throws(OAuthError) -> Login {
        let now = authentication.moment
        let claims = claims.overridden(by: context.nextLoginClaims.take(for: user.username))
        let expires = now + context.configuration.lifetimes.login
        let former = session.logins.first { sameText($0.userID, user.id) }
        if let former {
            let proof = LoginProof(of: former.id, from: context.random)
            let login = try await context.storing { store throws(StoreError) in
                try await store.change(former.id) { login -> Login? in
                    guard login.isAlive(at: now) else { return nil }
                    login.authentication = authentication
                    login.claims = claims
                    login.expires = expires
                    login.neededUntil = max(login.neededUntil, expires)
                    login.secretDigest = proof.digest
                    return login
                }
            }
            if let login = login ?? nil {
                session.add(BrowserSession.Account(login: login, proof: proof))
                return login
            }
        }
        let proof = LoginProof(of: LoginID(context.random.identifier()), from: context.random)
        var login = Login(
            id: proof.loginID, userID: user.id, authentication: authentication, claims: claims, expires: expires)
        login.secretDigest = proof.digest
        let begun = login
        try await context.storing { store throws(StoreError) in try await store.keep(begun) }
        session.add(BrowserSession.Account(login: login, proof: proof))
        return login
    }

    /// Ends a login for everybody, and forgets it in this browser.
    func end(
        _ id: LoginID, _ reason: Family.Reason, in session: inout BrowserSession, at now: Timestamp
    ) async throws(OAuthError) {
        _ = try await context.storing { store throws(StoreError) in
            try await store.change(id) { login in
                if login.ended == nil { login.ended = Family.Ending(reason, at: now) }
            }
        }
        session.remove(id)
    }
}

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
        for proof in Self.proofs(in: sent, cookies) {
            guard let login = try await login(provenBy: proof), login.isAlive(at: now),
                // Somebody may have taken the user away, and brought another of his name.
                context.holds(login),
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

    /// What a browser shows for logins, whatever it is worth.
    static func proofs(in sent: RequestCookies, _ cookies: BrowserCookies) -> [LoginProof] {
        sent[values: cookies.loginName].prefix(maximumCookieCount).flatMap(LoginProof.read)
    }

    /// The login whose secret the browser has, unless it was ended; its time may be over.
    func login(provenBy proof: LoginProof) async throws(OAuthError) -> Login? {
        let login = try await context.storing { store throws(StoreError) in try await store.login(proof.loginID) }
        // What is compared are digests of 256 random bits: how near a guess came tells nothing.
        guard let login, login.ended == nil, login.secretDigest == proof.digest else { return nil }
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
        let stay = context.users.stay(of: user.id)
        let former = session.logins.first { sameText($0.userID, user.id) }
        if let former {
            let proof = LoginProof(of: former.id, from: context.random)
            let login = try await context.storing { store throws(StoreError) in
                try await store.change(former.id) { login -> Login? in
                    guard login.isAlive(at: now), login.userStay.map({ $0 == stay }) ?? true else { return nil }
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
        let proof = LoginProof(of: LoginID(from: context.random), from: context.random)
        var login = Login(
            id: proof.loginID, userID: user.id, authentication: authentication, claims: claims, expires: expires)
        login.secretDigest = proof.digest
        login.userStay = stay
        let begun = login
        try await context.storing { store throws(StoreError) in try await store.keep(begun) }
        // Whoever removed the user meanwhile has ended what he found, and may have looked before this was there.
        guard stay != nil, context.users.stay(of: user.id) == stay else {
            try await LoginEnding(context: context).end([begun.id], .ended, as: nil, at: now)
            throw OAuthError(.loginRequired, "the user is not there any more", cause: "user removed")
        }
        session.add(BrowserSession.Account(login: login, proof: proof))
        return login
    }
}

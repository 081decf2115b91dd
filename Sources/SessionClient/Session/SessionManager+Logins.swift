import HTTPMessages
import OAuth
import Primitives

/// Logins, from the first question to the stored session. What a login brings takes the place of whatever was stored.
///
/// Where nothing is said of the scope, it is `openid offline_access`, as far as the metadata of the server lists them: many servers
/// give no refresh token without the second, and the session would end with its first access token.
extension SessionManager {
    /// In the user's own browser, whose answer comes back over the loopback interface (RFC 8252): for programs on a computer.
    ///
    ///     try await session.signInWithBrowser(asking: AuthorizationParameters(scope: scope)) { url in
    ///         try await openInBrowser(url)
    ///     }
    ///
    /// - Parameters:
    ///   - parameters: what is asked for besides a code.
    ///   - path: that of the redirect URI `http://127.0.0.1/path` that is registered with the server; its port does not count.
    ///   - patience: how long the user may take.
    ///   - open: opens the URL in the browser. It may return at once, or when the browser is closed.
    /// - Returns: who has signed in, where there is an ID token.
    @discardableResult
    public func signInWithBrowser(
        asking parameters: AuthorizationParameters? = nil, path: String = "/callback",
        patience: Duration = .seconds(600), open: @escaping @Sendable (String) async throws -> Void
    ) async throws(LoginError) -> IDTokenClaims? {
        let tokens = try await tokensForLogin()
        let login = BrowserLogin(tokens, alarm: alarm, random: random, path: path, patience: patience)
        let parameters = parameters ?? AuthorizationParameters(scope: tokens.server.lastingScope)
        return try await keep(try await login.run(asking: parameters, open: open))
    }

    /// By code, for an app that opens the browser and hears of its answer in its own way: by a scheme of its own, or a link
    /// that the system hands to it.
    ///
    ///     let login = try await session.beginSignIn(returningTo: "com.example.app:/callback")
    ///     let callback = try await show(login.url)
    ///     try await session.finishSignIn(login, callback: callback)
    ///
    /// - Parameters:
    ///   - redirectURI: as it is registered with the server.
    ///   - parameters: what is asked for besides a code.
    public func beginSignIn(
        returningTo redirectURI: String, asking parameters: AuthorizationParameters? = nil
    ) async throws(LoginError) -> CodeLogin {
        let uri: RedirectURI
        do throws(RedirectURIError) { uri = try RedirectURI(redirectURI) } catch { throw .badRequest("\(error)") }
        let tokens = try await tokensForLogin()
        return try CodeLogin.start(
            for: tokens, returningTo: uri,
            asking: parameters ?? AuthorizationParameters(scope: tokens.server.lastingScope), random: random)
    }

    /// Takes the URL that the browser came back with.
    ///
    ///     try await session.finishSignIn(login, callback: callback)
    ///
    /// - Returns: who has signed in, where there is an ID token.
    @discardableResult
    public func finishSignIn(_ login: CodeLogin, callback: String) async throws(LoginError) -> IDTokenClaims? {
        try await keep(try await login.finish(callback: callback))
    }

    /// For what has no browser or no keyboard: the user is shown a code, and says yes on another device (RFC 8628).
    ///
    ///     try await session.signInWithDevice(asking: scope) { prompt in
    ///         print("Go to \(prompt.verificationURL) and type \(prompt.userCode)")
    ///     }
    @discardableResult
    public func signInWithDevice(
        asking scope: Scope? = nil, show: @Sendable (DevicePrompt) async throws -> Void
    ) async throws(LoginError) -> IDTokenClaims? {
        let tokens = try await tokensForLogin()
        let login = DeviceLogin(tokens, alarm: alarm)
        return try await keep(try await login.run(asking: scope ?? tokens.server.lastingScope, show: show))
    }

    /// With the user's name and password, in the hands of the app. **For tests**: RFC 9700 section 2.4 says that this grant
    /// MUST NOT be used.
    ///
    ///     try await session.signInWithPassword(userName: "alice", password: Secret(utf8: "alice"))
    @discardableResult
    public func signInWithPassword(
        userName: String, password: Secret, scope: Scope = .empty
    ) async throws(LoginError) -> IDTokenClaims? {
        let login = LegacyPasswordLogin(try await tokensForLogin())
        return try await keep(try await login.run(userName: userName, password: password, scope: scope))
    }

    /// By an answer that has set the cookies of the session: of whatever request the app signs in with.
    ///
    ///     let (response, body) = try await transport.send(login, body: form)
    ///     try await session.signIn(by: response, body: body, to: login)
    public func signIn(
        by response: HTTPResponse, body: [UInt8], to request: HTTPRequest
    ) async throws(LoginError) {
        guard case .cookies(let server) = logins else {
            throw .notPossibleHere("this session is not kept in cookies")
        }
        guard let context = CookieSessionServer.context(of: request) else {
            throw .badRequest("the request has no URL of http or https")
        }
        switch server.read(response, body, from: context) {
        case .granted(let grant): try await keep(grant, dpopKey: nil)
        // A login that brings no access token is none.
        case .incomplete: throw LoginError(Unavailability(.unreadable))
        case .refused(let refusal): throw LoginError(refusal)
        case .unavailable(let unavailability): throw LoginError(unavailability)
        }
    }

    private func tokensForLogin() async throws(LoginError) -> TokenClient {
        guard case .tokens(let directory) = logins else {
            throw .notPossibleHere("this session is kept in cookies: sign in by an answer that sets them")
        }
        return try await directory.tokensForLogin(random: random)
    }

    private func keep(_ login: CompletedLogin) async throws(LoginError) -> IDTokenClaims? {
        try await keep(login.keptGrant, dpopKey: login.keptKey)
        return login.identity
    }

    /// What nobody can keep is not left with the server either.
    private func keep(_ grant: TokenGrant, dpopKey: Secret?) async throws(LoginError) {
        do throws(SessionError) { try await signIn(grant, dpopKey: dpopKey) } catch {
            await giveBack(Credential(grant, dpopKey: dpopKey, ahead: timing.ahead, chance: 0))
            throw .notKept(error)
        }
    }
}

import OAuth
import Primitives

/// A login by code in the user's own browser, whose answer comes back over the loopback interface (RFC 8252 sections 4.1 and
/// 7.3): for programs on a computer.
///
///     let login = BrowserLogin(tokens, alarm: alarm, random: random)
///     let completed = try await login.run(asking: AuthorizationParameters(scope: scope)) { url in
///         try await openInBrowser(url)
///     }
package struct BrowserLogin: Sendable {
    private let tokens: TokenClient
    private let alarm: any Alarm
    private let random: any RandomSource
    private let path: String
    private let patience: Duration

    /// - Parameters:
    ///   - path: that of the redirect URI `http://127.0.0.1/path` that is registered with the server; its port does not count.
    ///   - patience: how long the user may take.
    package init(
        _ tokens: TokenClient, alarm: any Alarm, random: any RandomSource, path: String = "/callback",
        patience: Duration = .seconds(600)
    ) {
        self.tokens = tokens
        self.alarm = alarm
        self.random = random
        self.path = path
        self.patience = patience
    }

    /// - Parameter open: opens the URL in the user's browser. It may return at once, or when the browser is closed.
    package func run(
        asking parameters: AuthorizationParameters, open: @escaping @Sendable (String) async throws -> Void
    ) async throws(LoginError) -> CompletedLogin {
        let callback: String
        let login: CodeLogin
        do throws(LoopbackError) {
            let redirect = try LoopbackRedirect.listen(path: path)
            login = try start(returningTo: redirect.redirectURI, parameters)
            let url = login.url
            // A task of its own: whoever opens a browser may wait for its end, while the answer is long there.
            let opening = Task {
                do { try await open(url) } catch { redirect.stop(.browserNotOpened) }
            }
            defer { opening.cancel() }
            callback = try await redirect.callback(within: patience, alarm: alarm) { [login] url in
                login.isAnswered(by: url)
            }
        } catch {
            throw LoginError(error)
        }
        return try await login.finish(callback: callback)
    }

    private func start(
        returningTo redirectURI: RedirectURI, _ parameters: AuthorizationParameters
    ) throws(LoopbackError) -> CodeLogin {
        do {
            return try CodeLogin.start(for: tokens, returningTo: redirectURI, asking: parameters, random: random)
        } catch { throw .loginNotStarted(error) }
    }
}

extension LoginError {
    fileprivate init(_ error: LoopbackError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .expired
            case .loginNotStarted(let error): error
            case .badPath, .cannotListen, .alreadyUsed, .browserNotOpened, .stopped: .notPossibleHere("\(error)")
            }
    }
}

import HTTPMessages
import OAuth
import Observability
import Primitives
import SessionClient

/// Logins: to the provider, and back.
extension SessionProxy {
    /// Sends the browser to the provider (RFC 6749 section 4.1, with PKCE). What belongs to this login goes along in a cookie of its
    /// own, so that nobody can finish it in another browser.
    func login(_ request: ProxyRequest) async -> ServerResponse {
        guard request.head.method == .get else { return ProxyAnswer.methodNotAllowed("GET") }
        guard request.fields[.secFetchMode].map({ sameText($0, "navigate") }) ?? true else {
            return ProxyAnswer.error(.badRequest, "not_a_navigation", "the browser has to go here, and no script can")
        }
        let path: LocalPath
        do throws(ReturnError) { path = try returnPath(of: request) } catch { return Self.answer(error) }
        let ticket = tickets.make(returningTo: path)
        let login: CodeLogin
        do throws(LoginFailure) { login = try await begin(ticket, isAgain: cookies.hasSignedOut(request.fields)) } catch
        {
            return answer(error)
        }
        var response = ProxyAnswer.redirect(to: login.url)
        let (name, text) = (cookies.loginName(random.identifier(byteCount: 6)), tickets.text(of: ticket))
        for former in loginsWithoutRoom(in: request, beside: cookies.byteCount(ofLogin: text, named: name)) {
            response.set(cookies.expired(former))
        }
        response.set(cookies.login(text, named: name))
        return response
    }

    /// Which of the logins under way are forgotten when one more begins, by the names of their cookies: those that began first, and
    /// whatever is over or was never ours.
    private func loginsWithoutRoom(in request: ProxyRequest, beside byteCount: Int) -> [String] {
        let underWay = cookies.logins(in: request.fields)
        let readable = underWay.compactMap { name, text in
            tickets.read(text).map { (name, $0.expires, byteCount: cookies.byteCount(ofLogin: text, named: name)) }
        }
        var (count, byteCount) = (1, byteCount)
        var kept: Set<String> = []
        for (name, _, size) in readable.sorted(by: { $0.1 > $1.1 }) {
            count += 1
            byteCount += size
            guard count <= ProxyCookies.maximumLoginCount, byteCount <= ProxyCookies.maximumLoginByteCount else {
                break
            }
            kept.insert(name)
        }
        return Set(underWay.map(\.name)).subtracting(kept).sorted()
    }

    /// Takes the answer of the provider, and gives the browser a session: a new one, with a name that nobody knew before (session
    /// fixation), in the place of the one it had.
    func callback(_ request: ProxyRequest) async -> ServerResponse {
        guard request.head.method == .get else { return ProxyAnswer.methodNotAllowed("GET") }
        let url = configuration.origin.text + request.target
        guard let (name, ticket) = await ticket(of: request, answeredBy: url) else {
            // Too many tabs were at it, and another one has done it: who is signed in need not hear of this one.
            if case .found = session(of: request, isUse: false) { return ProxyAnswer.redirect(to: LocalPath.root.text) }
            return Self.again(
                .badRequest, "This sign-in was begun in another browser, or took too long.", configuration.paths)
        }
        if let answer = await returns.take({ await finish(ticket, named: name, answeredBy: url, request) }) {
            return answer
        }
        logger.warning("too many logins come back at once")
        var answer = Self.again(
            .serviceUnavailable, "Too many sign in at the moment. Load this page again in a second.",
            configuration.paths)
        answer.head.headerFields[.retryAfter] = "1"
        return answer
    }

    private func finish(
        _ ticket: LoginTicket, named name: String, answeredBy url: String, _ request: ProxyRequest
    ) async -> ServerResponse {
        guard tickets.spend(ticket) else {
            // The second of two. The first has done it, or is doing it.
            if case .found = session(of: request, isUse: false) {
                return ProxyAnswer.redirect(to: ticket.returnPath.text)
            }
            return Self.again(.badRequest, "This sign-in is over.", configuration.paths)
        }
        do throws(LoginFailure) {
            let login = try await begin(ticket, isAgain: false)
            var response: ServerResponse
            do throws(LoginError) {
                response = try await welcome(try await login.finish(callback: url), request, to: ticket.returnPath)
            } catch { throw .login(error) }
            response.set(cookies.expired(name))
            return response
        } catch {
            var response = answer(error)
            response.set(cookies.expired(name))
            return response
        }
    }

    // MARK: The login itself

    private enum LoginFailure: Error {
        case discovery(DiscoveryError)
        case login(LoginError)
    }

    /// The same login from the same ticket, each time.
    private func begin(_ ticket: LoginTicket, isAgain: Bool) async throws(LoginFailure) -> CodeLogin {
        let tokens: TokenClient
        do throws(DiscoveryError) { tokens = try await provider.tokens() } catch { throw .discovery(error) }
        var parameters = AuthorizationParameters(scope: configuration.scope)
        // Who has signed out is not signed in again by a login that the provider still has (S22).
        if isAgain { parameters.prompt = [.login] }
        do throws(LoginError) {
            return try CodeLogin.start(
                for: tokens, returningTo: configuration.redirectURI, asking: parameters,
                random: tickets.secrets(of: ticket))
        } catch { throw .login(error) }
    }

    /// Which of the logins that this browser has begun is answered, if any.
    private func ticket(
        of request: ProxyRequest, answeredBy url: String
    ) async -> (name: String, ticket: LoginTicket)? {
        for (name, text) in cookies.logins(in: request.fields) {
            guard let ticket = tickets.read(text), let login = try? await begin(ticket, isAgain: false) else {
                continue
            }
            if login.isAnswered(by: url) { return (name, ticket) }
        }
        return nil
    }

    private func welcome(
        _ login: CompletedLogin, _ request: ProxyRequest, to path: LocalPath
    ) async throws(LoginError) -> ServerResponse {
        let manager = try await makeManager()
        do throws(SessionError) { try await manager.signIn(login) } catch {
            throw .notPossibleHere("the session cannot be kept")
        }
        let cookie = await admit(
            manager, subject: login.identity?.subject, claims: Self.shown(login.identity), request)
        var response =
            configuration.sameSite == .strict ? goingOn(to: path) : ProxyAnswer.redirect(to: path.text)
        response.set(cookie)
        if cookies.hasSignedOut(request.fields) { response.set(cookies.expired(cookies.signedOutName)) }
        return response
    }

    func makeManager() async throws(LoginError) -> SessionManager {
        let tokens: TokenClient
        do throws(DiscoveryError) { tokens = try await provider.tokens() } catch {
            throw .unavailable(Unavailability(.offline))
        }
        return SessionManager(
            server: TokenSessionServer(tokens, random: random), store: MemorySessionStore(), clock: clock, alarm: alarm,
            random: random)
    }

    /// Takes a session up. What had to go for it is ended, and not waited for.
    func admit(
        _ manager: SessionManager, subject: String?, claims: JSONObject, _ request: ProxyRequest
    ) async -> ResponseCookie {
        let identifier = SessionIdentifier.make(by: random)
        let digest = SessionTable.Digest(of: identifier)
        let now = clock.now()
        let session = BrowserSession(
            manager: manager, subject: subject, claims: claims, began: now, label: digest.label)
        var former: SessionTable.Digest?
        if case .one(let shown) = cookies.session(in: request.fields) { former = SessionTable.Digest(of: shown) }
        let gone = sessions.add(session, as: digest, replacing: former, at: now)
        if !gone.isEmpty { Task { await Self.end(gone) } }
        logger.info("signed in", [LogField("session", digest.label), LogField("replaced", gone.count)])
        return cookies.session(identifier)
    }

    // MARK: The way back

    private enum ReturnError: Error { case malformed, notHere }

    private func returnPath(of request: ProxyRequest) throws(ReturnError) -> LocalPath {
        guard let form = try? FormParameters(parsing: request.query.span), form.firstRepeatedName == nil else {
            throw .malformed
        }
        guard let text = form["return_to"] else { return .root }
        guard let path = LocalPath(text) else { throw .notHere }
        // Back to the login would go round and round.
        return configuration.paths.place(of: path.path) == .upstream ? path : .root
    }

    private static func answer(_ error: ReturnError) -> ServerResponse {
        switch error {
        case .malformed: ProxyAnswer.error(.badRequest, "invalid_request", "the query cannot be read")
        case .notHere:
            ProxyAnswer.error(
                .badRequest, "invalid_return_to",
                "return_to is a path of this proxy that begins with one slash, and at most 1024 bytes")
        }
    }

    private static func again(
        _ status: HTTPResponse.Status, _ text: String, _ paths: ProxyPaths
    ) -> ServerResponse {
        let link = LocalPath(paths.login) ?? .root
        return ProxyAnswer.page(
            status, ProxyPage(title: "You are not signed in", text: text, link: (link, "Sign in")))
    }

    private func answer(_ failure: LoginFailure) -> ServerResponse {
        let paths = configuration.paths
        switch failure {
        case .discovery(let error):
            logger.error("the provider cannot be asked what it is", [LogField("reason", error.description)])
            return Self.again(.serviceUnavailable, "Signing in is not possible at the moment.", paths)
        case .login(let error):
            logger.warning("a login came to nothing", [LogField("reason", error.description)])
            switch error {
            case .denied: return Self.again(.forbidden, "The sign-in was cancelled.", paths)
            case .unavailable, .cancelled:
                return Self.again(.serviceUnavailable, "Signing in is not possible at the moment.", paths)
            case .foreignAnswer: return Self.again(.badRequest, "The answer is not that of this sign-in.", paths)
            case .unknownServer, .notOffered, .badRequest, .refused, .badIDToken, .expired, .notPossibleHere, .notKept:
                return Self.again(.badGateway, "The sign-in did not work.", paths)
            }
        }
    }
}

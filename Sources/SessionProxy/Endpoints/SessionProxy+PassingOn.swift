import HTTPMessages
import OAuth
import Observability
import Primitives
import SessionClient

/// Requests that are the upstream's.
extension SessionProxy {
    func passOn(_ request: ProxyRequest) async -> ServerResponse {
        // RFC 9110 section 7.8: a server may pass over an Upgrade, but whoever wants a web socket can do nothing with a page.
        if Self.wantsWebSocket(request) {
            return ProxyAnswer.error(
                .notImplemented, "no_web_sockets", "the proxy passes no web sockets on; poll, or use EventSource")
        }
        let found: (session: BrowserSession, digest: SessionTable.Digest)
        switch session(of: request, isUse: true) {
        case .ambiguous: return Self.ambiguous
        case .none: return withoutSession(request)
        case .found(let session, let digest, _, _): found = (session, digest)
        }
        let forwarded = await request.server.whileClientWaits {
            [forwarder] () -> Result<ServerResponse, SessionError> in
            do throws(SessionError) {
                return .success(try await forwarder.forward(request, for: found.session))
            } catch {
                return .failure(error)
            }
        }
        switch forwarded {
        case .success(let response): return response
        case .failure(let error): return respond(to: error, of: found.session, found.digest, request)
        }
    }

    private static func wantsWebSocket(_ request: ProxyRequest) -> Bool {
        request.fields[values: .upgrade].contains { value in
            value.lowercased().split(separator: ",").contains { $0.filter { $0 != " " }.hasPrefix("websocket") }
        }
    }

    // MARK: Which session

    /// What a browser's cookie leads to.
    enum Lookup: Sendable {
        case none
        case ambiguous
        case found(BrowserSession, SessionTable.Digest, idleEnd: Timestamp, end: Timestamp)
    }

    func session(of request: ProxyRequest, isUse: Bool) -> Lookup {
        switch cookies.session(in: request.fields) {
        case .nothing: return .none
        case .several: return .ambiguous
        case .one(let identifier):
            let digest = SessionTable.Digest(of: identifier)
            switch sessions.find(digest, at: clock.now(), isUse: isUse) {
            case .nothing: return .none
            case .over(let session):
                logger.info("session is over", [LogField("session", session.label)])
                Task { await session.end() }
                return .none
            case .session(let session, let idleEnd, let end):
                return .found(session, digest, idleEnd: idleEnd, end: end)
            }
        }
    }

    static let ambiguous = ProxyAnswer.error(
        .badRequest, "ambiguous_session", "two cookies of the session's name came, and one of them may be a neighbour's"
    )

    // MARK: Without an answer

    /// No answer takes the cookie away: a late one would take that of a newer session (C10).
    func withoutSession(_ request: ProxyRequest) -> ServerResponse {
        guard request.isNavigation else {
            // RFC 9110 section 15.5.2: a 401 says how to do better.
            return ProxyAnswer.error(
                .unauthorized, "no_session", "nobody is signed in: have the browser go to \(configuration.paths.login)",
                [.wwwAuthenticate: "Session login=\"\(configuration.paths.login)\""])
        }
        let path = LocalPath(request.target) ?? .root
        // A browser keeps a cookie that is Strict from whoever comes by a link of another site, the first time.
        if configuration.sameSite == .strict, request.site == .foreign { return goingOn(to: path) }
        let query = FormParameters([("return_to", path.text)]).encoded
        return ProxyAnswer.redirect(to: configuration.paths.login + "?" + query)
    }

    /// Goes to a path as if a page of this origin had been left for it.
    func goingOn(to path: LocalPath) -> ServerResponse {
        ProxyAnswer.page(
            .ok, ProxyPage(title: "One moment", text: "You are taken to the page.", link: (path, "Go on"), goesOn: true)
        )
    }

    private func respond(
        to error: SessionError, of session: BrowserSession, _ digest: SessionTable.Digest, _ request: ProxyRequest
    ) -> ServerResponse {
        switch error {
        case .signedOut(let signOut):
            sessions.remove(digest, if: session)
            Task { await session.end() }
            logger.info(
                "session ended", [LogField("session", session.label), LogField("reason", signOut.reason.word)])
            return withoutSession(request)
        case .refused(let code):
            logger.error("the provider refuses the proxy", [LogField("code", code)])
            return ProxyAnswer.error(.badGateway, "provider_refuses", "the provider refuses the proxy itself")
        case .unavailable(_, let retryAt):
            let pause = retryAt.map { max(1, ($0 - clock.now()).inSeconds) } ?? 1
            return withoutNewToken(
                for: session, after: error, "provider_unavailable", "the provider gives no new token now", pause)
        case .cancelled:
            logger.debug("the browser has gone", [LogField("session", session.label)])
            return ProxyAnswer.browserHasGone
        case .store, .timedOut, .replacedByAnotherLogin, .foreignServer:
            return withoutNewToken(
                for: session, after: error, "no_token_now", "no new token can be had now", 1)
        }
    }

    /// Whoever is signed in still is.
    private func withoutNewToken(
        for session: BrowserSession, after error: SessionError, _ code: StaticString, _ reason: String,
        _ pause: Int64
    ) -> ServerResponse {
        logger.warning("no new token", [LogField("session", session.label), LogField("reason", error.description)])
        return ProxyAnswer.error(
            .serviceUnavailable, code, reason + "; the session stays", [.retryAfter: String(pause)])
    }
}

extension SignOut.Reason {
    /// For the log.
    fileprivate var word: String {
        switch self {
        case .never: "never"
        case .user: "user"
        case .refused(let code): code
        case .expired: "expired"
        case .unreadable: "unreadable"
        }
    }
}

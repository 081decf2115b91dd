import HTTPMessages
import Observability
import Primitives
import SessionClient

/// Stands between the pages of a browser and the server that they ask, and holds the tokens of the user: a page has one cookie that
/// means nothing anywhere else (S18).
///
///     let proxy = SessionProxy(configuration, provider: provider, upstream: upstream, clock: clock, alarm: alarm)
///     let response = await proxy.respond(to: request)
///
/// Each browser has a login, and so a family of tokens, of its own. Its requests share one `SessionManager`: however many come when the
/// token is over, one refresh answers all.
package final class SessionProxy: RequestHandler {
    let configuration: ProxyConfiguration
    let provider: ProviderLink
    let cookies: ProxyCookies
    let sessions: SessionTable
    let tickets: LoginTickets
    let handovers: Places
    /// For logins that come back.
    let returns: Places
    let forwarder: Forwarder
    let clock: any WallClock
    let alarm: any Alarm
    let random: any RandomSource
    let logger: Logger

    /// How often sessions are looked for whose time is over.
    private static let sweepInterval = Duration.seconds(60)

    package init(
        _ configuration: ProxyConfiguration, provider: ProviderLink, upstream: any Upstream, clock: any WallClock,
        alarm: any Alarm, random: any RandomSource = SystemRandom(), logger: Logger = .silent
    ) {
        self.configuration = configuration
        self.provider = provider
        self.clock = clock
        self.alarm = alarm
        self.random = random
        self.logger = logger
        cookies = ProxyCookies(for: configuration)
        sessions = SessionTable(lifetimes: configuration.lifetimes, limits: configuration.limits)
        tickets = LoginTickets(lifetime: configuration.lifetimes.login, clock: clock, random: random)
        handovers = Places(configuration.limits.handoversAtOnce)
        returns = Places(configuration.limits.loginsAtOnce)
        forwarder = Forwarder(configuration: configuration, cookies: cookies, upstream: upstream, logger: logger)
        Self.sweep(self, alarm)
    }

    package var sessionCount: Int { sessions.count }

    /// What the session's cookie is called.
    package var cookieName: String { cookies.sessionName }

    package func respond(to request: ServerRequest) async -> ServerResponse {
        let request = ProxyRequest(request, at: configuration.origin)
        let place = configuration.paths.place(of: request.path)
        if place == .health { return health(request) }
        if let refusal = refusal(of: request) { return refusal }
        switch place {
        case .health: return health(request)
        case .status: return await status(request)
        case .login: return await login(request)
        case .callback: return await callback(request)
        case .logout: return await logout(request)
        case .handover where configuration.takesSessions: return await handover(request)
        case .handover, .nothing:
            return ProxyAnswer.error(.notFound, "not_found", "the proxy has nothing here")
        case .upstream: return await passOn(request)
        }
    }

    private func health(_ request: ProxyRequest) -> ServerResponse {
        guard request.isSafe else { return ProxyAnswer.methodNotAllowed("GET, HEAD, OPTIONS") }
        return ProxyAnswer.json(.ok, ["status": "ok"])
    }

    // MARK: Refusals

    /// What is refused whatever it is about, before anything is looked up.
    private func refusal(of request: ProxyRequest) -> ServerResponse? {
        let origin = configuration.origin
        guard origin.isNamed(by: request.head.authority) else {
            // Cookies know the name of the host: under another one nobody would ever be signed in. And whoever can give this machine
            // a name of his own gets nothing under it.
            if request.isNavigation, origin.isAlias(request.head.authority), let path = LocalPath(request.target) {
                return ProxyAnswer.redirect(to: origin.text + path.text)
            }
            return ProxyAnswer.error(
                .misdirected, "misdirected_request", "this proxy is \(origin), and the request was for another host")
        }
        // RFC 9110 section 9.3.8: TRACE has the request come back, and with it what the proxy adds.
        if request.head.method == .connect || sameText(request.head.method.rawValue, "TRACE") {
            return ProxyAnswer.error(.methodNotAllowed, "method_not_allowed", "such requests are not passed on")
        }
        // Browsers resolve dots before they ask; an upstream that does so too would leave the path that it is mounted at.
        guard request.target.utf8.first == UInt8(ascii: "/"), LocalPath.staysHere(request.path.utf8) else {
            return ProxyAnswer.error(
                .badRequest, "invalid_request",
                "a path begins with one slash, and has no dots, backslashes or control characters")
        }
        guard request.server.body.count <= configuration.limits.bodyBytes else {
            return ProxyAnswer.error(
                .contentTooLarge, "content_too_large", "content has at most \(configuration.limits.bodyBytes) bytes")
        }
        guard request.isWanted || configuration.paths.place(of: request.path) == .handover else {
            return ProxyAnswer.error(
                .forbidden, "cross_site_request", "a page of another origin made the browser send this")
        }
        return nil
    }

    // MARK: The end

    /// Ends every session: their tokens are given back, as far as the provider can be told in time. For the end of the process, after
    /// which nobody could use them. A provider that does not answer is not waited for beyond the bound.
    package func end(within bound: Duration) async {
        let ended = sessions.removeAll()
        guard !ended.isEmpty else { return }
        let isWhole = await alarm.first(within: bound, or: false) {
            await Self.end(ended)
            return true
        }
        if !isWhole {
            logger.warning("not all tokens could be given back in time", [LogField("sessions", ended.count)])
        }
    }

    static func end(_ ended: [BrowserSession]) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, session) in ended.enumerated() {
                if index >= endingsAtOnce { await group.next() }
                guard !Task.isCancelled else { return }
                group.addTask { await session.end() }
            }
        }
    }

    /// Sessions that are ended at once: each is a request to the provider.
    private static let endingsAtOnce = 16

    /// What nobody comes back to is given back in time, and not when somebody happens to look.
    private static func sweep(_ proxy: SessionProxy, _ alarm: any Alarm) {
        alarm.ring(after: sweepInterval) { [weak proxy] in
            guard let proxy else { return }
            let over = proxy.sessions.removeOver(at: proxy.clock.now())
            if !over.isEmpty {
                proxy.logger.info("sessions are over", [LogField("count", over.count)])
                Task { await end(over) }
            }
            sweep(proxy, alarm)
        }
    }
}

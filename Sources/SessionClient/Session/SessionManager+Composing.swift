import HTTPMessages
import Primitives

extension SessionManager {
    /// A session whose tokens the app has in its hands.
    ///
    ///     let session = SessionManager(
    ///         configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
    ///         store: store, transport: transport, clock: clock, alarm: alarm)
    ///
    /// Nothing is sent before somebody wants something.
    public init(
        configuration: SessionConfiguration, store: any SessionStore, transport: any OutboundRequests,
        clock: any WallClock, alarm: any Alarm, random: any RandomSource = SystemRandom()
    ) {
        let directory = ServerDirectory(configuration, outbound: transport, clock: clock, alarm: alarm)
        self.init(
            server: TokenSessionServer(directory, audience: configuration.audience, random: random),
            logins: .tokens(directory), store: store,
            transport: transport, timing: configuration.timing, clock: clock, alarm: alarm, random: random)
    }

    /// A session that the server keeps in cookies.
    ///
    ///     let session = try SessionManager(
    ///         cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
    public init(
        cookies: CookieSession, store: any SessionStore, transport: any OutboundRequests, clock: any WallClock,
        alarm: any Alarm, random: any RandomSource = SystemRandom()
    ) throws(ServerEndpointError) {
        let server = CookieSessionServer(
            refresh: try ServerEndpoint(cookies.refresh), end: try ServerEndpoint(cookies.end),
            accessCookie: cookies.accessCookie, refreshCookie: cookies.refreshCookie, outbound: transport,
            clock: clock, policy: cookies.policy)
        self.init(
            server: server, logins: .cookies(server), store: store, transport: transport, timing: cookies.timing,
            clock: clock, alarm: alarm, random: random)
    }
}

extension SessionManager {
    /// The names of cookies that no web view may have.
    nonisolated var refreshCookies: [String] {
        if case .cookies(let server) = logins { [server.refreshCookie] } else { [] }
    }
}

/// How somebody can sign in to a session.
enum Logins: Sendable {
    case tokens(ServerDirectory)
    case cookies(CookieSessionServer)
    /// By what whoever made the manager does himself.
    case elsewhere
}

import HTTPMessages
import HTTPWire
import Networking
import OAuth
import Primitives
import SessionProxy

/// What a proxy stands between, how users sign in, and how long they stay so.
enum ProxyOptions {
    static let group = OptionGroup(title: "Proxy")
    static let clientGroup = OptionGroup(title: "Sign-in")
    static let sessionGroup = OptionGroup(title: "Sessions")

    // MARK: What it stands between

    static let upstream = Option.optional(
        "upstream", ValueReader("URL", expecting: "an http or https URL, perhaps with a path") { UpstreamAddress($0) },
        in: group, environment: "PAWL_PROXY_UPSTREAM",
        "The server that gets the requests of the pages, with an access token. Needed.")
    static let publicURL = Option.optional(
        "public-url",
        ValueReader("URL", expecting: "an http or https URL without a path") { PublicOrigin($0) },
        in: group, environment: "PAWL_PROXY_PUBLIC_URL",
        defaultNote: "the first address that it listens on, HTTPS before HTTP",
        "Where browsers find the proxy: https, or http on this machine.")
    static let sessionPath = Option.value(
        "session-path", .text("PATH"), default: ProxyPaths.standard.session, in: group,
        environment: "PAWL_PROXY_SESSION_PATH",
        "What is at this path and below it the proxy answers itself: who is signed in, PATH/login, PATH/logout, PATH/health."
    )
    static let upstreamTimeout = Option.value(
        "upstream-timeout", .duration, default: "60s", in: group, environment: "PAWL_PROXY_UPSTREAM_TIMEOUT",
        "For the upstream to begin its answer, and between two pieces of it; 504 for longer.")

    static let plainUpstream = Option.flag(
        "allow-plain-upstream", in: group, environment: "PAWL_PROXY_ALLOW_PLAIN_UPSTREAM",
        "Send tokens over http to another machine: for a network that is nobody else's, such as that of a pod.")

    // MARK: How users sign in

    static let issuer = Option.optional(
        "issuer", ValueReader("URL", expecting: "an http or https URL without query and fragment") { try? Issuer($0) },
        in: clientGroup, environment: "PAWL_PROXY_ISSUER", "The provider that users sign in at. Needed.")
    static let clientID = Option.optional(
        "client-id", .text("ID"), in: clientGroup, environment: "PAWL_PROXY_CLIENT_ID",
        "Who the proxy is to the provider. Needed.")
    static let secretFile = Option.optional(
        "client-secret-file", .file, in: clientGroup, environment: "PAWL_PROXY_CLIENT_SECRET_FILE",
        defaultNote: "what PAWL_PROXY_CLIENT_SECRET says, or none: a public client",
        "The file with the secret of the client. It is on no command line.")
    static let authentication =
        Option.value(
            "client-auth", .oneOf("HOW"), default: Authentication.basic.rawValue, in: clientGroup,
            environment: "PAWL_PROXY_CLIENT_AUTH", "How the secret is shown: client_secret_basic or client_secret_post."
        )
        as Option<Authentication>
    static let scope = Option.value(
        "scope",
        ValueReader("SCOPES", expecting: "scopes with one space between two") { try? Scope(parsing: $0) },
        default: "openid offline_access", in: clientGroup, environment: "PAWL_PROXY_SCOPE",
        "What is asked for at a login.")
    static let callbackPath = Option.optional(
        "callback-path", .text("PATH"), in: clientGroup, environment: "PAWL_PROXY_CALLBACK_PATH",
        defaultNote: "PATH/callback, PATH being that of --session-path",
        "Where the provider sends browsers back to: the client's redirect URI, without the public URL.")
    static let authorities = Option.optional(
        "outbound-ca", .file, in: clientGroup, environment: "PAWL_OUTBOUND_CA",
        defaultNote: "the authorities that the system trusts, and no others",
        "Authorities that are trusted besides those of the system, as PEM, for provider and upstream.")

    enum Authentication: String, CaseIterable, Sendable {
        case basic, post
    }

    // MARK: How long they stay so

    static let cookieName = Option.value(
        "cookie-name", .text("NAME"), default: ProxyConfiguration.standardCookieName, in: sessionGroup,
        environment: "PAWL_PROXY_COOKIE_NAME",
        "The name of the session's cookie. __Host- comes before it; on this machine without TLS, the port behind it.")
    static let sameSite =
        Option.value(
            "same-site", .oneOf("RULE"), default: SameSite.lax.rawValue, in: sessionGroup,
            environment: "PAWL_PROXY_SAME_SITE",
            "Whether links of other sites come with the session (lax), or only pages of this one (strict).")
        as Option<SameSite>
    static let persistent = Option.flag(
        "persistent", in: sessionGroup, environment: "PAWL_PROXY_PERSISTENT",
        "Let sessions outlive the browser: its copy of them is on its disk.")
    static let idle = Option.value(
        "session-idle", .wholeSeconds, default: DurationText.write(ProxyLifetimes().idle), in: sessionGroup,
        environment: "PAWL_PROXY_SESSION_IDLE", "A session that nobody uses for so long is over.")
    static let absolute = Option.value(
        "session-lifetime", .wholeSeconds, default: DurationText.write(ProxyLifetimes().absolute), in: sessionGroup,
        environment: "PAWL_PROXY_SESSION_LIFETIME",
        "A session is over so long after its login, however much it is used.")
    static let login = Option.value(
        "login-timeout", .wholeSeconds, default: DurationText.write(ProxyLifetimes().login), in: sessionGroup,
        environment: "PAWL_PROXY_LOGIN_TIMEOUT", "For a user to sign in at the provider.")
    static let sessions = Option.value(
        "max-sessions", .count(in: 1...10_000_000), default: "\(ProxyLimits().sessions)", in: sessionGroup,
        environment: "PAWL_PROXY_MAX_SESSIONS",
        "Sessions at once; with one more, that which was not used for longest ends.")
    static let sessionsOfOneUser = Option.value(
        "max-user-sessions", .count(in: 1...100_000), default: "\(ProxyLimits().sessionsOfOneUser)", in: sessionGroup,
        environment: "PAWL_PROXY_MAX_USER_SESSIONS", "The same, of one user.")
    static let handover = Option.flag(
        "handover", in: sessionGroup, environment: "PAWL_PROXY_HANDOVER",
        "Let an app hand over a session that it had minted for its web view, at PATH/handover.")

    enum SameSite: String, CaseIterable, Sendable {
        case lax, strict
    }

    // MARK: In the place of those of a provider

    static let listen = Option.list(
        "listen", short: "l", ListenOptions.address, default: ["127.0.0.1:8090"], in: ListenOptions.group,
        environment: "PAWL_PROXY_LISTEN",
        "Listen here for HTTP: HOST:PORT, [IPV6]:PORT or unix:PATH. Port 0 is a free one.")
    static let port = Option.optional(
        "port", short: "p", .count(in: 0...65_535), in: ListenOptions.group, environment: "PAWL_PROXY_PORT",
        defaultNote: "that of --listen", "Short for --listen 127.0.0.1:N.")
    static let tlsListen = Option.list(
        "tls-listen", ListenOptions.address, in: ListenOptions.tlsGroup, environment: "PAWL_PROXY_TLS_LISTEN",
        defaultNote: "127.0.0.1:\(tlsPort) with TLS", "Listen here for HTTPS.")
    static let body = Option.value(
        "max-body", .byteCount, default: "10MiB", in: ServerOptions.limitGroup, environment: "PAWL_PROXY_MAX_BODY",
        "Bytes of a request's body, which is held until the answer is there; 413 for more.")

    static let tlsPort = 8493

    static let rows = [
        upstream.row, publicURL.row, sessionPath.row, upstreamTimeout.row, plainUpstream.row, issuer.row, clientID.row,
        secretFile.row,
        authentication.row, scope.row, callbackPath.row, authorities.row, cookieName.row, sameSite.row, persistent.row,
        idle.row, absolute.row, login.row, sessions.row, sessionsOfOneUser.row, handover.row, listen.row, port.row,
        ListenOptions.noHTTP.row, ListenOptions.portFile.row, ListenOptions.tls.row, tlsListen.row,
        ListenOptions.certificate.row, ListenOptions.key.row, ListenOptions.directory.row, ListenOptions.names.row,
        ServerOptions.connections.row, ServerOptions.pipelined.row, ServerOptions.requestLine.row,
        ServerOptions.headerBytes.row, ServerOptions.headerCount.row, body.row, ServerOptions.head.row,
        ServerOptions.bodyTime.row, ServerOptions.idle.row, ServerOptions.write.row, ServerOptions.notice.row,
        ServerOptions.drain.row, ServerOptions.loops.row, ServerOptions.logLevel.row, ServerOptions.logFormat.row,
        ServerOptions.accessLog.row,
    ]
}

extension ResponseCookie.SameSite {
    init(_ rule: ProxyOptions.SameSite) {
        switch rule {
        case .lax: self = .lax
        case .strict: self = .strict
        }
    }
}

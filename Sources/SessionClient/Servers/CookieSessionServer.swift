import Cookies
import HTTPMessages
import OAuth
import Primitives

/// A session that the server keeps in two cookies: one that shows who it is, and one that gets new ones. The app has them in a
/// jar of its own, out of which a web view is given the first and never the second.
///
///     let server = try CookieSessionServer(
///         refresh: ServerEndpoint("https://id.example/session/refresh"), end: ServerEndpoint("https://id.example/session"),
///         accessCookie: "__Host-pawl_access_app", refreshCookie: "__Secure-pawl_refresh_app", outbound: outbound, clock: clock)
package struct CookieSessionServer: SessionServer {
    package let refreshEndpoint: ServerEndpoint
    package let endEndpoint: ServerEndpoint
    package let accessCookie: String
    package let refreshCookie: String
    private let outbound: any OutboundRequests
    private let clock: any WallClock
    private let policy: CookiePolicy

    /// - Parameters:
    ///   - refresh: takes the refresh cookie by POST and answers with both anew.
    ///   - end: takes either by DELETE, and ends the session.
    package init(
        refresh: ServerEndpoint, end: ServerEndpoint, accessCookie: String, refreshCookie: String,
        outbound: any OutboundRequests, clock: any WallClock, policy: CookiePolicy = CookiePolicy()
    ) {
        refreshEndpoint = refresh
        endEndpoint = end
        self.accessCookie = accessCookie
        self.refreshCookie = refreshCookie
        self.outbound = outbound
        self.clock = clock
        self.policy = policy
    }

    package func refresh(_ credential: Credential) async -> TokenAnswer {
        // Whether it is over says the server, whose clock is another.
        await exchange(
            .post, refreshEndpoint, sending: credential.cookies.map { $0.with(expires: nil) },
            keeping: credential.cookies)
    }

    package func revoke(_ credential: Credential) async {
        _ = await exchange(.delete, endEndpoint, sending: credential.cookies, keeping: [])
    }

    package func authorise(
        _ request: inout HTTPRequest, with credential: Credential, at now: Timestamp
    ) throws(SessionError) {
        // The refresh token goes where it is spent, and nowhere else, whatever its path says.
        let cookies = credential.cookies.filter { !sameText($0.name, refreshCookie) }
        guard let context = Self.context(of: request) else { return }
        var jar = jar(of: cookies)
        request.headerFields[.cookie] = jar.field(for: context, at: now + credential.skew)
    }

    package func hears(_ response: HTTPResponse, to request: HTTPRequest, with credential: Credential) -> Bool { false }

    // MARK: Exchanges

    private func exchange(
        _ method: HTTPRequest.Method, _ endpoint: ServerEndpoint, sending cookies: [Cookie], keeping kept: [Cookie]
    ) async -> TokenAnswer {
        var request = endpoint.request(method, headerFields: [.accept: "application/json"])
        guard let context = Self.context(of: request) else { return .unavailable(Unavailability(.unreadable)) }
        // Nobody else adds cookies to what an app sends: it says so as a page of the server's own would.
        request.headerFields[.origin] = "\(request.scheme ?? "https")://\(request.authority ?? "")"
        var jar = jar(of: cookies)
        request.headerFields[.cookie] = jar.field(for: context, at: clock.now())
        do throws(OutboundFailure) {
            let (response, body) = try await outbound.send(request, body: [])
            return read(response, body, from: context, into: self.jar(of: kept))
        } catch {
            return .unavailable(Unavailability(error))
        }
    }

    /// What an answer is, by its cookies: to a login as much as to a refresh.
    package func read(
        _ response: HTTPResponse, _ body: [UInt8], from context: CookieContext, into jar: CookieJar = CookieJar()
    ) -> TokenAnswer {
        let now = clock.now()
        guard (200...299).contains(response.status.code) else {
            // What was sent may come back in a text, and goes no further.
            let sent = jar.all.map { Secret(utf8: $0.value) }
            return TokenAnswerReader(receivedAt: now, secrets: sent).read(response, body)
        }
        // By the clock of the server, which has chosen their ends.
        let moment = response.serverTime ?? now
        var jar = jar
        var (hasNewAccess, hasNewRefresh) = (false, false)
        for field in response.headerFields[values: .setCookie] {
            guard case .set(let cookie)? = try? jar.receive(field, from: context, at: moment) else { continue }
            if sameText(cookie.name, accessCookie) { hasNewAccess = true }
            if sameText(cookie.name, refreshCookie) { hasNewRefresh = true }
        }
        let access = jar.all.last { sameText($0.name, accessCookie) }
        let refresh = jar.all.last { sameText($0.name, refreshCookie) }
        guard hasNewAccess, let access else {
            // R9: a page of somebody else in between brings no cookie, and says nothing about the session.
            guard hasNewRefresh, let refresh else { return .unavailable(Unavailability(.unreadable)) }
            return .incomplete(TokenSuccessor(refreshToken: Secret(utf8: refresh.value), cookies: jar.all))
        }
        return .granted(
            TokenGrant(
                accessToken: Secret(utf8: access.value), tokenType: "Cookie",
                expiresIn: access.expires.map { $0 - moment },
                refreshToken: refresh.map { Secret(utf8: $0.value) }, receivedAt: now, serverTime: response.serverTime,
                cookies: jar.all))
    }

    private func jar(of cookies: [Cookie]) -> CookieJar {
        var jar = CookieJar(policy: policy)
        for cookie in cookies { try? jar.apply(.set(cookie), at: clock.now()) }
        return jar
    }

    /// Where a request goes, as cookies see it.
    package static func context(of request: HTTPRequest) -> CookieContext? {
        CookieURL("\(request.scheme ?? "https")://\(request.authority ?? "")\(request.path ?? "/")").map {
            CookieContext(url: $0)
        }
    }
}

import Cookies
import HTTPMessages
import IdentityProviderTesting
import Primitives

/// An app as it is often written, and every line of it is right: it keeps the cookies of the session, refreshes when the access
/// token is over, and shows the login where the server says `invalid_grant`, and only there.
actor HandWrittenApp {
    private(set) var showsLogin = true
    private var jar = CookieJar()
    private let stage: Stage
    private let transport: NamedTransport

    init(_ stage: Stage) {
        self.stage = stage
        transport = stage.transport(of: .app)
    }

    /// What is copied into the web view, so that the user need not sign in there once more.
    var cookies: [Cookie] { jar.all }

    /// What was copied back from there.
    func take(_ cookies: [Cookie]) {
        for cookie in cookies { try? jar.apply(.set(cookie), at: stage.time.now()) }
    }

    func signIn() async throws {
        let (request, body) = stage.login()
        guard try await send(request, body: body).status == .ok else { throw StageFright("alice cannot sign in") }
        showsLogin = false
    }

    /// The user looks at a screen of the app.
    func show() async throws -> Visit {
        if try await send(stage.request(.get, stage.content)).status == .ok { return .shown }
        let (refreshed, body) = try await exchange(stage.request(.post, stage.refresh), body: [])
        guard refreshed.status == .ok else {
            if RefusalText.code(in: body) == "invalid_grant" {
                jar.removeAll()
                showsLogin = true
            }
            return .refused
        }
        _ = try await send(stage.request(.get, stage.content))
        return .refreshed
    }

    private func send(_ request: HTTPRequest, body: [UInt8] = []) async throws -> HTTPResponse {
        try await exchange(request, body: body).0
    }

    private func exchange(_ request: HTTPRequest, body: [UInt8]) async throws -> (HTTPResponse, [UInt8]) {
        guard let url = CookieURL(stage.idp.url(request.path ?? "/")) else { throw StageFright("no URL") }
        let context = CookieContext(url: url)
        var request = request
        request.headerFields[.cookie] = jar.field(for: context, at: stage.time.now())
        let (response, body) = try await transport.send(request, body: body)
        for field in response.headerFields[values: .setCookie] {
            _ = try? jar.receive(field, from: context, at: stage.time.now())
        }
        return (response, body)
    }
}

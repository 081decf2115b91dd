import Cookies
import HTTPMessages
import SessionClient
import SessionClientFoundation

/// The same app with the library: all that an app writes for it is here.
struct LibraryApp {
    let session: SessionManager
    let bridge: WebSessionBridge
    private let stage: Stage

    init(_ stage: Stage, showing view: any WebSurface) throws {
        self.stage = stage
        let cookies = CookieSession(
            refresh: stage.refresh, end: stage.session, accessCookie: Stage.accessCookie,
            refreshCookie: Stage.refreshCookie)
        // An app has EncryptedFileStore(group: "team.example.app") here, which its extensions and widgets share; and neither
        // a clock nor an alarm, unless it moves time as a demonstration does.
        session = try SessionManager(
            cookies: cookies, store: MemorySessionStore(), transport: stage.transport(of: .app), clock: stage.time,
            alarm: SystemAlarm())
        guard let origin = WebOrigin(stage.content) else { throw StageFright("no origin") }
        // The app alone refreshes. The web view gets what comes of it, and the refresh token never.
        bridge = WebSessionBridge(
            session: SessionPages(session), surface: view,
            configuration: WebBridgeConfiguration(origins: [origin]),
            clock: stage.time, alarm: SystemAlarm())
    }

    /// By whatever request an app signs in with: the cookies of its answer are the session.
    func signIn() async throws {
        let (request, body) = stage.login()
        let (response, answer) = try await stage.transport(of: .app).send(request, body: body)
        try await session.signIn(by: response, body: answer, to: request)
    }

    /// The user looks at a screen of the app. Whether a refresh is due, and who else is at it, is not its business.
    func show() async throws -> Int {
        try await session.send(stage.request(.get, stage.content)).0.status.code
    }
}

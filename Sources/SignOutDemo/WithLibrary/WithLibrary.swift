import Cookies
import IdentityProviderTesting
import SessionClient

/// The half in which nobody is signed out: the same provider, the same expiries, the same two who come at once.
struct WithLibrary {
    private let stage: Stage
    private let teller: Teller
    private let app: LibraryApp
    private let view: SimulatedWebView
    private let page: LibraryPage

    init(_ stage: Stage, _ teller: Teller) async throws {
        self.stage = stage
        self.teller = teller
        view = stage.webView()
        app = try LibraryApp(stage, showing: view)
        try await app.signIn()
        try await app.bridge.open(stage.content)
        guard let page = await view.settledPage(), page.answer.status == 200 else {
            throw StageFright("the web view is not signed in")
        }
        self.page = LibraryPage(page, stage)
    }

    func run(expiries: Int) async throws -> WithReport {
        teller.say("alice signs in again, once. Five minutes pass, \(expiries) times, and each time both come at once.")
        teller.say("The app alone refreshes, whichever of them is first; the web view waits for its answer.")
        teller.beginTicks()
        var answered = 0
        for expiry in 1...expiries {
            stage.letTheTokenExpire()
            let first: Side = expiry % 2 == 1 ? .app : .webView
            let answers = try await comeAtOnce(first: first)
            answered += answers.filter { $0 == 200 }.count
            teller.tick(answers == [200, 200])
        }
        teller.endTicks()
        try await teller.showRefreshes(last: 2)
        let isTokenInWebView =
            view.store.cookies.contains { $0.name == Stage.refreshCookie }
            || view.sentFields.contains { $0.contains(Stage.refreshCookie) }
        return WithReport(
            expiries: expiries, refreshes: try await teller.refreshes, answered: answered,
            endReason: try await stage.endReason, hasWebViewHeldTheRefreshToken: isTokenInWebView)
    }

    /// One begins to refresh, and is held at the provider until the other has come too.
    private func comeAtOnce(first: Side) async throws -> [Int?] {
        let barrier = try stage.idp.barriers.add(at: .refreshReceived, count: 2, within: Stage.longestWait)
        defer { barrier.remove() }
        switch first {
        case .app:
            async let screen = app.show()
            try await barrier.arrivals(1, within: Stage.longestWait)
            async let page = page.show()
            try await waitUntilThePageWasRefused()
            barrier.open()
            return [try await screen, await page]
        case .webView:
            async let page = page.show()
            try await waitUntilThePageWasRefused()
            try await barrier.arrivals(1, within: Stage.longestWait)
            async let screen = app.show()
            barrier.open()
            return [try await screen, await page]
        }
    }

    /// From then on it is at its app's.
    private func waitUntilThePageWasRefused() async throws {
        let isRefusal = RequestMatch { $0.label == Side.webView.rawValue && $0.status == 401 }
        try await stage.idp.nextRequest(matching: isRefusal, within: Stage.longestWait)
    }
}

import IdentityProviderTesting
import SessionClient

/// The half in which the user is signed out, and the order that makes it happen: forced, and not hoped for.
struct WithoutLibrary {
    private let stage: Stage
    private let teller: Teller
    private let app: HandWrittenApp
    private let view: SimulatedWebView
    private let page: HandWrittenPage
    private let copying: CookieCopying

    /// Where a provider forgives, it is tried so often before the next thing is.
    static let patience = 3

    /// Signs in once, and has both sides show that they are.
    init(_ stage: Stage, _ teller: Teller) async throws {
        self.stage = stage
        self.teller = teller
        app = HandWrittenApp(stage)
        try await app.signIn()
        view = stage.webView()
        copying = CookieCopying(app: app, view: view)
        await copying.copyIntoWebView()
        view.load(stage.content)
        guard let page = await view.settledPage(), page.answer.status == 200 else {
            throw StageFright("the web view is not signed in")
        }
        self.page = HandWrittenPage(page, stage)
    }

    func run() async throws -> WithoutReport {
        teller.say("alice signs in, once. The app copies its cookies into the web view: both are signed in.")
        var expiries = 0
        while try await !isAnybodySignedOut, expiries < Self.patience {
            expiries += 1
            stage.letTheTokenExpire()
            let first: Side = expiries % 2 == 1 ? .app : .webView
            teller.say(
                "Five minutes pass, the access token is over. Both refresh at once; the \(first.name) is heard first.")
            try await refreshAtOnce(first: first)
            try await teller.showRefreshes()
        }
        if try await !isAnybodySignedOut {
            expiries += 2
            teller.say(
                "Nobody is signed out by that here. Now the web view's request hangs on a bad network for ten minutes.")
            try await refreshLate()
            try await teller.showRefreshes()
        }
        if try await stage.endReason != nil { try await goOn() }
        let canGoOn = try await seesContent()
        return WithoutReport(
            expiries: expiries, refreshes: try await teller.refreshes, endReason: try await stage.endReason,
            appShowsLogin: await app.showsLogin, pageShowsLogin: await page.showsLogin, canGoOn: canGoOn)
    }

    /// Both present the same refresh token. The provider holds both until both are there, judges the first, answers it, and
    /// judges the other then.
    private func refreshAtOnce(first: Side) async throws {
        let barrier = try stage.idp.barriers.add(
            at: .refreshReceived, count: 2, order: .labels([first.rawValue, first.other.rawValue]),
            until: .responseSent, within: Stage.longestWait)
        defer { barrier.remove() }
        async let pageVisit = page.show()
        async let appVisit = app.show()
        let (app, page) = try await (appVisit, pageVisit)
        try await barrier.end(within: Stage.longestWait)
        await copying.copy(after: app, page)
    }

    /// The web view presents its refresh token, and that arrives when the app has refreshed twice.
    private func refreshLate() async throws {
        stage.letTheTokenExpire()
        // Held before anybody has looked at it, until the barrier is opened by hand.
        let barrier = try stage.idp.barriers.add(
            at: .requestReceived, count: 2,
            for: TestFilter(path: "/session/refresh", headers: [NamedTransport.labelName: Side.webView.rawValue]),
            within: Stage.longestWait)
        defer { barrier.remove() }
        async let pageVisit = page.show()
        try await barrier.arrivals(1, within: Stage.longestWait)
        _ = try await app.show()
        stage.letTheTokenExpire()
        let app = try await app.show()
        barrier.open()
        await copying.copy(after: app, await pageVisit)
    }

    /// The session is over, and nobody has noticed everywhere yet: an access token may live on for a while.
    private func goOn() async throws {
        teller.say("alice goes on.")
        for _ in 1...2 {
            if await !app.showsLogin { _ = try await app.show() }
            if await !page.showsLogin { _ = await page.show() }
            stage.letTheTokenExpire()
        }
        try await teller.showRefreshes()
    }

    /// Whether both see what they want to, for what they say of themselves is not all.
    private func seesContent() async throws -> Bool {
        guard await !app.showsLogin, await !page.showsLogin else { return false }
        let (app, page) = (try await app.show(), await page.show())
        return app != .refused && page != .refused
    }

    private var isAnybodySignedOut: Bool {
        get async throws {
            if await app.showsLogin { return true }
            if await page.showsLogin { return true }
            return try await stage.endReason != nil
        }
    }
}

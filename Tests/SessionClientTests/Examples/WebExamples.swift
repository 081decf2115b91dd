import Cookies
import Primitives
import SessionClient
import Synchronization
import Testing

/// The examples of the documentation: a web view that is signed in as the app is.
@Suite struct WebExamples: ExampleApp {
    let screen = ExampleScreen()
    private let world = WebWorld()
    private var clock: WebAlarm { world.time }
    private var alarm: WebAlarm { world.time }
    private var surface: SimulatedWebView { world.view }
    private var cookie: Cookie { world.cookie("session", "access-1") }

    private func lookAgain() { screen.note("look") }
    private func answer(_ reply: ScriptReply) { screen.note("\(reply)") }

    private var configuration: WebBridgeConfiguration {
        var configuration = WebBridgeConfiguration(
            origins: [WebOrigin("https://app.example")!], refreshCookies: ["__Host-refresh"])
        configuration.limits = WebBridgeConfiguration.Limits()
        configuration.limits.opening = .seconds(5)
        return configuration
    }

    @Test func origins() {
        let origin = WebOrigin("https://app.example/account")
        print(origin == WebOrigin("https://app.example:443"))  // true
        print(WebOrigin(isEncrypted: true, host: CookieHost("app.example")!, port: 8443))
        #expect(origin?.description == "https://app.example")
    }

    @Test func aBridge() async throws {
        let pages = world.session()
        let isOver = Mutex(false)
        let opening = Task {
            defer { isOver.withLock { $0 = true } }
            try await open(pages)
        }
        while !isOver.withLock({ $0 }) {
            world.time.pass(.milliseconds(10))
            await Task.yield()
        }
        try await opening.value
        #expect(screen.shown == ["signedIn"])
    }

    @Test func aPageThatHasSettled() {
        let (bridge, view) = (world.bridge(world.session()), world.view)
        let isThere = runs {
            try await bridge.open("https://app.example/account")
            let page = await view.settledPage()
            #expect(page?.url == "https://app.example/account")
        }
        #expect(isThere)
    }

    private func open(_ pages: some PageSession) async throws {
        let bridge = WebSessionBridge(
            session: pages, surface: surface, configuration: configuration, clock: clock, alarm: alarm)
        let page = try await bridge.open("https://app.example/account")
        bridge.close()
        show(page)
    }

    @Test func whatABridgeSays() {
        let bridge = world.bridge(world.session(signedIn: false))
        let url = "not a page"
        let isOver = runs {
            do throws(WebBridgeError) {
                try await bridge.open("https://app.example/account")
            } catch {
                switch error {
                case .cookiesNotVisible, .sessionUnavailable: offerToTryAgain()
                case .superseded, .cancelled, .closed: break
                case .invalidURL: report("\(error)")
                }
            }
            if try await bridge.open(url) == .signedOut { showLogin() }
        }
        #expect(!isOver && screen.shown.isEmpty)
    }

    private func runs(_ body: @escaping @Sendable () async throws -> Void) -> Bool {
        let isWhole = world.time.result {
            do {
                try await body()
                return true
            } catch {
                return false
            }
        }
        return isWhole ?? false
    }

    @Test func aSessionForPages() async throws {
        let store = MemorySessionStore()
        let time = VirtualTime()
        let session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
            store: store, transport: ExampleServer.make(time), clock: time, alarm: time)
        try await session.signInWithPassword(userName: "alice", password: Secret(utf8: "alice"))
        do {
            let pages = SessionPages(session, leavingOut: ["__Secure-refresh"])
            #expect(try await pages.pageCookies().cookies.isEmpty)
        }
        let pages = SessionPages(session, leavingOut: []) { token in
            [Cookie(name: "__Host-session", value: text(of: token.secret), domain: "app.example", at: clock.now())]
        }
        let following = Task {
            let cookies = try await pages.pageCookies()
            let newer = try await pages.pageCookies(replacing: cookies.generation)
            for await state in pages.pageCookieUpdates { print(state.generation, state.isSignedIn) }
            return [cookies, newer].map { $0.cookies.map(\.value) }
        }
        while await session.currentText() != "a2" { await Task.yield() }
        following.cancel()
        #expect(try await following.value == [["a1"], ["a2"]])
        try await session.signOut()
        do throws(PageSessionError) {
            use(try await pages.pageCookies())
        } catch {
            if error == .signedOut { showLogin() }
        }
        let nobody = PageCookies(generation: 2, isSignedIn: false, cookies: [], gone: [cookie.identity])
        #expect(nobody.gone.count == 1 && screen.shown == ["login"])
    }

    @Test func aSurface() {
        surface.connect { event in if case .cookiesChanged = event { lookAgain() } }
        surface.observeCookies()
        surface.apply([.set(cookie)]) { surface.readCookies { print($0) } }
        surface.load("https://app.example/")
        surface.reload()
        world.time.pass(.seconds(1))
        #expect(screen.shown == ["look"] && surface.loads.count == 2)
        surface.readCookies { view in
            if case .loaded(let cookies) = view { print(cookies.count) } else { lookAgain() }
        }
        surface.connect { event in
            switch event {
            case .cookiesChanged: lookAgain()
            case .contentProcessTerminated: surface.reload()
            case .message(let message): message.reply(.failure("not allowed"))
            }
        }
        world.view.killContentProcess()
        world.time.pass(.seconds(1))
        #expect(surface.loads.count == 3)
    }

    @Test func messages() {
        let handler: (WebEvent) -> Void = { event in
            guard case .message(let message) = event else { return }
            message.reply(.value(["status": "signed_in", "generation": 7]))
        }
        let message = ScriptMessage(
            origin: WebOrigin("https://app.example"), isMainFrame: true, body: ["type": "refresh"]
        ) { answer($0) }
        handler(.message(message))
        #expect(screen.shown.count == 1)
    }

    @Test func strategies() throws {
        let (surface, pages, configuration) = (surface, world.session(signedIn: false), configuration)
        let native = NativeCookies(clock: clock)
        native.apply([.set(cookie)], by: .app)
        print(native.cookies)
        let sides = WebSides(
            native: native, surface: surface, session: pages, configuration: configuration, clock: clock, alarm: alarm)
        let side = WebStrategy.twoWayObservation.begin(sides)
        let isWhole = runs {
            try await side.open("https://app.example/")
            side.nativeReceived([.set(cookie)])
            print(await side.nativeCookies())
            side.close()
        }
        #expect(isWhole && native.cookies.count == 1)
    }
}

extension SessionManager {
    fileprivate func currentText() async -> String? { try? await text(of: accessToken().secret) }
}

import Cookies
import Primitives
import SessionClient
import Testing

/// A page that was refused asks the app, and is answered once, when its new cookies are there.
@Suite struct WebMessageTests {
    @Test func aPageThatWasRefusedGetsNewCookiesBeforeItsAnswer() throws {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = try #require(world.view.page)
        world.site.accept("access-2")
        // What the page sends right after the answer already has them.
        let status = world.time.result { () -> Int? in
            guard await page.post(["type": "refresh", "generation": 1]) == .signedIn(2) else { return nil }
            return await page.fetch(WebWorld.page)?.status
        }
        #expect(status == 200)
        #expect(session.refreshCount == 1)
        withExtendedLifetime(bridge) {}
    }

    @Test func aPageThatSaysNoGenerationIsTakenAtTheOneItWasLoadedWith() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signIn()
        world.time.pass(.seconds(1))
        #expect(world.refresh(world.view.page) == .signedIn(2))
        #expect(session.refreshCount == 0)
        withExtendedLifetime(bridge) {}
    }

    /// Its cookies are there no more, and those of the next user are not for it.
    @Test(arguments: [false, true])
    func aPageOfALoginThatHasEndedDoesNotGoOnUnderTheNext(afterASignOut: Bool) {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        if afterASignOut {
            session.signOut()
            world.time.pass(.seconds(1))
        }
        session.signInAnother()
        world.time.pass(.seconds(1))
        let newest = Int64(session.generation)
        #expect(world.refresh(world.view.page) == .signedOut(newest))
        #expect(world.refresh(world.view.page, generation: 1) == .signedOut(newest))
        #expect(session.refreshCount == 0)
        // A page of the next user does.
        world.open(bridge)
        #expect(world.refresh(world.view.page) == .signedIn(newest + 1))
        withExtendedLifetime(bridge) {}
    }

    @Test func aPageOfNobodysGoesOnUnderTheFirstLogin() {
        let world = WebWorld()
        let session = world.session(signedIn: false)
        session.signOut()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signIn()
        world.time.pass(.seconds(1))
        #expect(world.refresh(world.view.page) == .signedIn(2))
        withExtendedLifetime(bridge) {}
    }

    @Test func whatWasReplacedAlreadyIsNotReplacedAgain() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        #expect(world.refresh(world.view.page, generation: 1) == .signedIn(2))
        #expect(world.refresh(world.view.page, generation: 1) == .signedIn(2))
        #expect(session.refreshCount == 1)
        withExtendedLifetime(bridge) {}
    }

    @Test func aGenerationThatNeverWasIsTheNewest() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        #expect(world.refresh(world.view.page, generation: 1_000_000) == .signedIn(2))
        withExtendedLifetime(bridge) {}
    }

    @Test func aPageThatHasLostItsCookiesGetsThemBackWithoutARefresh() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        world.view.store.forgetObservers()
        world.pool.sharedStore.clearByNeighbour()
        #expect(world.refresh(world.view.page, generation: 1) == .signedIn(1))
        #expect(session.refreshCount == 0)
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }

    @Test func manyMessagesAreOneRefreshAndAnAnswerEach() throws {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = try #require(world.view.page)
        let outcomes = (0..<20).map { _ in
            world.time.begin { await page.post(["type": "refresh", "generation": 1]) }
        }
        world.time.pass(.seconds(2))
        #expect(outcomes.allSatisfy { $0.value == .signedIn(2) })
        #expect(page.replyCounts == Array(repeating: 1, count: 20))
        #expect(session.refreshCount == 1)
        withExtendedLifetime(bridge) {}
    }

    @Test func moreMessagesThanCanWaitAreRefused() throws {
        let world = WebWorld()
        var configuration = WebWorld.configuration
        configuration.limits.messages = 3
        let session = world.session()
        let bridge = world.bridge(session, configuration)
        world.open(bridge)
        let page = try #require(world.view.page)
        let outcomes = (0..<5).map { _ in world.time.begin { await page.post(["type": "refresh"]) } }
        world.time.pass(.seconds(2))
        #expect(outcomes.filter { $0.value == .replied(.failure("too many")) }.count == 2)
        #expect(outcomes.filter { $0.value == .signedIn(2) }.count == 3)
        withExtendedLifetime(bridge) {}
    }

    @Test func aRefreshThatFailsIsAnsweredAndSignsNobodyOut() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.fail(.offline)
        #expect(world.refresh(world.view.page) == .unavailable)
        #expect(world.values == ["access-1"])
        session.fail(.none)
        #expect(world.refresh(world.view.page) == .signedIn(2))
        #expect(world.view.page?.replyCounts == [1, 1])
        withExtendedLifetime(bridge) {}
    }

    @Test func aRefreshThatNeverEndsIsAnsweredInTime() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.fail(.never)
        let before = world.time.now()
        #expect(world.refresh(world.view.page) == .unavailable)
        #expect(world.time.now() - before <= .seconds(31))
        // The next one is not put off with the question that nobody answers.
        session.fail(.none)
        #expect(world.refresh(world.view.page) == .signedIn(2))
        withExtendedLifetime(bridge) {}
    }

    @Test func aSignOutIsTheAnswerAndTheCookieIsGone() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signOut()
        #expect(world.refresh(world.view.page) == .signedOut(2))
        #expect(world.values.isEmpty)
        withExtendedLifetime(bridge) {}
    }

    @Test func aSignOutThatOnlyTheRefreshFindsOutRemovesTheCookie() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.silence()
        session.signOut()
        #expect(world.refresh(world.view.page, generation: 1) == .signedOut(1))
        #expect(world.values.isEmpty)
        withExtendedLifetime(bridge) {}
    }

    @Test func aPageThatAsksBeforeTheSessionIsKnownGetsItsAnswer() {
        let world = WebWorld()
        let session = world.session()
        session.silence()
        world.visit()
        let bridge = world.bridge(session)
        #expect(world.refresh(world.view.page) == .signedIn(1))
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }

    @Test func whatIsKnownIsAnsweredWithoutTheSession() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signIn()
        world.time.pass(.seconds(1))
        session.fail(.offline)
        #expect(world.refresh(world.view.page, generation: 1) == .signedIn(2))
        session.signOut()
        world.time.pass(.seconds(1))
        #expect(world.refresh(world.view.page, generation: 2) == .signedOut(3))
        #expect(world.refresh(world.view.page, generation: 3) == .signedOut(3))
        withExtendedLifetime(bridge) {}
    }

    @Test func aSignOutThatIsFoundOutLateDoesNotEndTheNextSession() throws {
        let world = WebWorld()
        let session = world.session()
        session.delay(.seconds(2))
        session.fail(.signedOut)
        let bridge = world.bridge(session)
        world.time.pass(.seconds(1))
        let page = try #require(world.visit())
        let outcome = world.time.begin { await page.post(["type": "refresh", "generation": 1]) }
        world.time.pass(.seconds(1))
        session.signOut()
        session.signIn()
        world.time.pass(.seconds(5))
        #expect(outcome.value == .signedIn(3))
        #expect(world.values == ["access-3"])
        withExtendedLifetime(bridge) {}
    }

    // MARK: Pages that go

    @Test func C8_theFlightOfAPageThatIsReplacedServesTheNext() throws {
        let world = WebWorld()
        let session = world.session()
        session.delay(.seconds(2))
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = try #require(world.view.page)
        let outcome = world.time.begin { await page.post(["type": "refresh", "generation": 1]) }
        world.time.pass(.seconds(1))
        world.view.killContentProcess()
        world.time.pass(.milliseconds(500))
        #expect(outcome.value == .pageGone)
        let next = try #require(world.view.page)
        let answer = world.time.begin { await next.post(["type": "refresh", "generation": 1]) }
        world.time.pass(.seconds(1))
        #expect(answer.value == .signedIn(2))
        #expect(session.refreshCount == 1)
        #expect(world.values == ["access-2"])
        #expect(page.replyCounts == [1])
        #expect(next.replyCounts == [1])
        withExtendedLifetime(bridge) {}
    }

    @Test func aBridgeThatCloses() throws {
        let world = WebWorld()
        let session = world.session()
        session.delay(.seconds(2))
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = try #require(world.view.page)
        let outcome = world.time.begin { await page.post(["type": "refresh"]) }
        world.time.pass(.seconds(1))
        bridge.close()
        world.time.pass(.seconds(5))
        #expect(outcome.value == .replied(.failure("closed")))
        #expect(page.replyCounts == [1])
        #expect(world.values == ["access-1"])
    }

    @Test func aBridgeThatIsLetGoAnswersToo() throws {
        let world = WebWorld()
        let session = world.session()
        session.delay(.seconds(2))
        var bridge: WebSessionBridge? = world.bridge(session)
        if let bridge { world.open(bridge) }
        let page = try #require(world.view.page)
        let outcome = world.time.begin { await page.post(["type": "refresh"]) }
        world.time.pass(.seconds(1))
        bridge = nil
        world.time.pass(.milliseconds(1))
        #expect(outcome.value == .replied(.failure("closed")))
        #expect(bridge == nil)
    }

    // MARK: Who may ask

    @Test(arguments: [
        SimulatedPage.Sender.mainFrame(WebOrigin("https://evil.example")),
        .mainFrame(WebOrigin("http://app.example")),
        .mainFrame(WebOrigin("https://app.example:8443")),
        .mainFrame(WebOrigin("https://sub.app.example")),
        .mainFrame(WebOrigin("https://app.example.evil.example")),
        .mainFrame(nil),
        .innerFrame(WebOrigin("https://app.example")),
        .innerFrame(WebOrigin("https://evil.example")),
        .innerFrame(nil),
    ])
    func refusesWhoMayNotAsk(_ sender: SimulatedPage.Sender) {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = world.view.page
        let outcome = world.time.result { await page?.post(["type": "refresh"], from: sender) }
        #expect(outcome == .some(.replied(.failure("not allowed"))))
        #expect(session.refreshCount == 0)
        withExtendedLifetime(bridge) {}
    }

    @Test func innerFramesOfTheSameOriginMayAskWhereThatIsAllowed() {
        let world = WebWorld()
        var configuration = WebWorld.configuration
        configuration.frames = .allowInnerFrames
        let bridge = world.bridge(world.session(), configuration)
        world.open(bridge)
        let page = world.view.page
        let mine = world.time.result {
            await page?.post(["type": "refresh"], from: .innerFrame(WebOrigin(WebWorld.origin)))
        }
        #expect(mine == .some(.signedIn(2)))
        let evil = world.time.result {
            await page?.post(["type": "refresh"], from: .innerFrame(WebOrigin("https://evil.example")))
        }
        #expect(evil == .some(.replied(.failure("not allowed"))))
        withExtendedLifetime(bridge) {}
    }

    /// What a script sends that has heard of no state yet.
    @Test(arguments: [["type": "refresh"], ["type": "refresh", "generation": nil]] as [JSON])
    func aPageThatKnowsNoStateIsAnsweredToo(_ body: JSON) {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = world.view.page
        guard case .some(.replied(.value(let answer))) = world.time.result({ await page?.post(body) }) else {
            Issue.record("it was refused")
            return
        }
        #expect(answer["status"]?.string == "signed_in")
        withExtendedLifetime(bridge) {}
    }

    @Test(arguments: [
        JSON.null, "refresh", 1, [], [:], ["type": "token"], ["type": 1], ["type": "refresh", "generation": "1"],
        ["type": "refresh", "generation": -1], ["type": "refresh", "generation": 1.5],
        ["type": "refresh", "generation": true],
    ])
    func refusesWhatItDoesNotUnderstand(_ body: JSON) {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        let page = world.view.page
        #expect(
            world.time.result { await page?.post(body) } == .some(.replied(.failure("not understood"))))
        #expect(session.refreshCount == 0)
        withExtendedLifetime(bridge) {}
    }
}

/// Where a page comes from.
@Suite struct WebOriginTests {
    @Test(arguments: [
        ("https://app.example", "https://app.example:443/x?y#z"), ("http://app.example:80", "http://APP.example/"),
        ("https://[::1]:8443", "https://[::1]:8443/"),
    ])
    func areTheSame(_ left: String, _ right: String) {
        #expect(WebOrigin(left) != nil)
        #expect(WebOrigin(left) == WebOrigin(right))
    }

    @Test(arguments: [
        ("https://app.example", "http://app.example"), ("https://app.example", "https://app.example:444"),
        ("https://app.example", "https://app.example."), ("https://[::1]", "https://[::1]:1"),
        ("https://app.example", "https://x.app.example"),
    ])
    func areNotTheSame(_ left: String, _ right: String) {
        #expect(WebOrigin(left) != nil && WebOrigin(right) != nil)
        #expect(WebOrigin(left) != WebOrigin(right))
    }

    @Test(arguments: [
        "null", "", "app.example", "wss://app.example", "file:///x", "https://", "https://a@app.example",
        "https://app.example:65536", "https://app.example:x", "data:text/html,x", "https://app.example:80@evil.example",
    ])
    func isNone(_ text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test func isWrittenAsBrowsersDo() {
        #expect(WebOrigin("https://App.example:443/x")?.description == "https://app.example")
        #expect(WebOrigin("http://127.0.0.1:8080/x")?.description == "http://127.0.0.1:8080")
        #expect(WebOrigin("https://[::1]:8443")?.description == "https://[::1]:8443")
    }
}

import Cookies
import Primitives
import SessionClient
import Testing

/// The bridge keeps a web view signed in as the session is.
@Suite struct WebSessionBridgeTests {
    @Test func aPageIsGoneToWhenItsCookiesAreThere() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
        #expect(world.view.loads == [WebWorld.page])
    }

    /// S11: the process that the cookies live in is killed, and nobody is told. Whoever is refused gets them back.
    @Test func aPageThatIsRefusedAfterTheNetworkProcessDiedIsSignedInWithoutARefresh() throws {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        world.view.store.killNetworkProcess()
        world.time.pass(.seconds(1))
        #expect(world.values.isEmpty)
        let page = try #require(world.view.page)
        #expect(world.refresh(page, generation: 1) == .signedIn(1))
        #expect(world.values == ["access-1"])
        #expect(session.refreshCount == 0)
        world.view.store.killNetworkProcess()
        #expect(world.open(bridge, WebWorld.page + "next") == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
        #expect(session.refreshCount == 0)
        withExtendedLifetime(bridge) {}
    }

    @Test func C1_noPageIsGoneToBeforeTheStoreShowsTheCookies() {
        let world = WebWorld { $0.writing = 500...500 }
        let bridge = world.bridge(world.session())
        let opened = world.time.begin { try? await bridge.open(WebWorld.page) }
        world.time.pass(.milliseconds(400))
        #expect(world.view.loads.isEmpty)
        world.time.pass(.milliseconds(600))
        #expect(world.view.loads.count == 1)
        #expect(opened.value == .signedIn)
        #expect(world.view.page?.answer.status == 200)
    }

    /// A look that was begun before somebody wanted a page says nothing about what is there when he gets it.
    @Test func C1_anOlderLookOpensNoPage() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.open(bridge)
        surface.holdReads()
        world.pool.sharedStore.setByNeighbour(world.cookie("other", "1"))
        world.time.pass(.milliseconds(50))
        // It has read that all is well, and now that is not so any more.
        world.pool.sharedStore.clearByNeighbour()
        let opened = world.time.begin { try? await bridge.open(WebWorld.page + "next") }
        world.time.pass(.milliseconds(50))
        surface.tellReads()
        world.time.pass(.milliseconds(50))
        #expect(world.view.loads == [WebWorld.page])
        surface.letReadsGo()
        world.time.pass(.seconds(2))
        #expect(opened.value == .signedIn && world.view.loads.count == 2)
        #expect(world.view.page?.answer.status == 200)
        withExtendedLifetime(bridge) {}
    }

    @Test func C2_aReadThatIsNeverAnsweredIsAskedForAgain() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        surface.loseNextRead()
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
    }

    @Test func C2_aWriteThatIsNeverConfirmedIsLookedAfter() {
        let world = WebWorld { $0.lostCompletions = 100 }
        let bridge = world.bridge(world.session())
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
    }

    @Test func aStoreThatNeverTakesTheCookiesFailsTheOpening() {
        let world = WebWorld { $0.writing = 1_000_000...1_000_000 }
        let bridge = world.bridge(world.session())
        #expect(world.open(bridge) == .failure(.cookiesNotVisible))
        #expect(world.view.loads.isEmpty)
    }

    @Test func C3_aStoreThatIsNotLoadedYetIsWaitedFor() {
        let world = WebWorld { $0.loading = 2_000...2_000 }
        let bridge = world.bridge(world.session())
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
    }

    @Test(arguments: ["", "about:blank", "file:///etc/passwd", "javascript:alert(1)", "https://user@app.example/"])
    func refusesWhatIsNoPage(_ url: String) {
        let world = WebWorld()
        let bridge = world.bridge(world.session())
        #expect(world.open(bridge, url) == .failure(.invalidURL))
        #expect(world.view.loads.isEmpty)
    }

    @Test func whoOpensAnotherPageGetsThatOne() {
        let world = WebWorld()
        let bridge = world.bridge(world.session())
        let first = world.time.begin {
            await Result { () async throws(WebBridgeError) in try await bridge.open(WebWorld.page) }
        }
        let second = world.time.begin { try? await bridge.open(WebWorld.page + "2") }
        world.time.pass(.seconds(2))
        #expect(first.value == .failure(.superseded))
        #expect(second.value == .signedIn)
        #expect(world.view.loads == [WebWorld.page + "2"])
    }

    @Test func whoGivesUpIsLetGoAndNothingIsOpened() {
        let world = WebWorld { $0.writing = 500...500 }
        let bridge = world.bridge(world.session())
        let result = Pending<Result<PageState, WebBridgeError>>()
        let task = world.time.launch {
            result.set(await Result { () async throws(WebBridgeError) in try await bridge.open(WebWorld.page) })
        }
        world.time.pass(.milliseconds(100))
        task.cancel()
        world.time.pass(.seconds(2))
        #expect(result.value == .failure(.cancelled))
        #expect(world.view.loads.isEmpty)
    }

    @Test func signedOutIsAStateToOpenAPageIn() {
        let world = WebWorld()
        let bridge = world.bridge(world.session(signedIn: false))
        #expect(world.open(bridge) == .success(.signedOut))
        #expect(world.view.page?.answer.status == 401)
    }

    @Test func aSessionThatCannotBeReadIsNotSignedOut() {
        let world = WebWorld()
        let session = world.session()
        session.silence()
        session.fail(.offline)
        let bridge = world.bridge(session)
        #expect(world.open(bridge) == .failure(.sessionUnavailable))
        #expect(world.view.loads.isEmpty)
    }

    @Test func withoutANetworkAPageGetsWhatIsThere() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.time.pass(.seconds(1))
        session.fail(.offline)
        #expect(world.open(bridge) == .success(.signedIn))
    }

    @Test func aSessionThatDoesNotAnswerKeepsNobodyFromWhatIsKnown() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.time.pass(.seconds(1))
        session.fail(.never)
        let before = world.time.now()
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(world.time.now() - before < .seconds(7))
    }

    @Test func aSessionThatNeverAnswersFailsTheOpeningWhereNothingIsKnown() {
        let world = WebWorld()
        let session = world.session()
        session.silence()
        session.fail(.never)
        let bridge = world.bridge(session)
        #expect(world.open(bridge) == .failure(.sessionUnavailable))
        // And not the next one.
        session.fail(.none)
        #expect(world.open(bridge) == .success(.signedIn))
    }

    // MARK: What is lost

    @Test func aKilledContentProcessIsMendedAndThenReloaded() {
        let world = WebWorld { $0.lossAtKill = 100 }
        let bridge = world.bridge(world.session())
        world.open(bridge)
        world.view.killContentProcess()
        #expect(world.values.isEmpty)
        world.time.pass(.seconds(2))
        #expect(world.view.loads.count == 2)
        #expect(world.view.page?.answer.status == 200)
        withExtendedLifetime(bridge) {}
    }

    @Test func aKillInTheMiddleOfAWriteIsMended() {
        let world = WebWorld { $0.writing = 300...300 }
        let session = world.session()
        let bridge = world.bridge(session)
        let opened = world.time.begin { try? await bridge.open(WebWorld.page) }
        world.time.pass(.milliseconds(200))
        world.view.killContentProcess()
        world.time.pass(.seconds(2))
        #expect(opened.value == .signedIn)
        #expect(world.view.loads.count == 1)
        #expect(world.view.page?.answer.status == 200)
    }

    @Test func aNeighbourWhoClearsTheStoreSignsNobodyOut() {
        let world = WebWorld()
        let bridge = world.bridge(world.session())
        world.open(bridge)
        world.pool.sharedStore.clearByNeighbour()
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-1"])
        #expect(world.visit()?.answer.status == 200)
        withExtendedLifetime(bridge) {}
    }

    @Test func aPrivateStoreIsFilledAtEachStart() {
        let world = WebWorld()
        let session = world.session()
        let hidden = SimulatedWebView(store: world.pool.privateStore())
        #expect(world.open(world.bridge(to: hidden, session)) == .success(.signedIn))
        world.pool.sharedStore.clearByNeighbour()
        #expect(hidden.store.cookies.map(\.value) == ["access-1"])
        #expect(world.values.isEmpty)
        world.relaunch()
        let next = SimulatedWebView(store: world.pool.privateStore())
        #expect(next.store.cookies.isEmpty)
        #expect(world.open(world.bridge(to: next, session)) == .success(.signedIn))
        #expect(next.page?.answer.status == 200)
    }

    @Test func theCookiesOfOthersAreLeftAlone() {
        let world = WebWorld()
        world.view.store.setByNeighbour(world.cookie("theme", "dark"))
        let foreign = Cookie(
            name: "session", value: "theirs", domain: "other.example", isSecure: true, at: world.time.now())
        world.view.store.setByNeighbour(foreign)
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signOut()
        world.time.pass(.seconds(1))
        #expect(world.values == ["dark", "theirs"])
        withExtendedLifetime(bridge) {}
    }

    @Test func C7_sessionCookiesComeBackAfterTheAppWasKilled() {
        let world = WebWorld()
        let session = world.session()
        world.open(world.bridge(session))
        world.relaunch()
        #expect(world.values.isEmpty)
        #expect(world.open(world.bridge(session)) == .success(.signedIn))
        #expect(world.view.page?.answer.status == 200)
    }

    @Test func C5_aDeadObserverIsReplaced() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        world.view.store.forgetObservers()
        session.signIn()
        world.time.pass(.seconds(5))
        #expect(world.values == ["access-2"])
        world.pool.sharedStore.clearByNeighbour()
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-2"])
        withExtendedLifetime(bridge) {}
    }

    // MARK: Old and new

    @Test func C10_aLateAnswerOfAPageDoesNotBringBackAnOlderState() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        world.site.set("session=access-1; Path=/; Secure; HttpOnly; SameSite=Lax", after: .seconds(3))
        world.view.load(WebWorld.page)
        world.time.pass(.seconds(1))
        session.signIn()
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-2"])
        world.time.pass(.seconds(2))
        #expect(world.values == ["access-2"])
        withExtendedLifetime(bridge) {}
    }

    @Test func aStateThatComesLateNeverGoesOverANewerOne() {
        let world = WebWorld()
        let session = world.session()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, session)
        world.open(bridge)
        let old = session.current
        session.signIn()
        world.time.pass(.seconds(1))
        session.tell(old)
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-2"])
        session.signOut()
        world.time.pass(.seconds(1))
        session.tell(old)
        world.time.pass(.seconds(1))
        #expect(world.values.isEmpty)
        #expect(surface.writes.count == 3)
        withExtendedLifetime(bridge) {}
    }

    @Test func whatIsUnderWayIsNotWrittenASecondTime() {
        let world = WebWorld { behaviour in
            behaviour.writing = 1500...1500
            behaviour.lostCompletions = 100
        }
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        #expect(world.open(bridge) == .success(.signedIn))
        #expect(surface.writes.count == 1)
    }

    @Test func aCookieOfTheSameNameBesideOursIsRemoved() {
        let world = WebWorld()
        let bridge = world.bridge(world.session())
        world.open(bridge)
        world.view.store.setByNeighbour(
            Cookie(
                name: "session", value: "old", domain: "app.example", path: "/account", isSecure: true,
                at: world.time.now()))
        world.view.store.setByNeighbour(
            Cookie(
                name: "session", value: "old", domain: "app.example", isHostOnly: false, isSecure: true,
                at: world.time.now()))
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }

    // MARK: Signed out

    @Test func C4_afterASignOutNothingBringsTheCookieBack() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signOut()
        world.time.pass(.seconds(1))
        #expect(world.values.isEmpty)
        world.view.store.setByNeighbour(world.cookie("session", "access-1"))
        world.time.pass(.seconds(1))
        #expect(world.values.isEmpty)
        world.view.killContentProcess()
        world.time.pass(.seconds(2))
        #expect(world.values.isEmpty)
        #expect(world.open(bridge) == .success(.signedOut))
        #expect(world.values.isEmpty)
    }

    @Test func C4_aSavedCookieOfTheUserBeforeIsRemovedAtTheNextStart() {
        let world = WebWorld()
        let session = world.session()
        session.signOut()
        world.view.store.setByNeighbour(world.cookie("session", "access-1", expiresIn: .seconds(86_400)))
        world.view.store.flush()
        world.relaunch()
        #expect(world.values == ["access-1"])
        #expect(world.open(world.bridge(session)) == .success(.signedOut))
        #expect(world.values.isEmpty)
    }

    @Test func theNextUserGetsHisOwn() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        session.signOut()
        session.signIn()
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-3"])
        withExtendedLifetime(bridge) {}
    }

    // MARK: The refresh token

    @Test func theRefreshTokenIsNeverInTheWebView() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        world.open(bridge)
        _ = world.refresh(world.view.page)
        #expect(surface.writes.count > 1)
        for case .set(let cookie) in surface.writes.joined() { #expect(!cookie.value.contains("REFRESH")) }
        #expect(!world.site.fields.contains { $0.contains("REFRESH") })
        #expect(bridge.refusedCookies == [PageSessionFake.refreshIdentity])
    }

    @Test func aRefreshTokenThatAServerPutThereIsTakenOut() {
        let world = WebWorld()
        let bridge = world.bridge(world.session())
        world.open(bridge)
        for name in ["__Host-refresh", "Refresh_Token"] {
            world.view.store.setByNeighbour(world.cookie(name, "REFRESH"))
        }
        world.time.pass(.seconds(1))
        #expect(world.values == ["access-1"])
        withExtendedLifetime(bridge) {}
    }

    @Test func whatIsPrintedHoldsNoCookieValue() {
        let world = WebWorld()
        let session = world.session()
        var machineText = ""
        dump(session.current, to: &machineText)
        #expect(!machineText.contains("access-1"))
        #expect(!"\(CookieChange.set(session.current.cookies[0]))".contains("access-1"))
        #expect(!"\(WebCookies.loaded(session.current.cookies))".contains("access-1"))
    }

    // MARK: The end

    @Test func aClosedBridgeOpensNothingAndPutsNothingBack() {
        let world = WebWorld()
        let session = world.session()
        let bridge = world.bridge(session)
        world.open(bridge)
        bridge.close()
        world.pool.sharedStore.clearByNeighbour()
        session.signIn()
        world.time.pass(.seconds(5))
        #expect(world.values.isEmpty)
        #expect(world.open(bridge) == .failure(.closed))
    }

    @Test func whoWaitsWhenItIsClosedIsTold() {
        let world = WebWorld { $0.writing = 500...500 }
        let bridge = world.bridge(world.session())
        let result = world.time.begin {
            await Result { () async throws(WebBridgeError) in try await bridge.open(WebWorld.page) }
        }
        world.time.pass(.milliseconds(50))
        bridge.close()
        world.time.pass(.milliseconds(1))
        #expect(result.value == .failure(.closed))
    }

    @Test func whatIsDecidedWithinACallIsDoneAfterIt() throws {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        surface.onLoad { surface.tell(.cookiesChanged) }
        world.open(bridge)
        let load = try #require(surface.calls.firstIndex(of: "load"))
        #expect(surface.calls[load...].prefix(3) == ["load", "loaded", "read"])
    }

    @Test func theBridgeCanBeCalledFromWithinWhatItCalls() {
        let world = WebWorld()
        let surface = RecordingSurface(world.view)
        let bridge = world.bridge(to: surface, world.session())
        surface.onLoad { bridge.close() }
        let opened = world.open(bridge)
        #expect(opened == .success(.signedIn) || opened == .failure(.closed))
        #expect(world.open(bridge) == .failure(.closed))
    }
}

extension Result where Success: Sendable {
    init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

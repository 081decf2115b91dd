import Cookies
import Foundation
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// What the web view loses without anybody having done anything, and how it comes back without a login.
extension OnWebKit {
    @GLibActor @Suite("Losses") struct Losses {
        @Test("S21: the content process is killed by the system: the page is loaded again, and is signed in")
        func theContentProcessIsKilled() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let killed = EngineProcess.content.running
                #expect(!killed.isEmpty)
                EngineProcess.content.kill()
                await browser.loaded(2)
                #expect(browser.loads.last == .finished(world.site.url("/app")))
                #expect(Set(EngineProcess.content.running).isDisjoint(with: killed))
                #expect(await world.text(browser) == "signed in")
                #expect(try await browser.script("return await me()")["first"]?.int64 == 200)
                #expect(world.loginCount == 1 && world.refreshCount == 0)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S11, S21: the content process ends and the cookies with it: they are back before the page is")
        func theCookiesGoWithTheContentProcess() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                // Both in one turn of the main loop: the bridge hears of neither before both have happened.
                browser.view.terminateContentProcess()
                browser.store.clear {}
                await browser.loaded(2)
                #expect(await world.text(browser) == "signed in")
                #expect(await world.access(browser) != nil)
                #expect(world.loginCount == 1 && world.refreshCount == 0)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test(
            "S11: the network process is killed and all cookies are gone: a page that is refused gets them back, with no refresh"
        )
        func theNetworkProcessIsKilled() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                await killNetworkProcess()
                // The page has a connection that nobody is at the end of, until its process has noticed.
                await eventually("the page reaches its site") {
                    (try? await browser.script("return (await fetch('/')).status")) != nil
                }
                let answer = try await browser.script("return await me()")
                #expect(answer["first"]?.int64 == 401, "the engine has kept the cookies: this test shows nothing")
                #expect(answer["state"]?["status"]?.string == "signed_in")
                #expect(answer["second"]?.int64 == 200)
                #expect(world.loginCount == 1 && world.refreshCount == 0)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S11: after the network process was killed, the next page is gone to signed in")
        func theNextPageAfterTheNetworkProcess() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                await killNetworkProcess()
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedIn)
                await browser.loaded(2)
                #expect(await world.text(browser) == "signed in")
                #expect(world.loginCount == 1 && world.refreshCount == 0)
            }
        }

        @Test("C5: after the network process was killed, the engine tells of no change any more")
        func theObserverDiesWithTheNetworkProcess() async throws {
            let browser = Browser()
            let changes = Counter()
            browser.surface.connect { if case .cookiesChanged = $0 { changes.add() } }
            browser.surface.observeCookies()
            await browser.set(.local("a", "1"))
            await eventually("a change is heard of") { changes.count > 0 }
            await killNetworkProcess()
            #expect(await browser.pairs().isEmpty)
            changes.reset()
            await browser.set(.local("a", "2"))
            let isHeard = await isTrue(within: .milliseconds(500)) { changes.count > 0 }
            browser.surface.observeCookies()
            await browser.set(.local("a", "3"))
            let isMended = await isTrue(within: .milliseconds(500)) { changes.count > 0 }
            seen(
                "C5",
                "changes after the network process was killed: \(isHeard ? "told" : "not told"); "
                    + "after registering again: \(isMended ? "told" : "not told")")
            #expect(await browser.pairs() == ["a=3"])
        }

        @Test("S11: the web view is made anew with an empty store: the session is back without a login")
        func theWebViewIsMadeAnew() async throws {
            try await World.with { world in
                do {
                    let browser = Browser()
                    let bridge = world.bridge(browser)
                    try await bridge.open(world.site.url("/app"))
                    await browser.loaded(1)
                    bridge.close()
                }
                let browser = Browser()
                #expect(await browser.pairs().isEmpty)
                let bridge = world.bridge(browser)
                #expect(try await bridge.open(world.site.url("/app")) == .signedIn)
                await browser.loaded(1)
                #expect(await world.text(browser) == "signed in")
                #expect(world.loginCount == 1 && world.refreshCount == 0)
            }
        }

        @Test("S17: a neighbour clears the shared store under a page that stands there: the cookies are put back")
        func aNeighbourClearsTheSharedStore() async throws {
            try await World.with { world in
                let browser = Browser()
                let neighbour = Browser(browser.store)
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let token = try #require(await world.access(browser))
                for _ in 1...3 {
                    await withCheckedContinuation { continuation in
                        neighbour.store.clear { continuation.resume() }
                    }
                    await eventually("they are back") { await world.access(browser) == token }
                }
                #expect(try await browser.script("return await me()")["first"]?.int64 == 200)
                #expect(world.loginCount == 1 && world.refreshCount == 0)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S17: private stores see nothing of each other")
        func privateStoresAreApart() async throws {
            try await Site.serving { site in
                let (one, other) = (Browser(), Browser())
                await one.set(.local("mine", "1"))
                await other.visit(site.url("/other"))
                await one.visit(site.url("/one"))
                #expect(site.requests("/one").map(\.cookie) == ["mine=1"])
                #expect(site.requests("/other").map(\.cookie) == [nil])
                #expect(await other.pairs().isEmpty)
                await withCheckedContinuation { continuation in other.store.clear { continuation.resume() } }
                #expect(await one.pairs() == ["mine=1"])
            }
        }
    }
}

import Cookies
import Foundation
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// The app refreshes, and the web view gets what comes of it.
extension OnWebKit {
    @GLibActor @Suite("Native-owned refresh") struct Refresh {
        @Test("S15: a page that was refused asks, the app refreshes once, and the page is let in")
        func refreshesOnceForAPageThatAsks() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser, through: HesitantSurface(surface: browser.surface))
                #expect(try await bridge.open(world.site.url("/app")) == .signedIn)
                await browser.loaded(1)
                #expect(await world.text(browser) == "signed in")
                let old = await world.access(browser)
                world.expireAccessToken()

                // Three at once: each of them was refused, each of them asks.
                let answers = try await browser.script("return await Promise.all([me(), me(), me()])").array ?? []
                #expect(answers.map { $0["first"]?.int64 } == [401, 401, 401])
                #expect(answers.map { $0["state"]?["status"]?.string } == Array(repeating: "signed_in", count: 3))
                // The cookies were there before the answer was: none of the next requests went out with the old ones.
                #expect(answers.map { $0["second"]?.int64 } == [200, 200, 200])
                #expect(world.refreshCount == 1)
                #expect(world.loginCount == 1)

                let new = await world.access(browser)
                #expect(old != nil && new != nil && new != old)
                let sent = world.site.requests("/api/me").map { $0.cookies[world.accessName] }
                #expect(Set(sent.prefix(3)) == [old] && Set(sent.suffix(3)) == [new])
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S15: navigation waits for a refresh that is due")
        func navigationWaits() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                world.passAccessTokenLifetime()
                world.transport.hold()
                let opening = Task { try await bridge.open(world.site.url("/app")) }
                await eventually("the app refreshes") { world.transport.isHeld }
                #expect(browser.loads.isEmpty && world.site.requests.isEmpty)
                world.transport.release()
                let state = try await opening.value
                #expect(state == .signedIn)
                await browser.loaded(1)
                #expect(await world.text(browser) == "signed in")
                #expect(world.refreshCount == 1)
            }
        }

        @Test("S16: no page, header, cookie store or file of the web view ever holds the refresh token")
        func theRefreshTokenStaysAway() async throws {
            let directory = try TemporaryDirectory()
            try await World.with { world in
                let browser = Browser(WebKitStore(.directory(directory.path), clock: SystemWallClock()))
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                for round in 1...3 {
                    world.expireAccessToken()
                    #expect(try await browser.script("return await me()")["second"]?.int64 == 200)
                    // Where the cookie of the refresh token would go by its path, if it were here.
                    try await browser.script("await fetch('/session/refresh', {method: 'POST'})")
                    #expect(world.refreshCount == round)
                }
                let tokens = world.transport.refreshTokens
                #expect(tokens.count == 4)
                let scripts = try await browser.script("return document.cookie").string ?? ""
                let stored = await browser.cookies()
                let sent = world.site.requests.compactMap(\.cookie)
                #expect(sent.count > 6)
                #expect(!stored.contains { $0.name == world.refreshName })
                for token in tokens {
                    #expect(!stored.contains { $0.value.contains(token) })
                    #expect(!sent.contains { $0.contains(token) })
                    #expect(!scripts.contains(token))
                    #expect(!directory.bytes.contains(Data(token.utf8)))
                }
                // It is looked for in the right places: the access token is in each of them but the scripts'.
                let access = try #require(await world.access(browser))
                #expect(sent.contains { $0.contains(access) } && !scripts.contains(access))
                await eventually("the file has the access token") { directory.bytes.contains(Data(access.utf8)) }
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S16: a refresh token that the web view was given by somebody else is taken out")
        func aRefreshTokenFromElsewhereIsTakenOut() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                await browser.set(.local(world.refreshName, "smuggled", isHTTPOnly: true, path: "/session"))
                await eventually("it is gone") { await !browser.cookies().contains { $0.name == world.refreshName } }
                #expect(await world.access(browser) != nil)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("C8: a page that is replaced in the middle of a refresh leaves its result to the next")
        func theNextPageGetsTheResult() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                world.expireAccessToken()
                world.transport.hold()
                try await browser.script("me(); return null")
                await eventually("the app refreshes") { world.transport.isHeld }
                await browser.visit(world.site.url("/app?next"))
                world.transport.release()
                #expect(try await browser.script("return await me()")["second"]?.int64 ?? 200 == 200)
                #expect(try await browser.script("return await me()")["first"]?.int64 == 200)
                #expect(world.refreshCount == 1 && world.loginCount == 1)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("C10: a late answer of the site does not keep an old cookie over the new one")
        func aLateAnswerIsUndone() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let old = try #require(await world.access(browser))
                world.expireAccessToken()
                #expect(try await browser.script("return await me()")["second"]?.int64 == 200)
                let new = try #require(await world.access(browser))
                await browser.set(.local(world.accessName, old, isHTTPOnly: true))
                await eventually("the new one is back") { await world.access(browser) == new }
                #expect(try await browser.script("return await me()")["first"]?.int64 == 200)
                #expect(world.refreshCount == 1)
                withExtendedLifetime(bridge) {}
            }
        }
    }
}

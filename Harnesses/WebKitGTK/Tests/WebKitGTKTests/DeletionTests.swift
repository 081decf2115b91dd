import Cookies
import IdentityProviderTesting
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// What is gone stays gone.
extension OnWebKit {
    @GLibActor @Suite("Deletions") struct Deletions {
        @Test("S14: a cookie that a site takes away is told of as a change, and as a deletion to whoever compares")
        func aSiteTakesOneAway() async throws {
            let answer: Site.Handler = { request in
                request.path == "/bye" ? Site.Answer(setCookies: ["gone=; Max-Age=0"]) : .page()
            }
            try await Site.serving(answer) { site in
                let browser = Browser()
                let changes = Counter()
                browser.surface.connect { if case .cookiesChanged = $0 { changes.add() } }
                browser.surface.observeCookies()
                await browser.set(.local("gone", "1", isHTTPOnly: true), .local("kept", "1"))
                let before = await browser.cookies()
                await eventually("the writes are heard of") { changes.count >= 2 }
                changes.reset()
                await browser.visit(site.url("/bye"))
                await eventually("the deletion is heard of") { changes.count > 0 }
                let deletions = CookieChange.changes(from: before, to: await browser.cookies())
                #expect(deletions == [.expire(Cookie.Identity(name: "gone", domain: "127.0.0.1"))])
            }
        }

        @Test("S14: a deletion of the app takes away the cookie that it names, and none beside it")
        func theAppTakesOneAway() async throws {
            let browser = Browser()
            await browser.set(.local("a", "1"), .local("a", "2", path: "/x"), .local("ab", "3"))
            await browser.apply([.expire(Cookie.Identity(name: "a", domain: "127.0.0.1"))])
            #expect(await browser.cookies().map(\.value) == ["2", "3"])
        }

        @Test("S22, C4: after a sign-out no way back brings the cookies back")
        func nothingComesBack() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let old = try #require(await world.access(browser))
                try await world.session.signOut()
                await eventually("the cookies go") { await world.access(browser) == nil }

                // The page that still stands there.
                #expect(try await browser.script("return await me()")["state"]?["status"]?.string == "signed_out")
                // Other code of the app, which has a copy.
                await browser.set(.local(world.accessName, old, isHTTPOnly: true))
                await eventually("the copy goes") { await world.access(browser) == nil }
                // Another page, the end of the process, and a view of its own.
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedOut)
                await browser.loaded(2)
                EngineProcess.content.kill()
                await browser.loaded(3)
                #expect(await world.text(browser) == "signed out")
                let other = Browser()
                let next = world.bridge(other)
                #expect(try await next.open(world.site.url("/app?3")) == .signedOut)
                await other.loaded(1)
                #expect(await world.text(other) == "signed out")

                #expect(await world.access(browser) == nil)
                #expect(await world.access(other) == nil)
                #expect(world.site.requests("/api/me").last?.cookie == nil)
                #expect(world.refreshCount == 0)
            }
        }

        @Test("S22: a refresh that a page waited for does not bring back who signed out meanwhile")
        func aLateRefreshBringsNobodyBack() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                world.expireAccessToken()
                world.transport.hold()
                try await browser.script("window.asked = me(); return null")
                await eventually("the app refreshes") { world.transport.isHeld }
                let signOut = Task { try await world.session.signOut() }
                await eventually("the cookies go") { await world.access(browser) == nil }
                world.transport.release()
                try await signOut.value
                let answer = try await browser.script("return await window.asked")
                #expect(answer["state"]?["status"]?.string == "signed_out")
                #expect(answer["second"]?.int64 == 401)
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedOut)
                #expect(await world.access(browser) == nil)
            }
        }

        @Test("S22: the provider ends the session: the page is told, and the cookies go")
        func theProviderEndsIt() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                for session in try await world.idp.sessions() { _ = try await world.idp.endSession(session.id) }
                let answer = try await browser.script("return await me()")
                #expect(answer["state"]?["status"]?.string == "signed_out")
                #expect(await world.access(browser) == nil)
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedOut)
            }
        }
    }
}

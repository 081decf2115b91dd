import Cookies
import Foundation
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// What is there after the app has ended and was started again, in processes of their own.
extension OnWebKit {
    @GLibActor @Suite("Across launches") struct Persistence {
        private nonisolated static let fields = [
            "short=1; HttpOnly", "long=2; Max-Age=3600; HttpOnly; SameSite=Strict", "script=3; Max-Age=3600",
        ]
        private nonisolated static let answer: Site.Handler = { request in
            request.path == "/set" ? Site.Answer(setCookies: fields) : .page()
        }

        @Test("S4, S26: what expires is there after a restart with its attributes, a session cookie is not")
        func restarts() async throws {
            let directory = try TemporaryDirectory()
            try await Site.serving(Self.answer) { site in
                let first = try Program.app(directory.path, "visit", site.url("/set"))
                #expect(
                    await first.cookies() == [
                        "long=2 persistent - HttpOnly strict", "script=3 persistent - - none",
                        "short=1 session - HttpOnly none",
                    ])
                await first.ended()
                let second = try Program.app(directory.path, "visit", site.url("/again"))
                #expect(
                    await second.cookies() == [
                        "long=2 persistent - HttpOnly strict", "script=3 persistent - - none",
                    ])
                await second.ended()
                #expect(site.requests("/again").first?.cookies == ["long": "2", "script": "3"])
            }
        }

        @Test("S4, C7: the app is killed: session cookies are gone, what expires was on the disk already")
        func kills() async throws {
            let directory = try TemporaryDirectory()
            try await Site.serving(Self.answer) { site in
                let first = try Program.app(directory.path, "visit", site.url("/set"), "stay")
                #expect(await first.cookies().count == 3)
                await first.kill()
                let second = try Program.app(directory.path)
                let cookies = await second.cookies()
                await second.ended()
                seen("S4", "after the app was killed at once the store has: \(cookies.joined(separator: ", "))")
                #expect(!cookies.contains { $0.hasPrefix("short=") })
            }
        }

        @Test("S9, C3: whether the first answer of the store after a start is the whole one")
        func readsEarly() async throws {
            let directory = try TemporaryDirectory()
            try await Site.serving(Self.answer) { site in
                let first = try Program.app(directory.path, "visit", site.url("/set"))
                _ = await first.cookies()
                await first.ended()
                var emptyCount = 0
                for _ in 1...3 {
                    let next = try Program.app(directory.path)
                    if await next.cookies().isEmpty { emptyCount += 1 }
                    await next.ended()
                }
                seen("S9", "\(emptyCount) of 3 first answers after a start were empty, over a store that was not")
                let last = try Program.app(directory.path, "visit", site.url("/"))
                #expect(await last.cookies().count == 2)
            }
        }

        @Test(
            "S9, C3, S26: without its network process the store says that it is empty; it is not, but for the session cookies"
        )
        func networkProcess() async throws {
            let directory = try TemporaryDirectory()
            let browser = Browser(WebKitStore(.directory(directory.path), clock: SystemWallClock()))
            await browser.set(.local("short", "1"), .local("long", "2", expiresIn: .seconds(3600)))
            await killNetworkProcess()
            let first = await browser.pairsAtOnce()
            seen("S9", "a store without its network process says that it has \(first.isEmpty ? "nothing" : "\(first)")")
            #expect(await browser.pairs() == ["long=2"])
        }

        @Test("S22, S9: who signs out while the network process is dead stays signed out, also by what is on the disk")
        func signOutWithoutNetworkProcess() async throws {
            let directory = try TemporaryDirectory()
            try await World.with { world in
                let browser = Browser(WebKitStore(.directory(directory.path), clock: SystemWallClock()))
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let old = try #require(await world.access(browser))
                await eventually("it is on the disk") { directory.bytes.contains(Data(old.utf8)) }
                await killNetworkProcess()
                try await world.session.signOut()
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedOut)
                await browser.loaded(2)
                #expect(world.site.requests("/app").last?.cookie == nil)
                #expect(await world.access(browser) == nil)
            }
        }

        @Test("S26: who deletes the app deletes its cookies")
        func deletingTheApp() async throws {
            let directory = try TemporaryDirectory()
            try await Site.serving(Self.answer) { site in
                let first = try Program.app(directory.path, "visit", site.url("/set"))
                _ = await first.cookies()
                await first.ended()
                for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
                    try FileManager.default.removeItem(atPath: directory.path + "/" + name)
                }
                let second = try Program.app(directory.path)
                #expect(await second.cookies().isEmpty)
                await second.ended()
            }
        }

        @Test("S12, C7: the app is started again: the session is back from the native side, with an empty web store")
        func theNativeSideBringsItBack() async throws {
            try await World.with { world in
                let directory = try TemporaryDirectory()
                let browser = Browser(WebKitStore(.directory(directory.path), clock: SystemWallClock()))
                #expect(await browser.pairs().isEmpty)
                let bridge = world.bridge(browser)
                #expect(try await bridge.open(world.site.url("/app")) == .signedIn)
                await browser.loaded(1)
                #expect(await world.text(browser) == "signed in")
                #expect(world.loginCount == 1 && world.refreshCount == 0)
            }
        }
    }
}

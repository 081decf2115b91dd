import Cookies
import IdentityProviderTesting
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// Two clients of one login, and what the bridge makes of them.
extension OnWebKit {
    @GLibActor @Suite("The race") struct Race {
        @Test(
            "S10: with a copy of all cookies the page refreshes too: the app comes second, and everybody is signed out")
        func copiesSpendTheTokenTwice() async throws {
            try await World.with { world in
                var client = TestClient.publicApp(World.client, redirectURI: "http://127.0.0.1/callback")
                client.cookieSession = TestCookieSession(origins: [world.site.origin])
                try await world.idp.clients.add(client)
                let token = try #require(world.transport.refreshTokens.first)
                let before = try await world.session.accessToken()
                let browser = Browser()
                await browser.set(
                    .local(world.refreshName, token, isHTTPOnly: true, sameSite: .strict, path: "/session"))
                await browser.visit(world.site.url("/app"))
                let refresh = """
                    const answer = await fetch("\(world.idp.url("/session/refresh"))", {method: "POST", credentials: "include"});
                    return answer.status;
                    """
                #expect(try await browser.script(refresh).int64 == 200)
                let afterwards = await #expect(throws: SessionError.self) {
                    _ = try await world.session.accessToken(replacing: before)
                }
                guard case .signedOut? = afterwards else {
                    Issue.record("the app is not signed out: \(String(describing: afterwards))")
                    return
                }
                #expect(try await browser.script(refresh).int64 != 200)
                #expect(try await world.idp.sessions().allSatisfy(\.hasEnded))
            }
        }

        @Test("S10: with the bridge page and app refresh at the same time, over and over: nobody is signed out")
        func theBridgeRefreshesOnceForBoth() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                for round in 1...10 {
                    let before = try await world.session.accessToken()
                    world.expireAccessToken()
                    let session = world.session
                    let native = Task { try await session.accessToken(replacing: before) }
                    let answer = try await browser.script("return await me()")
                    _ = try await native.value
                    #expect(answer["second"]?.int64 ?? answer["first"]?.int64 == 200)
                    #expect(world.refreshCount == round)
                }
                #expect(world.loginCount == 1)
                #expect(try await world.idp.sessions().allSatisfy { !$0.hasEnded })
                withExtendedLifetime(bridge) {}
            }
        }
    }
}

import Foundation
import HTTPMessages
import Primitives
import TestSupport
import Testing

/// The proxy and a real browser: what its rules about cookies, origins and redirects make of it.
@Suite(.enabled(if: Browser.isExpected, Comment(rawValue: Browser.missing)))
struct ProxyBrowserTests {
    private static func page(_ title: String) -> ServerResponse {
        let html = "<!doctype html><title>\(title)</title><link rel=icon href='data:,'><p>\(title)"
        return ServerResponse(
            status: .ok, headerFields: [.contentType: "text/html"], body: .bytes(Array(html.utf8)))
    }

    @Test func aPageHasASessionAndNothingToLose() async throws {
        let upstream = try await RecordingUpstream { _ in Self.page("shop") }
        let stranger = try await RecordingUpstream { _ in Self.page("stranger") }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(before: upstream.url, signingInAt: provider)
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(proxy.publicURL + "/orders?page=2")
            #expect(try await browser.url == proxy.publicURL + "/orders?page=2")
            #expect(try await browser.title == "shop")
            let seen = try await browser.run(
                """
                return (async () => {
                const status = async (path, method) => (await fetch(path, {method})).status;
                const all = await Promise.all(Array.from({length: 30}, (_, n) => status('/item/' + n, 'GET')));
                const who = await (await fetch('/_session')).json();
                return [all.every(one => one === 200), await status('/item', 'PUT'), who.sub, document.cookie,
                    localStorage.length];
                })();
                """)
            #expect(seen == [true, 200, "alice", "", 0])
            // Another port of this machine is the same site, and its pages bring the cookie along.
            try await browser.open(stranger.url + "/")
            let before = upstream.requests.count
            let blind = try await browser.run(
                """
                return (async () => {
                const send = (path, method) => fetch(arguments[0] + path,
                    {method, credentials: 'include', mode: 'no-cors', body: method === 'POST' ? 'x' : undefined})
                    .then(answer => answer.type, error => error.name);
                return [await send('/pay', 'POST'), await send('/orders', 'GET'), await send('/_session/logout', 'POST')];
                })();
                """, [.string(proxy.publicURL)])
            #expect(blind == ["opaque", "opaque", "opaque"])
            #expect(upstream.requests.count == before)
            // Who comes back by a link is signed in, and signs out for good.
            try await browser.open(proxy.publicURL + "/orders")
            #expect(try await browser.title == "shop")
            let out = try await browser.run(
                """
                return (async () => {
                const answer = await fetch('/_session/logout', {method: 'POST'});
                return [(await answer.json()).ended, (await fetch('/orders')).status];
                })();
                """)
            #expect(out == [1, 401])
        }
        await stranger.stop()
        await upstream.stop()
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// The cookie that is Strict stays behind on the way back from the provider, and comes along from a page of its own.
    @Test func aStrictSessionDoesNotGoRoundInCircles() async throws {
        let upstream = try await RecordingUpstream { _ in Self.page("shop") }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(before: upstream.url, signingInAt: provider, ["--same-site", "strict"])
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(proxy.publicURL + "/a?b=c")
            try await browser.wait { try await browser.title == "shop" }
            #expect(try await browser.url == proxy.publicURL + "/a?b=c")
        }
        await upstream.stop()
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }
}

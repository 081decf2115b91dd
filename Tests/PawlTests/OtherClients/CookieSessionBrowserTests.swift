import Foundation
import Primitives
import TestSupport
import Testing

/// Sessions in the cookies of a real browser: what its pages may do, those of another origin, and those of another site.
@Suite(.enabled(if: Browser.isExpected, Comment(rawValue: Browser.missing)))
struct CookieSessionBrowserTests {
    /// A request of the page's own script; gives the status and whose session it is, or why nothing came back.
    private static let send = """
        const send = async (url, method, form) => {
            try {
                const answer = await fetch(url, {method, credentials: 'include',
                    body: form ? new URLSearchParams(form) : undefined});
                const body = await answer.json();
                return [answer.status, body.username || body.ended || body.error];
            } catch (error) { return ['refused', error.name]; }
        };
        """

    /// As `fetch` without CORS: sent with cookies as a form of the page would be, and not to be read.
    private static let blind = """
        const blind = (url, method) => fetch(url, {method, credentials: 'include', mode: 'no-cors',
            body: method === 'POST' ? new URLSearchParams({client_id: 'app'}) : undefined})
            .then(answer => answer.type, error => error.name);
        """

    private func run(_ browser: Browser, _ body: String, _ arguments: [JSON] = []) async throws -> JSON {
        try await browser.run("return (async () => { \(Self.send) \(Self.blind) \(body) })();", arguments)
    }

    private func add(_ client: String, _ session: String, to server: Server) async throws {
        let body = """
            {"redirect_uris":["http://127.0.0.1/cb"],"grant_types":["authorization_code","refresh_token"],
             "cookie_session":\(session)}
            """
        let made = try await server.curl(
            "/_pawl/clients/\(client)", ["-X", "PUT", "-H", "Content-Type: application/json", "-d", body])
        #expect(made.status == 201, "\(made.body)")
    }

    @Test func aPageOfTheProvidersOwnHasASessionThatItCannotRead() async throws {
        let provider = try await Server()
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(provider.url + "/health")
            let seen = try await run(
                browser,
                """
                const steps = [await send('/session', 'POST', {client_id: 'web', username: 'bob', password: 'bob'})];
                steps.push(document.cookie);
                steps.push(await send('/session', 'GET'));
                steps.push(await send('/session/refresh', 'POST'));
                steps.push(await send('/session', 'GET'));
                steps.push(await send('/session', 'DELETE'));
                steps.push(await send('/session', 'GET'));
                steps.push(document.cookie);
                return steps;
                """)
            #expect(
                seen == [
                    [200, "bob"], "", [200, "bob"], [200, "bob"], [200, "bob"], [200, "session"],
                    [401, "no_session"], "",
                ])
        }
        #expect(await provider.stop() == 0)
    }

    /// The same site, so that the browser sends `Strict` cookies too: the origin decides.
    @Test func anotherOriginOfThisMachineNeedsToBeListed() async throws {
        let provider = try await Server()
        let application = try await Server()
        try await add("app", #"{"origins":["\#(application.url)"]}"#, to: provider)
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(application.url + "/health")
            let seen = try await run(
                browser,
                """
                const at = arguments[0] + '/session';
                const form = name => ({client_id: name, username: 'bob', password: 'bob'});
                return [await send(at, 'POST', form('web')), await send(at, 'POST', form('app')),
                    await send(at, 'GET'), await send(at + '/refresh', 'POST'), await send(at, 'GET'),
                    await send(at, 'DELETE'), await send(at, 'GET')];
                """, [.string(provider.url)])
            #expect(
                seen == [
                    ["refused", "TypeError"], [200, "bob"], [200, "bob"], [200, "bob"], [200, "bob"], [200, "session"],
                    [401, "no_session"],
                ])
        }
        #expect(await provider.stop() == 0)
        #expect(await application.stop() == 0)
    }

    /// Another site sends what it likes, with the cookies that `SameSite=None` gives it, and changes nothing.
    @Test func anotherSiteChangesNothing() async throws {
        let provider = try await Server()
        let evil = try await Server()
        // `localhost` and `127.0.0.1` are two sites.
        let evilURL = evil.url.replacing("127.0.0.1", with: "localhost")
        try await add(
            "app", #"{"access_cookie":{"same_site":"None"},"refresh_cookie":{"same_site":"None"}}"#, to: provider)
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(provider.url + "/health")
            let begun = try await run(
                browser, "return await send('/session', 'POST', {client_id: 'app', username: 'bob', password: 'bob'});")
            #expect(begun == [200, "bob"])
            try await browser.open(evilURL + "/health")
            let tried = try await run(
                browser,
                """
                const at = arguments[0] + '/session';
                return [await blind(at, 'POST'), await blind(at + '/refresh', 'POST'), await blind(at + '/fork', 'POST'),
                    await send(at, 'GET'), await send(at + '/refresh', 'POST'), await send(at, 'DELETE')];
                """, [.string(provider.url)])
            #expect(
                tried == [
                    "opaque", "opaque", "opaque", ["refused", "TypeError"], ["refused", "TypeError"],
                    ["refused", "TypeError"],
                ])
            try await browser.open(provider.url + "/health")
            let after = try await run(
                browser, "return [await send('/session', 'GET'), await send('/session/refresh', 'POST')];")
            #expect(after == [[200, "bob"], [200, "bob"]])
        }
        // What came with cookies was refused for where it came from, and never judged.
        let requests = try await provider.curl("/_pawl/requests?path=/session/refresh").object()
        let list = try #require(requests["requests"] as? [[String: Any]])
        #expect(list.compactMap { $0["status"] as? Int } == [403, 403, 200])
        #expect(await provider.stop() == 0)
        #expect(await evil.stop() == 0)
    }
}

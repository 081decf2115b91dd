import HTTPMessages
import Primitives
import SessionProxy
import Testing

/// What becomes of a request on its way to the upstream.
@Suite struct ForwardingTests {
    private func sent(
        _ more: HTTPFields = [:], path: String = "/a/b?c=d", upstream: String = "http://127.0.0.1:3000",
        cookies: [String: String] = [:]
    ) async throws -> HTTPRequest {
        let world = try World(upstream: upstream)
        let browser = try await world.signedIn()
        browser.cookies.merge(cookies) { $1 }
        #expect(await browser.get(path, HTTPFields(Array(Browser.script) + Array(more))).status == 200)
        return try #require(world.shop.requests.first)
    }

    @Test func asksTheUpstreamWithTheTokenOfTheSession() async throws {
        let request = try await sent()
        #expect(request.method == .get && request.path == "/a/b?c=d")
        #expect(request.scheme == "http" && request.authority == "127.0.0.1:3000")
        #expect(request.headerFields[values: .authorization] == ["Bearer access-token-2"])
        #expect(try await sent(upstream: "http://127.0.0.1:3000/base/").path == "/base/a/b?c=d")
    }

    @Test func whatTheBrowserSaysOfWhoItIsCountsForNothing() async throws {
        let request = try await sent([.authorization: "Basic eDp5", .dpop: "proof"])
        #expect(request.headerFields[values: .authorization] == ["Bearer access-token-2"])
        #expect(request.headerFields[.dpop] == nil)
    }

    @Test func theUpstreamGetsTheCookiesOfOthersAlone() async throws {
        let request = try await sent(cookies: [
            "theme": "dark", "__Host-pawl_session_login_x": "t", "__host-PAWL_session_out": "1",
        ])
        #expect(request.headerFields[values: .cookie] == ["theme=dark"])
        #expect(try await sent().headerFields[.cookie] == nil)
    }

    /// RFC 9110 section 7.6.1.
    @Test func whatIsAboutOneConnectionStaysThere() async throws {
        let names = [
            "Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "Proxy-Connection",
            "Proxy-Authorization", "X-Hop", "X-Other-Hop", "Expect",
        ]
        var fields: HTTPFields = [:]
        for name in names { fields.append(name: HTTPField.Name(name)!, value: "x") }
        fields[.connection] = "X-Hop, close,\tx-other-hop , Authorization"
        fields.append(name: HTTPField.Name("X-Kept")!, value: "yes")
        let request = try await sent(fields)
        for name in names { #expect(!request.headerFields.contains(HTTPField.Name(name)!), "\(name)") }
        #expect(request.headerFields[HTTPField.Name("X-Kept")!] == "yes")
        // Naming it takes nothing away that the proxy adds.
        #expect(request.headerFields.contains(.authorization))
    }

    @Test func theProxyAloneSaysWhereARequestComesFrom() async throws {
        let lies: HTTPFields = [
            .xForwardedFor: "203.0.113.9", .xForwardedProto: "http",
            HTTPField.Name("X-Forwarded-Host")!: "evil.example",
            HTTPField.Name("X_Forwarded_User")!: "root", HTTPField.Name("X_Request_Id")!: "1",
            HTTPField.Name("X-Forwarded-User")!: "root", HTTPField.Name("Forwarded")!: "for=evil",
            HTTPField.Name("X-Real-IP")!: "203.0.113.9", .xRequestID: "theirs", .host: "evil.example",
        ]
        let fields = try await sent(lies).headerFields
        #expect(fields[values: .xForwardedFor] == ["192.0.2.7"] && fields[values: .xForwardedProto] == ["https"])
        #expect(fields[values: HTTPField.Name("X-Forwarded-Host")!] == ["app.example"])
        #expect(fields[values: HTTPField.Name("Forwarded")!] == ["for=192.0.2.7;host=\"app.example\";proto=https"])
        #expect(fields[values: .xRequestID] == ["request-1"])
        for name in ["X-Forwarded-User", "X_Forwarded_User", "X_Request_Id", "X-Real-IP", "Host"] {
            #expect(!fields.contains(HTTPField.Name(name)!))
        }
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, .options])
    func everyMethodGoesOnWithItsContent(method: HTTPRequest.Method) async throws {
        let world = try World()
        let browser = try await world.signedIn()
        let fields = HTTPFields(Array(Browser.script) + [HTTPField(name: .origin, value: World.origin)])
        #expect(await browser.send(method, "/x", fields, body: [1, 2, 3]).status == 200)
        #expect(world.shop.requests[0].method == method && world.shop.bodies == [[1, 2, 3]])
    }

    // MARK: Refusals

    /// RFC 9110 section 9.3.8: an echo would have the token in it.
    @Test(arguments: [HTTPRequest.Method("TRACE")!, HTTPRequest.Method.connect])
    func asksForNoEchoAndNoTunnel(method: HTTPRequest.Method) async throws {
        let world = try World()
        let browser = try await world.signedIn()
        #expect(await browser.send(method, "/x").status == 405)
        #expect(world.shop.requests.isEmpty)
    }

    @Test(arguments: [
        "/../admin", "/a/../../b", "/%2e%2e/admin", "/.%2E/x", "/a/%2e%2e%2fadmin", "/a%2f..%2f..%2fb", "/a\\..\\..\\b",
        "/%252e%252e/x", "*", "", "a", "//evil",
    ])
    func noPathLeavesTheUpstreams(_ path: String) async throws {
        let world = try World(upstream: "http://127.0.0.1:3000/base")
        let browser = try await world.signedIn()
        #expect(await browser.get(path).status == 400)
        #expect(world.shop.requests.isEmpty)
    }

    @Test func contentIsBounded() async throws {
        let world = try World { $0.limits.bodyBytes = 4 }
        let browser = try await world.signedIn()
        #expect(await browser.post("/x", body: [1, 2, 3, 4]).status == 200)
        #expect(await browser.post("/x", body: [1, 2, 3, 4, 5]).status == 413)
        #expect(world.shop.requests.count == 1)
    }

    @Test func webSocketsAreRefusedAndOtherUpgradesPassedOver() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        for value in ["websocket", "WebSocket", "h2c, websocket"] {
            let answer = await browser.get(
                "/x", [.upgrade: value, .connection: "Upgrade", .secFetchSite: "same-origin"])
            #expect(answer.status == 501 && answer.error == "no_web_sockets")
        }
        #expect(await browser.get("/x", [.upgrade: "h2c", .connection: "Upgrade"]).status == 200)
        #expect(world.shop.requests.count == 1)
    }

    @Test(
        arguments: zip(
            OutboundFailure.allCases, [400, 400, 503, 502, 502, 504, 502, 502, 503] as [Int]))
    func anUpstreamThatDoesNotAnswerIsNotTheSession(_ failure: OutboundFailure, status: Int) async throws {
        let world = try World()
        let browser = try await world.signedIn()
        world.shop.fails(with: failure)
        #expect(await browser.get("/x").status == status)
        world.shop.fails(with: nil)
        #expect(await browser.get("/x").status == 200)
        #expect(world.desk.with { $0.refreshes } == 0)
    }

    @Test func whatIsBelowItsOwnPathIsNotTheUpstreams() async throws {
        let world = try World()
        let browser = try await world.signedIn()
        for path in ["/_session/", "/_session/other", "/_session/login/x", "/_session/handover"] {
            #expect(await browser.get(path).status == 404 || path == "/_session/handover")
        }
        #expect(await browser.post("/_session/handover").status == 404)
        #expect(world.shop.requests.isEmpty)
        #expect(await browser.get("/_sessions").status == 200)
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/_session"), (.post, "/_session/login"), (.post, "/_session/callback"),
        (.get, "/_session/logout"), (.delete, "/_session"), (.post, "/_session/health"),
    ])
    func refusesAMethodThatMeansNothingThere(method: HTTPRequest.Method, path: String) async throws {
        let fields = HTTPFields(Array(Browser.script) + [HTTPField(name: .origin, value: World.origin)])
        let answer = await (try World()).browser().send(method, path, fields)
        #expect(answer.status == 405 && answer["Allow"] != nil)
    }
}

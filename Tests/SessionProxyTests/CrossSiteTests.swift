import HTTPMessages
import SessionProxy
import Testing

/// Who may have a browser send something with its session.
@Suite struct CrossSiteTests {
    let world: World

    init() throws { world = try World() }

    private func fields(_ origin: String?, _ site: String?, mode: String? = "cors") -> HTTPFields {
        var fields: HTTPFields = [:]
        fields[.origin] = origin
        fields[.secFetchSite] = site
        fields[.secFetchMode] = mode
        return fields
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete, HTTPRequest.Method("PROPFIND")!])
    func whatChangesSomethingComesFromAPageOfThisOrigin(method: HTTPRequest.Method) async throws {
        let browser = try await world.signedIn()
        let own = [
            fields(World.origin, "same-origin"), fields(World.origin, nil), fields(nil, "same-origin"),
            // Of a page that asks for `Referrer-Policy: no-referrer`.
            fields("null", "same-origin"),
        ]
        for fields in own { #expect(await browser.send(method, "/x", fields).status == 200) }
        let others = [
            fields("https://evil.example", "cross-site"), fields("https://evil.example", nil), fields("null", nil),
            fields("null", "cross-site"), fields("null", "same-site"), fields("null", "none"),
            fields("https://other.app.example", "same-site"), fields("http://app.example", nil),
            fields("https://app.example:8443", nil), fields("https://APP.example", nil),
            fields(nil, "cross-site"), fields(nil, "same-site"), fields(nil, "none"), fields(nil, nil),
            fields(World.origin, "cross-site"), fields(World.origin, "same-site"), fields("", nil),
            fields("https://app.example.evil.example", nil), fields("https://app.example, https://evil.example", nil),
        ]
        for fields in others {
            let answer = await browser.send(method, "/x", fields)
            #expect(answer.status == 403 && answer.error == "cross_site_request", "\(fields)")
        }
        #expect(world.shop.requests.count == own.count)
    }

    @Test func aLinkOfAnotherSiteLeadsHereAndAFrameDoesNot() async throws {
        let browser = try await world.signedIn()
        #expect(await browser.get("/x", Browser.link).status == 200)
        for (mode, destination) in [
            ("navigate", "iframe"), ("no-cors", "script"), ("no-cors", "image"), ("cors", "empty"),
        ] {
            for site in ["cross-site", "same-site"] {
                let fields: HTTPFields = [.secFetchSite: site, .secFetchMode: mode, .secFetchDest: destination]
                #expect(await browser.get("/x", fields).status == 403)
            }
        }
        #expect(world.shop.requests.count == 1)
    }

    @Test func nobodyElsesPageIsToldWhoIsSignedIn() async throws {
        let browser = try await world.signedIn()
        #expect(await browser.get("/_session", fields("https://evil.example", "cross-site")).status == 403)
        #expect(await browser.get("/_session", fields(nil, "same-site")).status == 403)
    }

    /// The Fetch standard, section 4.8: a browser that asks ahead gets no permission.
    @Test func givesNoPageOfAnotherOriginPermission() async throws {
        let browser = try await world.signedIn()
        let answer = await browser.send(.options, "/x", fields("https://evil.example", "cross-site"))
        #expect(answer.status == 403 && answer["Access-Control-Allow-Origin"] == nil)
    }

    /// Whoever can give this machine a name of his own (DNS rebinding) gets nothing under it.
    @Test(arguments: ["evil.example", "app.example:8443", "app.example.evil.example", "127.0.0.1", ""])
    func answersUnderItsOwnNameAlone(_ authority: String) async throws {
        let browser = try await world.signedIn()
        let answer = await browser.send(.get, "/x", Browser.visit, authority: authority)
        #expect(answer.status == 421 && answer.location == nil)
        #expect(world.shop.requests.isEmpty)
    }

    @Test func anotherNameOfThisMachineLeadsToTheOneThatCookiesKnow() async throws {
        let world = try World(origin: "http://127.0.0.1:8090")
        let answer = await world.browser().send(.get, "/a?b=c", Browser.visit, authority: "localhost:8090")
        #expect(answer.status == 303 && answer.location == "http://127.0.0.1:8090/a?b=c")
        #expect(await world.browser().send(.get, "/a", authority: "localhost:8090").status == 421)
        #expect(await world.browser().send(.get, "/a", Browser.visit, authority: "localhost:8091").status == 421)
        #expect(
            await world.browser().send(.get, "/%5Cevil", Browser.visit, authority: "localhost:8090").location == nil)
    }
}

import Cookies
import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// What the engine makes of the attributes of a cookie: what a model of it may rely on.
extension OnWebKit {
    @GLibActor @Suite("What a cookie is to the engine") struct Attributes {
        @Test("S26: a script neither sees nor replaces nor removes what is HttpOnly, and requests bring it")
        func scriptsAndHTTPOnly() async throws {
            try await Site.serving { site in
                let browser = Browser()
                await browser.set(.local("hidden", "1", isHTTPOnly: true), .local("open", "1"))
                await browser.visit(site.url("/"))
                #expect(try await browser.script("return document.cookie").string == "open=1")
                try await browser.script(
                    "document.cookie = 'hidden=2; path=/'; document.cookie = 'hidden=; path=/; Max-Age=0'")
                await browser.visit(site.url("/next"))
                #expect(site.requests("/next").first?.cookies == ["hidden": "1", "open": "1"])
                #expect(await browser.cookies().first?.isHTTPOnly == true)
            }
        }

        @Test("S26: what a script sets is never HttpOnly")
        func scriptsSetNoHTTPOnly() async throws {
            try await Site.serving { site in
                let browser = Browser()
                await browser.visit(site.url("/"))
                try await browser.script("document.cookie = 'mine=1'; document.cookie = 'stolen=1; HttpOnly'")
                await eventually("the write arrives") { await !browser.cookies().isEmpty }
                #expect(await browser.pairs() == ["mine=1"])
                #expect(await browser.cookies().allSatisfy { !$0.isHTTPOnly })
            }
        }

        @Test("S26: a script shadows an HttpOnly cookie by one of a longer path, and the bridge takes it out")
        func shadowing() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                try await browser.script("document.cookie = '\(world.accessName)=shadow; path=/api'")
                await eventually("it is gone") { await !browser.cookies().contains { $0.value == "shadow" } }
                #expect(try await browser.script("return await me()")["first"]?.int64 == 200)
                #expect(world.refreshCount == 0)
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S26: what is Secure goes to https alone")
        func secureCookies() async throws {
            let directory = try TemporaryDirectory()
            let certificate = try await Certificate.make(in: directory)
            try await Site.serving { plain in
                try await Site.serving(certificate: certificate) { encrypted in
                    let browser = Browser()
                    browser.store.acceptAnyCertificate()
                    await browser.set(.local("secure", "1", isSecure: true), .local("plain", "1"))
                    await browser.visit(plain.url("/"))
                    await browser.visit(encrypted.url("/"))
                    #expect(plain.requests("/").map(\.cookies) == [["plain": "1"]])
                    #expect(encrypted.requests("/").map(\.cookies) == [["secure": "1", "plain": "1"]])
                }
            }
        }

        @Test("S26: SameSite holds cookies back from requests that began at another site")
        func sameSite() async throws {
            let fields = ["none=1; SameSite=None", "unsaid=1", "lax=1; SameSite=Lax", "strict=1; SameSite=Strict"]
            let answer: Site.Handler = { $0.path == "/set" ? Site.Answer(setCookies: fields) : .page() }
            try await Site.serving(answer) { site in
                let browser = Browser()
                await browser.visit(site.url("/set"))
                let names = { (path: String) in Set(site.requests(path).first?.cookies.keys.map(\.self) ?? []) }
                await browser.visit(site.url("/own"))
                #expect(names("/own") == ["none", "unsaid", "lax", "strict"])

                await browser.visit(site.url("/other", at: "localhost"))
                try await browser.script("location.href = '\(site.url("/link"))'")
                await browser.loaded(4)
                #expect(names("/link").isSuperset(of: ["none", "lax"]) && !names("/link").contains("strict"))

                await browser.visit(site.url("/other", at: "localhost"))
                try await browser.script(
                    "await fetch('\(site.url("/fetch"))', {mode: 'no-cors', credentials: 'include'})")
                #expect(names("/fetch").contains("none") && names("/fetch").isDisjoint(with: ["lax", "strict"]))

                try await browser.script(
                    """
                    const form = document.createElement("form");
                    Object.assign(form, {method: "post", action: "\(site.url("/form"))"});
                    document.body.append(form);
                    form.submit();
                    """)
                await browser.loaded(6)
                #expect(names("/form").contains("none") && names("/form").isDisjoint(with: ["lax", "strict"]))
                seen(
                    "S26",
                    "a cookie that says nothing of SameSite is \(names("/fetch").contains("unsaid") ? "sent" : "not sent") "
                        + "with a request of another site; it is read back as "
                        + "\(await browser.cookies().first { $0.name == "unsaid" }?.sameSite.rawValue ?? "nothing")")
            }
        }

        @Test("S26: what has expired is never sent")
        func expiry() async throws {
            try await Site.serving { site in
                let browser = Browser()
                let (short, long) = (
                    Cookie.local("short", "1", expiresIn: .seconds(2)),
                    Cookie.local("long", "1", expiresIn: .seconds(60))
                )
                await browser.set(short, long)
                await browser.visit(site.url("/before"))
                #expect(site.requests("/before").first?.cookies == ["short": "1", "long": "1"])
                await eventually("it expires") { short.isExpired(at: SystemWallClock().now() - .seconds(1)) }
                let isRead = await browser.cookies().contains { $0.name == "short" }
                seen("S26", "a cookie that has expired is \(isRead ? "still" : "not") read")
                await browser.visit(site.url("/after"))
                #expect(site.requests("/after").first?.cookies == ["long": "1"])
                // And to write one that is over removes it.
                await browser.set(.local("long", "1", expiresIn: .seconds(-60)))
                #expect(await !browser.cookies().contains { $0.name == "long" })
            }
        }

        @Test("S26, S17: somebody has shortened the life of a cookie of the session: it counts as lost when it is over")
        func shortenedLife() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let access = try #require(await world.access(browser))
                let short = Cookie.local(world.accessName, access, expiresIn: .seconds(2), isHTTPOnly: true)
                await browser.set(short)
                await eventually("it expires") { short.isExpired(at: SystemWallClock().now() - .seconds(1)) }
                #expect(try await bridge.open(world.site.url("/app?2")) == .signedIn)
                await browser.loaded(2)
                #expect(await world.text(browser) == "signed in")
                #expect(world.refreshCount == 0)
            }
        }

        @Test("S26: a session cookie outlives its page, its process and its web view, as long as the store is there")
        func sessionCookies() async throws {
            try await Site.serving { site in
                let store = WebKitStore(.memory, clock: SystemWallClock())
                do {
                    let browser = Browser(store)
                    await browser.set(.local("session", "1"))
                    await browser.visit(site.url("/"))
                    let killed = EngineProcess.content.running
                    EngineProcess.content.kill()
                    await eventually("it ends") { Set(EngineProcess.content.running).isDisjoint(with: killed) }
                }
                let next = Browser(store)
                await next.visit(site.url("/next"))
                #expect(site.requests("/next").first?.cookies == ["session": "1"])
            }
        }

        @Test("S13: the store gives back every attribute, HttpOnly included, but for a SameSite that was not said")
        func attributesComeBack() async throws {
            let browser = Browser()
            let cookies = [
                Cookie.local("a", "1", expiresIn: .seconds(3600), isSecure: true, isHTTPOnly: true, sameSite: .strict),
                .local("b", "2", sameSite: .lax, path: "/x"),
                .local("c", "3", isSecure: true, sameSite: .none, domain: "app.example"),
                Cookie(
                    name: "d", value: "4", domain: "app.example", isHostOnly: false, sameSite: .lax,
                    at: SystemWallClock().now()),
            ]
            await browser.apply(cookies.map(CookieChange.set))
            let read = await browser.cookies()
            #expect(read.map(\.identity) == cookies.map(\.identity))
            #expect(read.map(\.value) == cookies.map(\.value))
            #expect(read.map(\.isSecure) == cookies.map(\.isSecure))
            #expect(read.map(\.isHTTPOnly) == cookies.map(\.isHTTPOnly))
            #expect(read.map(\.sameSite) == cookies.map(\.sameSite))
            #expect(read.map { $0.expires?.secondsSinceEpoch } == cookies.map { $0.expires?.secondsSinceEpoch })
        }

        @Test("C6: the same cookie written again is told of again; who follows each change with a write never ends")
        func identicalWrites() async throws {
            let browser = Browser()
            let changes = Counter()
            browser.surface.connect { if case .cookiesChanged = $0 { changes.add() } }
            browser.surface.observeCookies()
            let cookie = Cookie.local("a", "1")
            await browser.set(cookie)
            await eventually("the write is heard of") { changes.count == 1 }
            await browser.set(cookie)
            let isTold = await isTrue(within: .milliseconds(500)) { changes.count > 1 }
            seen("C6", "the same cookie written a second time is \(isTold ? "told" : "not told") of as a change")
            #expect(changes.count <= 2)
        }

        @Test("S26: what of RFC 6265bis this engine leaves to others")
        func whatTheEngineDoesNotDo() async throws {
            let fields = ["__Secure-a=1", "__Host-b=1; Secure; Path=/x", "long=1; Max-Age=\(1000 * 86_400)"]
            let answer: Site.Handler = { $0.path == "/set" ? Site.Answer(setCookies: fields) : .page() }
            try await Site.serving(answer) { site in
                let browser = Browser()
                await browser.visit(site.url("/set"))
                let read = await browser.cookies()
                let prefixed = read.filter { $0.name.hasPrefix("__") }.map(\.name)
                seen(
                    "S26",
                    "cookies that break the rule of their prefix and are kept: \(prefixed.isEmpty ? "none" : prefixed.joined(separator: ", "))"
                )
                let days = read.first { $0.name == "long" }?.expires.map {
                    ($0 - SystemWallClock().now()).components.seconds / 86_400
                }
                seen("S26", "a cookie of 1000 days is kept for \(days.map(String.init) ?? "no") days")
                // The library's own jar does it, whoever else does not.
                var jar = CookieJar()
                let context = CookieContext(url: try #require(CookieURL(site.origin)))
                let now = SystemWallClock().now()
                for field in fields { _ = try? jar.receive(field, from: context, at: now) }
                #expect(jar.all.map(\.name) == ["long"])
                #expect(jar.all.first?.expires.map { $0 - now <= .seconds(400 * 86_400) } == true)
            }
        }
    }
}

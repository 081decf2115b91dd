import Primitives
import SessionClient
import Testing
import WebKitGTKSurface

/// Who may ask the app, as the engine tells one frame from another.
extension OnWebKit {
    @GLibActor @Suite("Who may ask") struct Messages {
        private nonisolated static let question = "webkit.messageHandlers.session.postMessage({type: 'refresh'})"

        /// A page whose script asks, and tells whoever has it in a frame how that ended.
        private nonisolated static let asking = Site.Answer.page(
            """
            \(question).then((value) => ({value}), (error) => ({error: error.message}))
                .then((result) => { window.result = result; parent.postMessage(result, "*"); });
            """)

        private func with(_ body: @GLibActor (World, Site) async throws -> Void) async throws {
            try await World.with { world in
                try await Site.serving({ $0.path == "/asking" ? Self.asking : .page() }) { site in
                    try await body(world, site)
                }
            }
        }

        /// How it ends for a frame in a page of the app.
        private func answer(_ browser: Browser, toFrame attributes: String) async throws -> JSON {
            try await browser.script(
                """
                const frame = document.createElement("iframe");
                const heard = new Promise((resolve) => addEventListener("message", (event) => resolve(event.data)));
                Object.assign(frame, \(attributes));
                document.body.append(frame);
                return await heard;
                """)
        }

        @Test("S15: a page of the app is answered")
        func answersAPageOfTheApp() async throws {
            try await with { world, site in
                let browser = Browser()
                let bridge = world.bridge(browser, world.configuration(site.origin))
                try await bridge.open(site.url("/asking"))
                await browser.loaded(1)
                try await eventually("it is answered") {
                    try await browser.script("return window.result?.value?.status ?? null").string == "signed_in"
                }
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S15: a frame of the same origin in a page of the app is refused")
        func refusesAFrame() async throws {
            try await with { world, site in
                let browser = Browser()
                let bridge = world.bridge(browser, world.configuration(site.origin))
                try await bridge.open(site.url("/"))
                await browser.loaded(1)
                let answer = try await answer(browser, toFrame: "{src: '\(site.url("/asking"))'}")
                #expect(answer["error"]?.string == "not allowed")
                withExtendedLifetime(bridge) {}
            }
        }

        @Test(
            "S15: a frame of the same origin is answered where the app allows inner frames, and a sandboxed one never is"
        )
        func knowsASandboxedFrame() async throws {
            try await with { world, site in
                let browser = Browser()
                var configuration = world.configuration(site.origin)
                configuration.frames = .allowInnerFrames
                let bridge = world.bridge(browser, configuration)
                try await bridge.open(site.url("/"))
                await browser.loaded(1)
                let url = site.url("/asking")
                let plain = try await answer(browser, toFrame: "{src: '\(url)'}")
                #expect(plain["value"]?["status"]?.string == "signed_in")
                await browser.visit(site.url("/"))
                let sandboxed = try await answer(browser, toFrame: "{src: '\(url)', sandbox: 'allow-scripts'}")
                #expect(sandboxed["error"]?.string == "not allowed")
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S15: a page of another origin is refused, whatever it says of itself")
        func refusesAnotherOrigin() async throws {
            try await with { world, site in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(site.url("/"))
                await browser.loaded(1)
                let said = try await browser.script(
                    """
                    Object.defineProperty(window, "origin", {value: "\(world.site.origin)"});
                    try { return await \(Self.question); } catch (error) { return error.message; }
                    """)
                #expect(said.string == "not allowed")
                // As if it stood where the app's own script stands, with the name of another.
                let forged = try await browser.script(
                    """
                    const heard = new Promise((resolve) =>
                        addEventListener("pawl:session:answer", (event) => resolve(JSON.parse(event.detail))));
                    dispatchEvent(new CustomEvent("pawl:session:ask", {detail: JSON.stringify(
                        {id: 99, origin: "\(world.site.origin)", isMainFrame: true, body: {type: "refresh"}})}));
                    return (await heard).error;
                    """)
                #expect(forged.string == "not allowed")
                withExtendedLifetime(bridge) {}
            }
        }

        @Test("S15: every message is answered, also one that nobody understands and one that comes after the end")
        func answersEveryMessage() async throws {
            try await World.with { world in
                let browser = Browser()
                let bridge = world.bridge(browser)
                try await bridge.open(world.site.url("/app"))
                await browser.loaded(1)
                let ask = { (body: String) in
                    try await browser.script(
                        """
                        try { return await webkit.messageHandlers.session.postMessage(\(body)); }
                        catch (error) { return error.message; }
                        """
                    ).string
                }
                #expect(try await ask("'refresh'") == "not understood")
                #expect(try await ask("null") == "not understood")
                #expect(try await ask("{type: 'refresh', generation: -1}") == "not understood")
                bridge.close()
                let late = try await ask("{type: 'refresh'}")
                #expect(late == "closed")
                #expect(world.refreshCount == 0)
            }
        }
    }
}

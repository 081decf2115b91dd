import Foundation
import HTTPMessages
import Networking
import Primitives
import Synchronization
import TestSupport
import Testing

/// The options of `pawl proxy`, and what it does where something is wrong or slow.
@Suite struct ProxyOptionTests {
    private static let whole = [
        "proxy", "--upstream", "http://127.0.0.1:9", "--issuer", "http://127.0.0.1:9", "--client-id", "app", "--port",
        "0",
    ]

    @Test(arguments: [
        (["--issuer", "http://127.0.0.1:9", "--client-id", "app"], "--upstream is missing"),
        (["--upstream", "http://127.0.0.1:9", "--client-id", "app"], "--issuer is missing"),
        (["--upstream", "http://127.0.0.1:9", "--issuer", "http://127.0.0.1:9"], "--client-id is missing"),
        (
            ["--upstream", "nowhere", "--issuer", "http://127.0.0.1:9", "--client-id", "app"],
            "is not an http or https URL"
        ),
        (
            ["--upstream", "http://app.example", "--issuer", "http://127.0.0.1:9", "--client-id", "app"],
            "tokens would go there in the clear"
        ),
    ])
    func saysWhatIsMissing(_ arguments: [String], _ complaint: String) async throws {
        let result = try await Pawl.run(["proxy", "--port", "0"] + arguments)
        #expect(result.exitCode == 2 && result.errors.contains(complaint), "\(result.errors)")
    }

    @Test(arguments: [
        (["--public-url", "http://app.example"], "https URL"), (["--cookie-name", "a;b"], "a cookie's name"),
        (["--session-path", "x"], "a path of the proxy"), (["--callback-path", "/a?b"], "a path of the proxy"),
        (["--same-site", "none"], "one of lax, strict"), (["--scope", " "], "scopes with one space"),
        (["--public-url", "https://app.example/x"], "without a path"),
        (["--tls", "files"], "--tls-cert and --tls-key"),
    ])
    func refusesWhatWouldNotWork(_ arguments: [String], _ complaint: String) async throws {
        let result = try await Pawl.run(Self.whole + arguments)
        #expect(result.exitCode == 2 && result.errors.contains(complaint), "\(result.errors)")
    }

    @Test func aSecretThatIsNotThereIsBadInput() async throws {
        let directory = try TemporaryDirectory()
        try Data("\n".utf8).write(to: URL(filePath: directory.path("empty")))
        for name in ["none", "empty"] {
            let result = try await Pawl.run(Self.whole + ["--client-secret-file", directory.path(name)])
            #expect(result.exitCode == 3, "\(result.errors)")
        }
    }

    @Test func saysWhereItIs() async throws {
        let directory = try TemporaryDirectory()
        let proxy = try await ProxyServer(
            Array(Self.whole.dropFirst()) + [
                "--port-file", directory.path("port"), "--public-url", "https://app.example",
            ])
        #expect(proxy.publicURL == "https://app.example" && proxy.cookie == "__Host-pawl_session")
        #expect(try String(contentsOf: URL(filePath: directory.path("port")), encoding: .utf8) == "\(proxy.port)\n")
        #expect(await proxy.stop() == 0)
    }

    /// With a secret, that nobody sees.
    @Test func aClientWithASecretSignsIn() async throws {
        let directory = try TemporaryDirectory()
        let config = #"""
            {"clients": [{"client_id": "app", "client_secret": "swordfish-swordfish-1",
              "redirect_uris": ["http://127.0.0.1/_session/callback"],
              "grant_types": ["authorization_code", "refresh_token"]}]}
            """#
        try Data(config.utf8).write(to: URL(filePath: directory.path("config.json")))
        try Data("swordfish-swordfish-1\n".utf8).write(to: URL(filePath: directory.path("secret")))
        let provider = try await Server(["--auto-login", "--config", directory.path("config.json")])
        let variants: [([String], [String: String], Int)] = [
            (["--client-secret-file", directory.path("secret")], [:], 200),
            (["--client-auth", "post"], ["PAWL_PROXY_CLIENT_SECRET": "swordfish-swordfish-1"], 200),
            ([], ["PAWL_PROXY_CLIENT_SECRET": "wrong-wrong-wrong-wrong"], 502), ([], [:], 502),
        ]
        for (arguments, environment, status) in variants {
            let proxy = try await ProxyServer(
                before: provider.url, signingInAt: provider, arguments, environment: environment)
            #expect(try await PageBrowser(of: proxy.publicURL).open("/userinfo").status == status)
            #expect(await proxy.stop() == 0)
            #expect(!proxy.process.errors.text.contains("swordfish"))
        }
        #expect(await provider.stop() == 0)
    }

    /// RFC 6265bis section 4.1.3.2, on a real connection.
    @Test func throughTLSTheCookieIsTheHostsAlone() async throws {
        let directory = try TemporaryDirectory()
        let provider = try await Server(["--auto-login"])
        let proxy = try await ProxyServer(
            before: provider.url, signingInAt: provider,
            ["--no-http", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")])
        #expect(proxy.publicURL == "https://127.0.0.1:\(proxy.port)" && proxy.cookie == "__Host-pawl_session")
        let registered = try await provider.curl(
            "/_pawl/clients/app",
            [
                "-X", "PUT", "-H", "Content-Type: application/json", "-d",
                #"{"redirect_uris":["\#(proxy.publicURL)/_session/callback"],"#
                    + #""grant_types":["authorization_code","refresh_token"]}"#,
            ])
        #expect(registered.status == 201, "\(registered.body)")
        let browser = try PageBrowser(of: proxy.publicURL, trusting: proxy.authority)
        let page = try await browser.open("/userinfo")
        #expect(page.json["sub"] == "alice", "\(page.text)")
        #expect(browser.seen.contains("; Path=/; Secure; HttpOnly; SameSite=Lax"))
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    @Test func anUpstreamThatIsNotThereOrSlowIsSaidToBe() async throws {
        let gate = Latch()
        let upstream = try await RecordingUpstream { request in
            guard request.head.path == "/slow" else { return ServerResponse(status: .ok, body: .bytes([1])) }
            await gate.wait()
            return ServerResponse(status: .ok)
        }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(
            before: upstream.url, signingInAt: provider, ["--upstream-timeout", "300ms", "--max-body", "1KiB"])
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/").status == 200)
        #expect(try await browser.fetch(.get, "/slow").status == 504)
        gate.open()
        #expect(try await browser.fetch(.put, "/", body: Array(repeating: 0, count: 1024)).status == 200)
        #expect(try await browser.fetch(.put, "/", body: Array(repeating: 0, count: 1025)).status == 413)
        await upstream.stop()
        #expect(try await browser.fetch(.get, "/").status == 502)
        #expect(try await browser.fetch(.get, "/_session").json["signed_in"] == true)
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// Longer than anything that is held, and cut off where it breaks off.
    @Test func answersPassThrough() async throws {
        let upstream = try await RecordingUpstream { request in
            ServerResponse(
                status: .ok,
                body: .stream { writer in
                    for _ in 0..<64 { try await writer.write(Array(repeating: 7, count: 64 << 10)) }
                    if request.head.path == "/broken" { throw CocoaError(.fileReadUnknown) }
                })
        }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(before: upstream.url, signingInAt: provider)
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/small").status == 200)
        await #expect(throws: NetworkingError.self) { try await browser.fetch(.get, "/broken") }
        await upstream.stop()
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    @Test func aProxyMayStartBeforeItsProvider() async throws {
        let proxy = try await ProxyServer(Array(Self.whole.dropFirst()))
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/").status == 503)
        #expect(try await browser.fetch(.get, "/_session/health").status == 200)
        #expect(await proxy.stop() == 0)
    }
}

/// Opened once.
private final class Latch: Sendable {
    private let state = Mutex<(isOpen: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(waiter) }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        }
    }

    func open() {
        let waiters = state.withLock { state in
            defer { state = (true, []) }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

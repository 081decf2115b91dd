import Foundation
import HTTPMessages
import Networking
import TestSupport
import Testing

/// What `pawl proxy` does about connections that end, certificates that change, and networks that are trusted.
@Suite(.timeLimit(.minutes(5))) struct ProxyNetworkTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// More browsers go than there are places, and there is still one.
    @Test func browsersThatGoGiveTheirPlacesBack() async throws {
        let (asked, ended) = (Counter(), Counter())
        let upstream = try await RecordingUpstream { request in
            guard request.head.path == "/slow", let presence = request.presence else {
                return ServerResponse(status: .ok, body: .bytes([1]))
            }
            asked.count()
            await withCheckedContinuation { continuation in presence.whenGone { continuation.resume() } }
            ended.count()
            return ServerResponse(status: .ok)
        }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(
            before: upstream.url, signingInAt: provider, ["--upstream-timeout", "1h", "--max-connections", "8"])
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/").status == 200)
        for number in 1...12 {
            let fetching = Task { try await browser.fetch(.get, "/slow") }
            await asked.reaches(number)
            fetching.cancel()
            await ended.reaches(number)
        }
        #expect(try await browser.fetch(.get, "/").status == 200)
        #expect(!proxy.process.errors.text.contains("the upstream gives no answer"))
        await upstream.stop()
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// A request that does not end leaves time to give tokens back.
    @Test func tokensAreGivenBackThoughARequestDoesNotEnd() async throws {
        let asked = Counter()
        let upstream = try await RecordingUpstream { request in
            guard request.head.path == "/slow", let presence = request.presence else {
                return ServerResponse(status: .ok, body: .bytes([1]))
            }
            asked.count()
            await withCheckedContinuation { continuation in presence.whenGone { continuation.resume() } }
            return ServerResponse(status: .ok)
        }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let proxy = try await ProxyServer(
            before: upstream.url, signingInAt: provider, ["--upstream-timeout", "1h", "--drain-timeout", "8s"])
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/").status == 200)
        let fetching = Task { try? await browser.fetch(.get, "/slow") }
        await asked.reaches(1)
        #expect(await proxy.stop() == 0)
        #expect(await fetching.value == nil)
        let families = try await provider.curl("/_pawl/families").object()["families"] as? [[String: Any]] ?? []
        #expect(!families.isEmpty && families.allSatisfy { $0["ended"] != nil && !($0["ended"] is NSNull) })
        await upstream.stop()
        #expect(await provider.stop() == 0)
    }

    /// The network between is nobody else's, and somebody has said so.
    @Test func aPlainUpstreamOfAnotherHostGetsTokensWhereThatIsAllowed() async throws {
        // As good as another machine to the proxy, which knows three names of this one.
        let upstream = try await RecordingUpstream(at: "127.0.0.2") { _ in
            ServerResponse(status: .ok, body: .bytes(Array("goods".utf8)))
        }
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let refused = try await Pawl.run([
            "proxy", "--port", "0", "--upstream", upstream.url, "--issuer", provider.url, "--client-id", "app",
        ])
        #expect(refused.exitCode == 2 && refused.errors.contains("--allow-plain-upstream"), "\(refused.errors)")
        let proxy = try await ProxyServer(
            before: upstream.url, signingInAt: provider, ["--allow-plain-upstream"])
        #expect(try await PageBrowser(of: proxy.publicURL).open("/x").text == "goods")
        #expect(upstream.tokens.count == 1 && upstream.requests.map(\.head.path) == ["/x"])
        await upstream.stop()
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    // MARK: SIGHUP

    @Test func readsItsCertificateAgainAtSIGHUP() async throws {
        let (certificate, key) = (directory.path("cert.pem"), directory.path("key.pem"))
        try await makeCertificate(certificate, key)
        let proxy = try await ProxyServer([
            "--upstream", "http://127.0.0.1:9", "--issuer", "http://127.0.0.1:9", "--client-id", "app", "--no-http",
            "--tls-listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key,
        ])
        let health = { () async throws -> Int in
            try await PageBrowser(of: proxy.publicURL, trusting: certificate).fetch(.get, "/_session/health").status
        }
        #expect(try await health() == 200)
        try await makeCertificate(certificate, key)
        await #expect(throws: NetworkingError.self) { try await health() }
        proxy.process.send(SIGHUP)
        #expect(await proxy.process.errors.first { $0.contains("certificates and authorities read again") } != nil)
        #expect(try await health() == 200)
        // One that is no good does not replace one that is.
        try FileManager.default.removeItem(atPath: key)
        proxy.process.send(SIGHUP)
        #expect(await proxy.process.errors.first { $0.contains("stay as they were") } != nil)
        #expect(try await health() == 200)
        #expect(await proxy.stop() == 0)
    }

    private func makeCertificate(_ certificate: String, _ key: String) async throws {
        let openssl = try #require(ProcessRunner.find("openssl"))
        let result = try await ProcessRunner.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key,
            ])
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    @Test func readsTheAuthoritiesOfTheUpstreamAgainAtSIGHUP() async throws {
        let encrypted = try await server("own")
        let stranger = try await server("strange")
        let file = directory.path("trusted.pem")
        try FileManager.default.copyItem(atPath: directory.path("strange/ca.pem"), toPath: file)
        let provider = try await Server(["--auto-login"] + ProxyServer.client)
        let address = try #require(encrypted.addresses.first { $0.url.hasPrefix("https:") })
        let proxy = try await ProxyServer(before: address.url, signingInAt: provider, ["--outbound-ca", file])
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/health").status == 502)
        try Data(contentsOf: URL(filePath: directory.path("own/ca.pem"))).write(to: URL(filePath: file))
        #expect(try await browser.fetch(.get, "/health").status == 502)
        proxy.process.send(SIGHUP)
        #expect(await proxy.process.errors.first { $0.contains("certificates and authorities read again") } != nil)
        #expect(try await browser.fetch(.get, "/health").status == 200)
        try FileManager.default.removeItem(atPath: file)
        proxy.process.send(SIGHUP)
        #expect(await proxy.process.errors.first { $0.contains("stay as they were") } != nil)
        // The sessions outlive it all.
        #expect(try await browser.fetch(.get, "/health").status == 200)
        #expect(await proxy.stop() == 0)
        for server in [provider, encrypted, stranger] { #expect(await server.stop() == 0) }
    }

    private func server(_ name: String) async throws -> Server {
        try await Server(
            ["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path(name)], in: directory
        )
    }
}

import Foundation
import HTTPMessages
import HTTPWire
import Networking
import Primitives
import Synchronization
import TestSupport
import Testing

@Suite struct TLSTests {
    /// A directory with an authority of its own, and a context that uses it.
    static func automatic(names: [String] = []) throws -> (TemporaryDirectory, TLSServerContext) {
        let directory = try TemporaryDirectory()
        let context = try TLSServerContext(.automatic(directory: directory.path("tls"), names: names))
        return (directory, context)
    }

    static func listener(_ context: TLSServerContext) -> [ServerConfiguration.Listener] {
        [.init(.ip(host: "127.0.0.1", port: 0), tls: context)]
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func speaksWithOpenSSL(_ version: String) async throws {
        let (directory, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            let result = try await run(
                "openssl",
                [
                    "s_client", "-connect", "\(server.address)", version, "-CAfile", directory.path("tls/ca.pem"),
                    "-verify_return_error", "-verify_hostname", "localhost", "-alpn", "http/1.1", "-ign_eof",
                ],
                input: "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(result.output.contains("GET /a "))
            #expect(result.output.contains("Verification: OK"))
            #expect(result.output.contains("ALPN protocol: http/1.1"))
            #expect(result.status == 0)
        }
    }

    @Test(arguments: [
        ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-SHA:AES128-GCM-SHA256"],
        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"], ["-alpn", "h2"],
    ])
    func refusesToSpeak(_ options: [String]) async throws {
        let (_, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            let result = try await run(
                "openssl", ["s_client", "-connect", "\(server.address)"] + options, input: "")
            #expect(result.status != 0)
            try await server.wait { $0.failedHandshakes == 1 && $0.openConnections == 0 }
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func isTrustedByCurl(_ host: String) async throws {
        let (directory, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            let port = server.addresses[0].port!
            let result = try await run(
                "curl",
                [
                    "-s", "--show-error", "--cacert", directory.path("tls/ca.pem"), "--resolve",
                    "localhost:\(port):127.0.0.1", "-d", "body", "https://\(host):\(port)/a",
                ])
            #expect(result.output == "POST /a body")
            #expect(result.status == 0)
        }
    }

    @Test func isTrustedByPython() async throws {
        let (directory, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            let program = """
                import ssl, sys, urllib.request
                context = ssl.create_default_context(cafile=sys.argv[1])
                context.verify_flags |= ssl.VERIFY_X509_STRICT
                print(urllib.request.urlopen(sys.argv[2], context=context).read().decode(), end="")
                """
            let url = "https://127.0.0.1:\(server.addresses[0].port!)/a"
            let result = try await run("python3", ["-c", program, directory.path("tls/ca.pem"), url])
            #expect(result.output == "GET /a ")
        }
    }

    /// A client over the limit is told so, through TLS like everybody else.
    @Test func answersConnectionsOverTheLimit() async throws {
        let (directory, context) = try Self.automatic()
        let trust = try TLSClientContext(trust: .authorities(file: directory.path("tls/ca.pem")))
        try await withServer(listen: Self.listener(context), configure: { $0.connectionLimits.connections = 1 }) {
            server in
            let group = try EventLoopGroup(count: 1)
            var configuration = ClientConfiguration(tls: trust)
            configuration.idleTimeout = .seconds(600)
            let first = HTTPClient(group: group, configuration: configuration)
            let request = HTTPRequest(method: .get, scheme: "https", authority: "localhost", path: "/a")
            #expect(try await first.send(request, to: server.address).0.status == .ok)
            for round in 1...3 {
                let second = HTTPClient(group: group, configuration: configuration)
                let (response, _) = try await second.send(request, to: server.address)
                #expect(response.status == .serviceUnavailable)
                #expect(response.headerFields[.retryAfter] != nil)
                #expect(server.server.statistics.refusedConnections == round)
            }
            #expect(try await first.send(request, to: server.address).0.status == .ok)
            #expect(server.server.statistics.acceptedConnections == 1)
            await first.closeIdleConnections()
        }
    }

    @Test func isNotTrustedByWhoeverDoesNotKnowTheAuthority() async throws {
        let (_, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            let result = try await run("curl", ["-s", "https://127.0.0.1:\(server.addresses[0].port!)/a"])
            #expect(result.status == 60)
        }
    }

    @Test func carriesContentThatFillsManyRecords() async throws {
        let (directory, context) = try Self.automatic()
        let answer: @Sendable (ServerRequest) async -> ServerResponse = { request in
            ServerResponse(status: .ok, body: .bytes(request.body + request.body))
        }
        try await withServer(
            listen: Self.listener(context), configure: { $0.limits.bodyBytes = 4 << 20 }, answer: answer
        ) { server in
            let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try body.withUnsafeBytes { try Data($0).write(to: URL(filePath: directory.path("body"))) }
            let result = try await run(
                "curl",
                [
                    "-s", "--cacert", directory.path("tls/ca.pem"), "--data-binary", "@" + directory.path("body"), "-o",
                    directory.path("answer"), "https://127.0.0.1:\(server.addresses[0].port!)/a",
                ])
            #expect(result.status == 0)
            let answered = try Data(contentsOf: URL(filePath: directory.path("answer")))
            #expect(answered == Data(body + body))
        }
    }

    @Test func tellsWhoeverSpeaksHTTPThatThisIsHTTPS() async throws {
        let (_, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                let response = try socket.receiveResponse()
                #expect(response.status == 400)
                #expect(response.body.contains("https://"))
                #expect(try socket.receiveAll() == "")
            }
            #expect(server.server.statistics.failedHandshakes == 1)
        }
    }

    @Test(arguments: [
        "", "\u{16}\u{3}\u{1}", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "garbage that is no TLS at all\r\n\r\n",
    ])
    func survivesWhatIsNoHandshake(_ bytes: String) async throws {
        let (_, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context)) { server in
            try await onThread {
                let socket = try server.connect()
                try socket.send(bytes)
                socket.finishSending()
                _ = try? socket.receiveAll()
            }
            try await server.wait { $0.failedHandshakes == 1 && $0.openConnections == 0 }
        }
    }

    @Test func aHandshakeHasTheDeadlineOfAHead() async throws {
        let (_, context) = try Self.automatic()
        try await withServer(listen: Self.listener(context), configure: { $0.deadlines.head = .milliseconds(60) }) {
            server in
            try await onThread {
                let socket = try server.connect()
                try socket.send([0x16, 3, 1])
                #expect(try socket.receiveAll() == "")
            }
            #expect(server.server.statistics.failedHandshakes == 1)
        }
    }

    @Test func reloadsItsCertificateWithoutDroppingConnections() async throws {
        let directory = try TemporaryDirectory()
        let first = try await Self.makeCertificate(in: directory, "first")
        let second = try await Self.makeCertificate(in: directory, "second")
        for name in ["cert", "key"] {
            try FileManager.default.createSymbolicLink(
                atPath: directory.path(name), withDestinationPath: first + "." + name)
        }
        let context = try TLSServerContext(
            .files(certificate: directory.path("cert"), key: directory.path("key")))
        let trust = directory.path("both")
        let both = try ["first", "second"].map { try Data(contentsOf: URL(filePath: directory.path($0 + ".cert"))) }
        try (both[0] + both[1]).write(to: URL(filePath: trust))
        try await withServer(listen: Self.listener(context)) { server in
            let group = try EventLoopGroup(count: 1)
            let tls = try TLSClientContext(trust: .authorities(file: trust))
            let client = HTTPClient(group: group, configuration: ClientConfiguration(tls: tls))
            let request = HTTPRequest(method: .get, scheme: "https", authority: "first.test", path: "/a")
            #expect(try await client.send(request, to: server.address).0.status == .ok)

            for name in ["cert", "key"] {
                try FileManager.default.removeItem(atPath: directory.path(name))
                try FileManager.default.createSymbolicLink(
                    atPath: directory.path(name), withDestinationPath: second + "." + name)
            }
            try await server.server.reloadTLS()
            // The one that is open goes on with what it began with; a new one gets the new certificate.
            #expect(try await client.send(request, to: server.address).0.status == .ok)
            #expect(server.server.statistics.acceptedConnections == 1)
            let later = HTTPRequest(method: .get, scheme: "https", authority: "second.test", path: "/a")
            #expect(try await client.send(later, to: server.address).0.status == .ok)

            // A key that does not belong to the certificate changes nothing.
            try FileManager.default.removeItem(atPath: directory.path("key"))
            try FileManager.default.createSymbolicLink(
                atPath: directory.path("key"), withDestinationPath: first + ".key")
            await #expect(throws: NetworkingError.self) { try await server.server.reloadTLS() }
            await client.closeIdleConnections()
            #expect(try await client.send(later, to: server.address).0.status == .ok)
            await #expect(throws: NetworkingError.self) { try await client.send(request, to: server.address) }
            await client.closeIdleConnections()
            group.shutdown()
        }
    }

    @Test func refusesFilesThatCannotBeUsed() async throws {
        let directory = try TemporaryDirectory()
        let one = try await Self.makeCertificate(in: directory, "one")
        let other = try await Self.makeCertificate(in: directory, "other")
        try await run(
            "openssl", ["ec", "-in", one + ".key", "-aes128", "-passout", "pass:x", "-out", one + ".encrypted"])
        for (certificate, key) in [
            (one + ".cert", other + ".key"), (one + ".cert", one + ".missing"), (one + ".missing", one + ".key"),
            (one + ".key", one + ".cert"), (one + ".cert", one + ".encrypted"),
        ] {
            #expect(throws: NetworkingError.self, "\(certificate) \(key)") {
                try TLSServerContext(.files(certificate: certificate, key: key))
            }
        }
    }

    /// A certificate for `NAME.test`, signed by its own key. Returns the path without what is behind the point.
    static func makeCertificate(in directory: TemporaryDirectory, _ name: String) async throws -> String {
        let path = directory.path(name)
        try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                path + ".key", "-out", path + ".cert", "-days", "2", "-subj", "/CN=\(name)", "-addext",
                "subjectAltName=DNS:\(name).test",
            ])
        return path
    }
}

import Foundation
import HTTPMessages
import Networking
import Primitives
import TestSupport
import Testing

/// Which client certificates count as trusted. None of them is a reason to end the connection.
@Suite struct ClientCertificateTrustTests {
    let files: ClientCertificateFiles

    init() throws {
        files = try ClientCertificateFiles()
    }

    private func isTrusted(
        _ options: [String], by authorities: String?, clock: any WallClock = SystemWallClock()
    ) async throws -> Bool {
        let seen = try await files.seen(options, authorities: authorities, clock: clock)
        return try #require(seen, "the certificate was not seen").isTrusted
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func trustsWhomAnAuthorityVouchesFor(version: String) async throws {
        let authority = try await files.authority("authority")
        let client = try await files.issued("client", by: authority)
        #expect(try await isTrusted(client.clientOptions + [version], by: authority.certificate))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func doesNotTrustWhomAnotherVouchesFor(version: String) async throws {
        let authority = try await files.authority("authority")
        let other = try await files.authority("other")
        let client = try await files.issued("client", by: other)
        #expect(try await !isTrusted(client.clientOptions + [version], by: authority.certificate))
        #expect(try await !isTrusted(client.clientOptions + [version], by: nil))
        // Bringing the authority along does not make it one.
        let chain = ["-cert_chain", other.certificate]
        #expect(try await !isTrusted(client.clientOptions + chain + [version], by: authority.certificate))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func doesNotTrustWhoSignsItself(version: String) async throws {
        let authority = try await files.authority("authority")
        let client = try await files.selfSigned("client")
        #expect(try await !isTrusted(client.clientOptions + [version], by: authority.certificate))
        // Of the same name as the authority.
        let impostor = try await files.selfSigned("impostor", subject: "/CN=authority")
        #expect(try await !isTrusted(impostor.clientOptions + [version], by: authority.certificate))
    }

    /// Nor is what OpenSSL has to say of it taken for an error of the connection, which goes on in pieces after it.
    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func doesNotTrustAForgery(version: String) async throws {
        let authority = try await files.authority("authority")
        let client = try await files.issued("client", by: authority)
        #expect(try await isTrusted(client.clientOptions, by: authority.certificate))
        try await files.replace(Array("Pawl".utf8), by: Array("Paul".utf8), in: client)
        let context = try await files.context(.optional(authorities: authority.certificate))
        try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            let port = "\(server.addresses[0].port!)"
            let result = try await run(
                "python3", ["-c", Self.hesitating, port, client.certificate, client.key, version])
            let seen = try SeenCertificate.all(in: result.output)
            #expect(seen.map { $0?.subject } == ["CN=client,O=Paul"], "\(result.output)")
            #expect(seen.map { $0?.isTrusted } == [false])
        }
    }

    /// A client that sends record by record, with a pause after each for the server to take it on its own. Were the pause
    /// too short, the test would show less, and pass.
    private static let hesitating = """
        import socket, ssl, sys, time
        _, port, certificate, key, version = sys.argv
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
        context.load_cert_chain(certificate, key)
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(incoming, outgoing)
        connection = socket.create_connection(("127.0.0.1", int(port)))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        def attempt(step):
            while True:
                try: return step()
                except ssl.SSLWantReadError: pass
                finally:
                    flight = outgoing.read()
                    while flight:
                        end = 5 + int.from_bytes(flight[3:5], "big")
                        connection.sendall(flight[:end])
                        flight = flight[end:]
                        time.sleep(0.03)
                data = connection.recv(65536)
                if data: incoming.write(data)
                else: incoming.write_eof()
        attempt(tls.do_handshake)
        attempt(lambda: tls.write(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n"))
        print(attempt(lambda: tls.read(1 << 20)).decode())
        """

    /// RFC 5280 section 4.2.1.12.
    @Test func doesNotTrustACertificateForServers() async throws {
        let authority = try await files.authority("authority")
        let client = try await files.issued("client", by: authority, extensions: "extendedKeyUsage=serverAuth")
        #expect(try await !isTrusted(client.clientOptions, by: authority.certificate))
    }

    /// RFC 5280 section 4.2.1.9: one that may not sign certificates vouches for nobody.
    @Test func doesNotTrustWhomAClientVouchesFor() async throws {
        let authority = try await files.authority("authority")
        let client = try await files.issued("client", by: authority, extensions: "basicConstraints=CA:FALSE")
        let friend = try await files.issued("friend", by: client)
        #expect(
            try await !isTrusted(
                friend.clientOptions + ["-cert_chain", client.certificate], by: authority.certificate))
    }

    /// By the server's clock, not by that of the machine.
    @Test func doesNotTrustBeforeAndAfterItsTime() async throws {
        let authority = try await files.authority("authority")
        let client = try await files.issued("client", by: authority)
        let now = SystemWallClock().now()
        for (distance, isTrusted) in [(Duration.seconds(-86_400), false), (.zero, true), (.seconds(3 * 86_400), false)]
        {
            let clock = ManualClock(startingAt: now + distance)
            #expect(
                try await self.isTrusted(client.clientOptions, by: authority.certificate, clock: clock) == isTrusted,
                "\(distance)")
        }
    }

    @Test func followsAChainThatTheClientBrings() async throws {
        let root = try await files.authority("root")
        let middle = try await files.issued(
            "middle", by: root, extensions: "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign")
        let client = try await files.issued("client", by: middle)
        let chain = ["-cert_chain", middle.certificate]
        #expect(try await isTrusted(client.clientOptions + chain, by: root.certificate))
        #expect(try await !isTrusted(client.clientOptions, by: root.certificate))
        // An authority that was given is one by itself.
        #expect(try await isTrusted(client.clientOptions, by: middle.certificate))
        let both = try files.joined("both", [root.certificate, middle.certificate])
        #expect(try await isTrusted(client.clientOptions, by: both))
    }

    @Test func refusesAFileWithoutAuthorities() async throws {
        let empty = files.directory.path("empty")
        try Data("no certificate\n".utf8).write(to: URL(filePath: empty))
        for file in [empty, files.directory.path("missing")] {
            let error = await #expect(throws: NetworkingError.self) {
                try await files.context(.optional(authorities: file))
            }
            #expect(error?.kind == .tls)
            #expect(error?.description.contains(file) == true)
        }
    }

    /// All or nothing: what cannot be read again on one listener changes none.
    @Test func readsItsAuthoritiesAgain() async throws {
        let (old, new) = (try await files.authority("old"), try await files.authority("new"))
        let clients = [try await files.issued("a", by: old), try await files.issued("b", by: new)]
        let file = try files.joined("authorities", [old.certificate])
        let listeners =
            try await TLSTests.listener(files.context(.none))
            + TLSTests.listener(
                files.context(.optional(authorities: file)))
        try await withServer(listen: listeners, answer: SeenCertificate.answer) { server in
            func trusted() async throws -> [Bool?] {
                var seen: [Bool?] = []
                for client in clients {
                    let result = try await files.connect(to: "\(server.addresses[1].address)", client.clientOptions)
                    seen += try SeenCertificate.all(in: result.output).map { $0?.isTrusted }
                }
                return seen
            }
            #expect(try await trusted() == [true, false])
            _ = try files.joined("authorities", [new.certificate])
            try await server.server.reloadTLS()
            #expect(try await trusted() == [false, true])

            try Data("none".utf8).write(to: URL(filePath: file))
            let other = try await files.selfSigned("server", subject: "/CN=other")
            await #expect(throws: NetworkingError.self) { try await server.server.reloadTLS() }
            #expect(try await trusted() == [false, true])
            let plain = try await files.connect(to: server, [])
            #expect(plain.output.contains("CN = localhost"), "\(other.certificate): \(plain.output)")
        }
    }
}

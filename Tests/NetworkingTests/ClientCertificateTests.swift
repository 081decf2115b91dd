import Foundation
import HTTPMessages
import Networking
import Primitives
import TestSupport
import Testing

/// What a server learns of a client's certificate (RFC 8705), told by the `openssl` command and by curl.
@Suite struct ClientCertificateTests {
    let files: ClientCertificateFiles

    init() throws {
        files = try ClientCertificateFiles()
    }

    @Test(
        arguments: ["-tls1_2", "-tls1_3"],
        [ClientCertificateFiles.elliptic, ["-newkey", "rsa:2048"], ["-newkey", "ed25519"]])
    func isWhatTheClientHasShown(version: String, key: [String]) async throws {
        let pair = try await files.selfSigned(
            "client", key: key, subject: "/C=KR/O=Grüße, \"Pawl\"+x/CN=#a ;<b>",
            extensions: [
                "subjectAltName=DNS:*.Client.test,URI:https://client.test/a?b,IP:192.0.2.1,IP:2001:db8::1,"
                    + "email:a@client.test,RID:1.2.3"
            ])
        let seen = try #require(try await files.seen(pair.clientOptions + [version]))
        let pem = try String(contentsOfFile: pair.certificate, encoding: .utf8)
        #expect(seen.der == ClientCertificateFiles.content(ofPEM: pem))
        let publicKey = try await files.describe(pair, ["-pubkey"])
        #expect(seen.publicKeyInfo == ClientCertificateFiles.content(ofPEM: publicKey))
        #expect(try await files.describe(pair, ["-fingerprint", "-sha256"]).hasSuffix("=" + seen.thumbprint))
        #expect(try await files.describe(pair, ["-subject", "-nameopt", "RFC2253"]) == "subject=" + seen.subject)
        #expect(seen.subject.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(
            seen.names == [
                #"dns("*.Client.test")"#, #"uri("https://client.test/a?b")"#, #"ip("192.0.2.1")"#,
                #"ip("2001:db8::1")"#, #"email("a@client.test")"#,
            ])
        #expect(!seen.isTrusted)
    }

    /// RFC 8705 section 2: who has none may have other means.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aClientWithoutOneIsLetIn(version: String) async throws {
        let authority = try await files.authority("authority")
        #expect(try await files.seen([version], authorities: authority.certificate) == nil)
        #expect(try await files.seen([version]) == nil)
    }

    /// RFC 8705 section 5: browsers ask their users as soon as they are asked.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func isNotAskedForWhereNobodySaidSo(version: String) async throws {
        let pair = try await files.selfSigned("client")
        let context = try await files.context(.none)
        try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            let result = try await files.connect(to: server, pair.clientOptions + [version])
            #expect(try SeenCertificate.all(in: result.output) == [nil])
            #expect(server.addresses.allSatisfy { !$0.asksForCertificate })
        }
    }

    /// RFC 8446 section 4.2.4: a client may keep back what is by none of the authorities that are named to it.
    @Test func noAuthoritiesAreNamed() async throws {
        let authority = try await files.authority("authority")
        let context = try await files.context(.optional(authorities: authority.certificate))
        try await withServer(listen: TLSTests.listener(context)) { server in
            let result = try await files.connect(to: server, [])
            #expect(result.output.contains("No client certificate CA names sent"))
            #expect(result.output.contains("Requested Signature Algorithms"))
            #expect(server.addresses.map(\.asksForCertificate) == [true])
        }
    }

    @Test func isKnownToEveryRequestOfAConnection() async throws {
        let pair = try await files.selfSigned("client")
        let context = try await files.context(.optional())
        try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            let url = "https://localhost:\(server.addresses[0].port!)/"
            let result = try await run(
                "curl",
                [
                    "-s", "--show-error", "--cacert", files.directory.path("server.cert"), "--cert", pair.certificate,
                    "--key",
                    pair.key, "--resolve", "localhost:\(server.addresses[0].port!):127.0.0.1", url, url, url,
                ])
            let seen = try SeenCertificate.all(in: result.output)
            #expect(seen.count == 3, "\(result.output)")
            #expect(seen.allSatisfy { $0 != nil && $0 == seen[0] })
            #expect(server.server.statistics.acceptedConnections == 1)
        }
    }

    /// What one connection has shown is nothing that the next one has.
    @Test func isNotKnownToAnotherConnection() async throws {
        let pairs = [
            try await files.selfSigned("one", subject: "/CN=one"),
            try await files.selfSigned("two", subject: "/CN=two"),
        ]
        let context = try await files.context(.optional())
        try await withServer(listen: TLSTests.listener(context), answer: SeenCertificate.answer) { server in
            for options in [pairs[0].clientOptions, [], pairs[1].clientOptions, []] {
                let result = try await files.connect(to: server, options)
                let subject = options.isEmpty ? nil : options == pairs[0].clientOptions ? "CN=one" : "CN=two"
                #expect(try SeenCertificate.all(in: result.output).map { $0?.subject } == [subject])
            }
        }
    }

    /// An ordinary listener resumes, which shows that the client would.
    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aSessionIsNeverResumed(version: String) async throws {
        let pair = try await files.selfSigned("client")
        let listeners =
            try await TLSTests.listener(files.context(.none)) + TLSTests.listener(files.context(.optional()))
        try await withServer(listen: listeners, answer: SeenCertificate.answer) { server in
            let asking = "\(server.addresses[1].address)"
            let (ordinary, kept) = (files.directory.path("ordinary"), files.directory.path("kept"))
            _ = try await files.connect(to: server, [version, "-sess_out", ordinary])
            let resumed = try await files.connect(to: server, [version, "-sess_in", ordinary])
            #expect(resumed.output.contains("Reused, "), "\(resumed.output)")

            let first = try await files.connect(to: asking, pair.clientOptions + [version, "-sess_out", kept])
            #expect(try SeenCertificate.all(in: first.output).count == 1)
            #expect(!FileManager.default.fileExists(atPath: kept), "there is something to resume")
            // Nor with a session of the other listener's.
            for options in [pair.clientOptions, []] {
                let second = try await files.connect(to: asking, options + [version, "-sess_in", ordinary])
                #expect(!second.output.contains("Reused, "), "\(second.output)")
                #expect(try SeenCertificate.all(in: second.output).map { $0 == nil } == [options.isEmpty])
            }
        }
    }
}

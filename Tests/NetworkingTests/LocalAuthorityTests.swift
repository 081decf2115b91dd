import Foundation
import Networking
import Primitives
import TestSupport
import Testing

@Suite struct LocalAuthorityTests {
    let directory: TemporaryDirectory
    var path: String { directory.path("tls") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    func open(names: [String] = [], at clock: any WallClock = SystemWallClock()) throws -> LocalAuthority {
        let context = try TLSServerContext(.automatic(directory: path, names: names), clock: clock)
        return try #require(context.localAuthority)
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path + "/" + name)) }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func keepsItsKeysToItself() throws {
        _ = try open()
        #expect(try mode("") == 0o700)
        #expect(try mode("/ca-key.pem") == 0o600)
        #expect(try mode("/server-key.pem") == 0o600)
        #expect(try mode("/ca.pem") & 0o022 == 0)
    }

    @Test func isMadeOnce() throws {
        #expect(try open().isNew)
        let before = try ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"].map(bytes)
        #expect(try !open().isNew)
        #expect(try ["ca.pem", "ca-key.pem", "server.pem", "server-key.pem"].map(bytes) == before)
    }

    @Test func makesACertificateThatOpenSSLAccepts() async throws {
        let authority = try open(names: ["pawl.test", "10.1.2.3"])
        for options in [
            ["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"],
            ["-verify_hostname", "pawl.test"], ["-verify_ip", "10.1.2.3"],
        ] {
            let result = try await run(
                "openssl",
                ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority.authorityPath] + options
                    + [authority.leafPath])
            #expect(result.status == 0, "\(result.output)")
        }
        let other = try await run(
            "openssl",
            ["verify", "-CAfile", authority.authorityPath, "-verify_hostname", "example.com", authority.leafPath])
        #expect(other.status != 0)
    }

    @Test func limitsWhatTheAuthorityCanVouchFor() async throws {
        let authority = try open()
        let text = try await run("openssl", ["x509", "-in", authority.authorityPath, "-noout", "-text"]).output
        #expect(text.contains("CA:TRUE, pathlen:0"))
        #expect(text.contains("Certificate Sign, CRL Sign"))
        #expect(text.contains("X509v3 Name Constraints: critical"))
        // Somebody who has stolen the key signs a certificate for another name with it.
        try await run(
            "openssl",
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path + "/t.key",
                "-out", path + "/t.csr", "-subj", "/CN=thief",
            ])
        for (name, isAllowed) in [("DNS:bank.example", false), ("IP:8.8.8.8", false), ("DNS:a.localhost", true)] {
            try "subjectAltName=\(name)".write(toFile: path + "/t.ext", atomically: true, encoding: .utf8)
            try await run(
                "openssl",
                [
                    "x509", "-req", "-in", path + "/t.csr", "-CA", authority.authorityPath, "-CAkey",
                    path + "/ca-key.pem", "-out", path + "/t.pem", "-days", "2", "-extfile", path + "/t.ext",
                ])
            let result = try await run("openssl", ["verify", "-CAfile", authority.authorityPath, path + "/t.pem"])
            #expect((result.status == 0) == isAllowed, "\(name): \(result.output)")
        }
    }

    /// The names that confine an authority say nothing about people and programs; its purpose does.
    @Test(arguments: [
        ("clientAuth", "sslclient"), ("emailProtection", "smimesign"),
    ])
    func vouchesForServersOnly(_ usage: String, _ purpose: String) async throws {
        let authority = try open()
        try await run(
            "openssl",
            [
                "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path + "/t.key",
                "-out", path + "/t.csr", "-subj", "/CN=thief",
            ])
        let extensions =
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,\(usage)\nsubjectAltName=email:a@bank.example"
        try extensions.write(toFile: path + "/t.ext", atomically: true, encoding: .utf8)
        let signed = try await run(
            "openssl",
            [
                "x509", "-req", "-in", path + "/t.csr", "-CA", authority.authorityPath, "-CAkey",
                path + "/ca-key.pem", "-out", path + "/t.pem", "-days", "2", "-extfile", path + "/t.ext",
            ])
        #expect(signed.status == 0, "\(signed.output)")
        let result = try await run(
            "openssl", ["verify", "-purpose", purpose, "-CAfile", authority.authorityPath, path + "/t.pem"])
        #expect(result.status != 0, "\(result.output)")
    }

    @Test func certificatesAreValidNoLongerThanBrowsersAllow() async throws {
        let authority = try open()
        let late = try await run(
            "openssl", ["x509", "-in", authority.leafPath, "-noout", "-checkend", "\(397 * 86_400)"])
        #expect(late.status == 1)
        let soon = try await run(
            "openssl", ["x509", "-in", authority.leafPath, "-noout", "-checkend", "\(380 * 86_400)"])
        #expect(soon.status == 0)
        let serials = try await run("openssl", ["x509", "-in", authority.leafPath, "-noout", "-serial"]).output
        #expect(serials.trimmingCharacters(in: .whitespacesAndNewlines).count == "serial=".count + 40)
    }

    @Test func renewsACertificateThatIsAboutToExpire() throws {
        let clock = ManualClock(startingAt: SystemWallClock().now())
        _ = try open(at: clock)
        let before = try (bytes("ca.pem"), bytes("server.pem"))
        clock.advance(by: .seconds(350 * 86_400))
        _ = try open(at: clock)
        #expect(try bytes("server.pem") == before.1)
        clock.advance(by: .seconds(20 * 86_400))
        #expect(try !open(at: clock).isNew)
        #expect(try bytes("server.pem") != before.1)
        #expect(try bytes("ca.pem") == before.0)
    }

    @Test func renewsItWhenItIsReadAgain() throws {
        let clock = ManualClock(startingAt: SystemWallClock().now())
        let context = try TLSServerContext(.automatic(directory: path), clock: clock)
        let before = try bytes("server.pem")
        clock.advance(by: .seconds(350 * 86_400))
        try context.reload()
        #expect(try bytes("server.pem") == before)
        clock.advance(by: .seconds(20 * 86_400))
        try context.reload()
        #expect(try bytes("server.pem") != before)
        #expect(context.localAuthority?.isNew == false)
    }

    @Test func makesAnotherAuthorityWhenItsOwnIsAboutToExpire() throws {
        let clock = ManualClock(startingAt: SystemWallClock().now())
        _ = try open(at: clock)
        let before = try bytes("ca.pem")
        clock.advance(by: .seconds(3640 * 86_400))
        #expect(try open(at: clock).isNew)
        #expect(try bytes("ca.pem") != before)
    }

    /// People have told their systems to trust it: it is not replaced behind their backs.
    @Test func keepsItsAuthorityWhenItMayNotVouchForANewName() throws {
        #expect(try open().isNew)
        let before = try bytes("ca.pem")
        #expect(throws: NetworkingError.self) { try open(names: ["pawl.test"]) }
        #expect(try bytes("ca.pem") == before)
        // Fewer names are no reason to ask people to trust another one.
        #expect(try !open().isNew)
        #expect(try !open(names: ["sub.localhost"]).isNew)
    }

    @Test(arguments: ["ca.pem", "ca-key.pem"], [true, false])
    func leavesADamagedAuthorityAsItIs(_ file: String, isMissing: Bool) throws {
        _ = try open()
        let damaged = URL(filePath: path + "/" + file)
        if isMissing {
            try FileManager.default.removeItem(at: damaged)
        } else {
            try Data("-----BEGIN NOTHING-----\n".utf8).write(to: damaged)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: damaged.path())
        }
        let other = file == "ca.pem" ? "ca-key.pem" : "ca.pem"
        let before = try bytes(other)
        // A key alone is what a start leaves that was cut off: nobody has trusted it yet.
        if isMissing, file == "ca.pem" {
            #expect(try open().isNew)
        } else {
            #expect(throws: NetworkingError.self) { try open() }
            #expect(try bytes(other) == before)
        }
    }

    @Test(arguments: ["server.pem", "server-key.pem"])
    func replacesADamagedCertificate(_ file: String) throws {
        _ = try open()
        let damaged = Data("-----BEGIN NOTHING-----\n".utf8)
        try damaged.write(to: URL(filePath: path + "/" + file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/" + file)
        #expect(try !open().isNew)
        #expect(try bytes(file) != damaged)
    }

    @Test(arguments: ["ca-key.pem", "server-key.pem"])
    func refusesAKeyThatOthersMayRead(_ file: String) throws {
        _ = try open()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path + "/" + file)
        #expect(throws: NetworkingError.self) { try open() }
    }

    @Test(arguments: ["", "a b", "DNS:x", "x,IP:1.2.3.4", "-x.test", "x..test", "*.test", "a\nb", "ä.test"])
    func refusesWhatIsNoName(_ name: String) {
        #expect(throws: NetworkingError.self) { try open(names: [name]) }
    }

    @Test func saysHowToTrustIt() throws {
        let instructions = try open().instructions(url: "https://localhost:4711/")
        #expect(instructions.contains("curl --cacert \(path)/ca.pem https://localhost:4711/\n"))
        #expect(instructions.contains("update-ca-certificates"))
    }

    @Test func isMadeOnceByManyAtOnce() async throws {
        let path = path
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        try TLSServerContext(.automatic(directory: path)).localAuthority!.isNew
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
    }
}

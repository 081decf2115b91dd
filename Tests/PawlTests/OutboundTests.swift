import Foundation
import TestSupport
import Testing

/// Whom the server trusts when it makes requests by itself.
@Suite struct OutboundTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// What a provider says of a client whose sector is described by another server, which gives no description.
    private func complaint(of provider: Server, about other: Server) async throws -> String {
        let port = try #require(other.addresses.last?.port)
        let metadata =
            #"{"redirect_uris":["https://app.example/"],"subject_type":"pairwise","#
            + #""sector_identifier_uri":"https://localhost:\#(port)/jwks.json"}"#
        let answer = try await provider.curl("/register", ["-H", "Content-Type: application/json", "-d", metadata])
        #expect(answer.status == 400)
        return try #require(try answer.object()["error_description"] as? String)
    }

    private func encrypted() async throws -> Server {
        try await Server(
            ["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")],
            in: directory)
    }

    private var authority: String { directory.path("tls/ca.pem") }

    /// Reading the authorities takes longer than the rest of the start, and most servers never need them.
    @Test func readsTheAuthoritiesOfTheSystemWhenItNeedsThem() async throws {
        let system = directory.path("system.pem")
        let other = try await encrypted()
        let provider = try await Server(environment: ["SSL_CERT_FILE": system])
        try FileManager.default.copyItem(atPath: authority, toPath: system)
        let complaint = try await complaint(of: provider, about: other)
        #expect(complaint.contains("JSON array"), "\(complaint)")
        #expect(await provider.stop() == 0)
        #expect(await other.stop() == 0)
    }

    /// What could not be read is not remembered.
    @Test func looksForTheAuthoritiesOfTheSystemUntilThereAreSome() async throws {
        let system = directory.path("system.pem")
        let other = try await encrypted()
        let provider = try await Server(environment: ["SSL_CERT_FILE": system])
        let before = try await complaint(of: provider, about: other)
        #expect(before.contains("cannot be fetched"), "\(before)")
        try FileManager.default.copyItem(atPath: authority, toPath: system)
        let after = try await complaint(of: provider, about: other)
        #expect(after.contains("JSON array"), "\(after)")
        #expect(await provider.stop() == 0)
        #expect(await other.stop() == 0)
    }

    /// And what cannot be read again stays as it was.
    @Test func readsTheAuthoritiesAgainAtSIGHUP() async throws {
        let other = try await encrypted()
        let stranger = try await Server(
            ["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("strange")],
            in: directory)
        let file = directory.path("trusted.pem")
        try FileManager.default.copyItem(atPath: directory.path("strange/ca.pem"), toPath: file)
        let provider = try await Server(["--outbound-ca", file])
        let before = try await complaint(of: provider, about: other)
        #expect(before.contains("cannot be fetched"), "\(before)")
        try Data(contentsOf: URL(filePath: authority)).write(to: URL(filePath: file))
        provider.process.send(SIGHUP)
        #expect(await provider.process.errors.first { $0.contains("keys read again") } != nil)
        let after = try await complaint(of: provider, about: other)
        #expect(after.contains("JSON array"), "\(after)")
        try FileManager.default.removeItem(atPath: file)
        provider.process.send(SIGHUP)
        #expect(await provider.process.errors.first { $0.contains("the authorities stay as they were") } != nil)
        let still = try await complaint(of: provider, about: other)
        #expect(still.contains("JSON array"), "\(still)")
        for server in [provider, other, stranger] { #expect(await server.stop() == 0) }
    }

    @Test(arguments: ["option", "variable", "file"])
    func trustsWhomItIsTold(by way: String) async throws {
        let other = try await encrypted()
        var arguments: [String] = []
        var environment: [String: String] = [:]
        switch way {
        case "option": arguments = ["--outbound-ca", authority]
        case "variable": environment["PAWL_OUTBOUND_CA"] = authority
        default:
            let file = directory.path("config.json")
            try Data(#"{"outbound_ca":"tls/ca.pem"}"#.utf8).write(to: URL(filePath: file))
            arguments = ["--config", file]
        }
        let provider = try await Server(arguments, environment: environment)
        #expect(provider.process.output.text.contains(#""outbound_ca":"\#(authority)""#))
        let complaint = try await complaint(of: provider, about: other)
        #expect(complaint.contains("JSON array"), "\(complaint)")
        #expect(await provider.stop() == 0)
        #expect(await other.stop() == 0)
    }

    @Test func refusesAuthoritiesThatAreNone() async throws {
        let empty = directory.path("empty.pem")
        try Data("none".utf8).write(to: URL(filePath: empty))
        for file in [empty, directory.path("missing.pem")] {
            let result = try await Pawl.run("serve", "--listen", "127.0.0.1:0", "--outbound-ca", file)
            #expect(result.exitCode == 3, "\(result.errors)")
            #expect(result.errors.contains(file))
            #expect(!result.errors.contains("OpenSSL"), "\(result.errors)")
            #expect(result.errors.contains("no such file") == (file != empty), "\(result.errors)")
        }
    }

    /// What a server would refuse, the check refuses before it.
    @Test func theCheckReadsTheAuthorities() async throws {
        let file = directory.path("config.json")
        try Data("{\n  \"outbound_ca\": \"nope.pem\"\n}".utf8).write(to: URL(filePath: file))
        let missing = try await Pawl.run("config", "check", file)
        #expect(missing.exitCode == 1)
        #expect(missing.errors.hasPrefix("\(file):2:18: outbound_ca: "), "\(missing.errors)")
        #expect(missing.errors.contains("\(directory.path("nope.pem")): no such file"), "\(missing.errors)")
        #expect(try await Pawl.run("config", "check", "--without-secrets", file).exitCode == 0)
        try Data("none".utf8).write(to: URL(filePath: directory.path("nope.pem")))
        #expect(try await Pawl.run("config", "check", file).exitCode == 1)
        let other = try await encrypted()
        #expect(await other.stop() == 0)
        try FileManager.default.removeItem(atPath: directory.path("nope.pem"))
        try FileManager.default.copyItem(atPath: authority, toPath: directory.path("nope.pem"))
        #expect(try await Pawl.run("config", "check", file).exitCode == 0)
    }

    @Test func isPrintedAndBelongsToTheRoot() async throws {
        let file = directory.path("config.json")
        try Data(#"{"outbound_ca":"ca.pem"}"#.utf8).write(to: URL(filePath: file))
        #expect(try await Pawl.run("config", "print", file).object()["outbound_ca"] as? String == "ca.pem")
        try Data(#"{"tenants":{"a":{"outbound_ca":"ca.pem"}}}"#.utf8).write(to: URL(filePath: file))
        let result = try await Pawl.run("config", "check", file)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("tenants.a.outbound_ca: there is no such member"))
    }

    @Test func trustsNobodyElse() async throws {
        let other = try await encrypted()
        let provider = try await Server()
        let complaint = try await complaint(of: provider, about: other)
        #expect(complaint.contains("cannot be fetched"), "\(complaint)")
        #expect(await provider.stop() == 0)
        #expect(await other.stop() == 0)
    }
}

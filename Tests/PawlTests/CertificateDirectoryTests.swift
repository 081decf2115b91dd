import Foundation
import Networking
import TestSupport
import Testing

/// Where the automatic certificate is kept, as its user sees it.
@Suite struct CertificateDirectoryTests {
    @Test func refusesADirectoryThatOthersMayWrite() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path("tls"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path("tls"))
        let result = try await ProcessRunner.run(
            Pawl.executable, ["serve", "--no-http", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")])
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("chmod 700 \(directory.path("tls"))"))
    }

    /// Somebody who keeps the directory locked keeps the certificate as it is, and nothing else.
    @Test func endsThoughTheDirectoryIsLocked() async throws {
        let directory = try TemporaryDirectory()
        let server = try await Server(
            ["--no-http", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")], in: directory)
        let holder = try PrivateDirectory(path: directory.path("tls"))
        server.process.send(SIGHUP)
        let line = await server.process.errors.first { $0.contains("the certificate stays as it was") }
        #expect(line?.contains("locked") == true)
        #expect(await server.stop() == 0)
        withExtendedLifetime(holder) {}
    }
}

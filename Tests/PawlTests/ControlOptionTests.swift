import Foundation
import TestSupport
import Testing

/// The control API of the binary: who may use it follows from the options.
@Suite struct ControlOptionTests {
    private static let secret = "a-secret-of-the-tests"

    private func secretFile(_ text: String = secret + "\n") throws -> (TemporaryDirectory, String) {
        let directory = try TemporaryDirectory()
        try Data(text.utf8).write(to: URL(filePath: directory.path("secret")))
        return (directory, directory.path("secret"))
    }

    @Test func isForThisMachineUnlessToldOtherwise() async throws {
        let server = try await Server()
        #expect(try await server.curl("/_pawl/clock").status == 200)
        #expect(try await server.curl("/_pawl/clock", ["-H", "Host: evil.example"]).status == 403)
        #expect(await server.stop() == 0)
    }

    @Test func takesTheSecretOfAFile() async throws {
        let (directory, file) = try secretFile()
        let server = try await Server(["--control-secret-file", file])
        #expect(try await server.curl("/_pawl/clock").status == 401)
        #expect(try await server.curl("/_pawl/clock", ["-H", "Authorization: Bearer \(Self.secret)"]).status == 200)
        #expect(await server.stop() == 0)
        #expect(!server.process.errors.text.contains(Self.secret))
        withExtendedLifetime(directory) {}
    }

    @Test func isNotThereWhenItIsOff() async throws {
        let server = try await Server(["--no-control"])
        #expect(try await server.curl("/_pawl/clock").status == 404)
        #expect(await server.stop() == 0)
    }

    @Test(arguments: ["short", "a secret with spaces in it", ""])
    func refusesASecretThatCouldBeTriedOrNotSent(_ text: String) async throws {
        let (directory, file) = try secretFile(text)
        let result = try await Pawl.run(["serve", "--listen", "127.0.0.1:0", "--control-secret-file", file])
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("control secret"))
        #expect(text.isEmpty || !result.errors.contains(text))
        withExtendedLifetime(directory) {}
    }

    @Test func refusesASecretForNothing() async throws {
        let (directory, file) = try secretFile()
        let result = try await Pawl.run(
            ["serve", "--listen", "127.0.0.1:0", "--no-control", "--control-secret-file", file])
        #expect(result.exitCode != 0)
        withExtendedLifetime(directory) {}
    }

    /// Somebody who waits for a request does not keep the server from ending.
    @Test func endsWhileSomebodyWaits() async throws {
        let server = try await Server()
        async let waiting = server.curl("/_pawl/requests?wait=20s")
        // What the control API answers itself is not recorded, and wakes nobody.
        _ = try await server.curl("/_pawl/clock")
        #expect(await server.stop() == 0)
        _ = try await waiting
    }
}

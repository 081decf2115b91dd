#if canImport(Glibc)
import Foundation
import TestSupport
import Testing

/// The adapters for the Keychain, which this system does not have, against stubs that declare exactly what they use of it: they
/// compile, and keep to the rules on a model. What a device does they do not show.
@Suite struct KeychainStubTests {
    @Test func theAdaptersCompileAndKeepToTheRules() async throws {
        let directory = try TemporaryDirectory()
        let script = Repository.root.appending(path: "Tests/AppleStubs/check-keychain")
        let result = try await ProcessRunner.run(script, [directory.path("built")])
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("keep to the rules"))
    }
}
#endif

#if canImport(Glibc)
import Foundation
import Primitives
import SessionClient
import TestSupport
import Testing

/// What Apple's platforms compile, which this one does not, against stubs that declare what is used of Apple's API. What a
/// device does it does not show.
@Suite struct ApplePlatformTests {
    private static func stubs(_ script: String) -> URL {
        Repository.root.appending(path: "Tests/AppleStubs/\(script)")
    }

    @Test func theAdaptersKeepToTheRulesOnTheModels() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        // This process has OpenSSL, and the one that is started CryptoKit: each reads what the other has sealed.
        let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_800_000_000))
        let store = EncryptedFileStore(directory: directory.path("store"), clock: clock)
        let key = try DPoPKey.generate()
        _ = try await store.write(key.pem().withBytes { Array($0) }, over: nil)

        let result = try await ProcessRunner.run(
            Self.stubs("check-run"), [directory.path("built"), directory.path("store")])
        #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("keep to the rules"))
        #expect(result.output.contains("is of use to OpenSSL's, and the other way about"))
        #expect(try await store.read()?.payload == Array(key.thumbprint.utf8))
    }

    @Test func theClientCompilesForAMac() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let canary = directory.path("Canary.swift")
        try Data(
            """
            import Darwin
            import SessionClient
            #if canImport(Glibc) || canImport(FoundationNetworking) || canImport(COpenSSL) || !os(macOS)
            #error("this is no Mac")
            #endif
            func canary(_ bytes: UnsafeMutableRawPointer) { explicit_bzero(bytes, 1) }
            """.utf8
        ).write(to: URL(filePath: canary))
        // What the compiler makes of the standard library takes it half a minute, and is the same each time.
        let built = Repository.root.appending(path: ".build/apple-platforms").path()
        let result = try await ProcessRunner.run(Self.stubs("check-types"), [built, canary])
        #expect(result.output.contains("the session client compiles for"), "\(result.output)\(result.errors)")
        // And would be found out if it did not.
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("cannot find 'explicit_bzero'"), "\(result.errors)")
        #expect(!result.errors.contains("error: this is no Mac"), "\(result.errors)")
    }
}
#endif

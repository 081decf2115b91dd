#if canImport(Glibc)
import Foundation
import TestSupport
import Testing

/// The adapters for Apple platforms compile against stubs that declare what they use of Apple's API. That the stubs say what
/// Apple's headers say, and that the adapters work, is not shown by this.
@Suite struct AppleAdapterTests {
    @Test func theWebKitAdapterFitsTheStubs() async throws {
        let compiler = try await StubCompiler()
        #expect(try await compiler.check([]) == "")
        // And would be found out if it did not.
        let canary = compiler.directory.path("Canary.swift")
        try Data(
            """
            import WebKit
            @MainActor func canary(_ view: WKWebView) { view.loadWithoutAnybodyKnowing() }
            """.utf8
        ).write(to: URL(filePath: canary))
        #expect(try await compiler.check([canary]).contains("loadWithoutAnybodyKnowing"))
    }
}

/// Compiles the web part of the session client as if Apple's frameworks were here.
private struct StubCompiler {
    let directory: TemporaryDirectory
    private let compiler: URL
    private let options: [String]

    init() async throws {
        directory = try TemporaryDirectory()
        compiler = try #require(ProcessRunner.find("swiftc"))
        options = [
            "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
            "MemberImportVisibility", "-warnings-as-errors", "-package-name", "pawl", "-parse-as-library", "-wmo",
            "-I", directory.url.path(),
        ]
        for stub in ["Foundation", "WebKit"] {
            try await emit(stub, [Repository.root.appending(path: "Tests/AppleStubs/\(stub)/\(stub).swift").path()])
        }
        // There is no such module on Apple platforms: here an empty one stands before that of Linux.
        let nothing = directory.path("Nothing.swift")
        try Data().write(to: URL(filePath: nothing))
        try await emit("FoundationNetworking", [nothing])
        for module in ["Primitives", "Cookies", "HTTPMessages"] { try await emit(module, sources(in: module)) }
        try await emit("SessionClient", sources(in: "SessionClient/Web"))
    }

    private func sources(in folder: String) -> [String] {
        let base = Repository.root.appending(path: "Sources/\(folder)").path()
        let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.map { "\(base)/\($0)" }
    }

    private var adapters: [String] {
        let conversion = Repository.root.appending(path: "Sources/SessionClientFoundation/Cookie+HTTPCookie.swift")
        return sources(in: "SessionClientFoundation/WebKit") + [conversion.path()]
    }

    private func emit(_ module: String, _ files: [String]) async throws {
        let result = try await ProcessRunner.run(
            compiler,
            options + [
                "-emit-module", "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies", "-module-name",
                module, "-emit-module-path", directory.path("\(module).swiftmodule"),
            ]
                + files)
        try #require(result.exitCode == 0, "\(result.errors)")
    }

    /// What the compiler has against it.
    func check(_ more: [String]) async throws -> String {
        let result = try await ProcessRunner.run(
            compiler,
            options + ["-typecheck", "-module-name", "SessionClientFoundation"] + adapters + more)
        return result.errors
    }
}
#endif

#if canImport(Glibc)
import Foundation
import Glibc

/// Runs programs to their end.
package enum ProcessRunner {
    package struct Result: Sendable {
        /// 128 and the signal's number if a signal was the end.
        package let exitCode: Int32
        package let outputBytes: [UInt8]
        package let errors: String

        package var output: String { String(decoding: outputBytes, as: UTF8.self) }
    }

    /// The environment of the tests without what would steer the program under test.
    package static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PAWL_") && $0.key != "NO_COLOR" }
    }

    /// The streams are files: nothing can fill up, and there is no end of a pipe for another child to inherit.
    package static func run(
        _ executable: URL, _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        let files = ["input", "output", "errors"].map { URL(filePath: directory.path($0)) }
        try input.write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }
        let descriptors = [
            open(files[0].path(), O_RDONLY | O_CLOEXEC), open(files[1].path(), O_WRONLY | O_CLOEXEC),
            open(files[2].path(), O_WRONLY | O_CLOEXEC),
        ]
        defer { for descriptor in descriptors { close(descriptor) } }
        let process = try ChildProcess(
            executable.path(), arguments, environment: Self.environment.merging(environment) { $1 },
            input: descriptors[0], output: descriptors[1], errors: descriptors[2])
        let exitCode = await process.waitForExit()
        return Result(
            exitCode: exitCode, outputBytes: Array(try Data(contentsOf: files[1])),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Where a program of that name is on the path; `nil` where it is not installed.
    package static func find(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").lazy
            .map { URL(filePath: String($0)).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }

    /// Beside the running test bundle, where the build puts every product.
    package static func product(_ name: String) -> URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }
}
#endif

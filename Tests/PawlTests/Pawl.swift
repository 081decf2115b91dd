import Foundation
import TestSupport

/// The program as its users have it: a command line in, an exit code and two streams out.
enum Pawl {
    static let executable = ProcessRunner.product("pawl")

    static func run(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
    ) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(
            executable, arguments, input: Data((input ?? "").utf8), environment: environment)
    }

    static func run(_ arguments: String..., input: String? = nil) async throws -> ProcessRunner.Result {
        try await run(arguments, input: input)
    }

    /// The words of every command, found by reading the help as a user would.
    static func commands() async throws -> [[String]] {
        try await commands(below: [])
    }

    private static func commands(below path: [String]) async throws -> [[String]] {
        let help = try await run(path + ["--help"]).output
        var found = [path]
        for name in entries(of: "Commands", in: help) { found += try await commands(below: path + [name]) }
        return found
    }

    /// The names in a section of a help text.
    static func entries(of section: String, in help: String) -> [String] {
        guard let start = help.range(of: "\(section):\n") else { return [] }
        let body = help[start.upperBound...].components(separatedBy: "\n\n")[0]
        return body.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .map { String($0.split(separator: " ")[0]) }
    }
}

extension ProcessRunner.Result {
    var trimmedOutput: String { output.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The output as a JSON object.
    func object() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] else {
            throw CocoaError(.coderReadCorrupt)
        }
        return object
    }
}

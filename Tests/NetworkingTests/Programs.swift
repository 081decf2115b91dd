import Foundation
import TestSupport
import Testing

/// What a program printed, on both of its outputs, and how it ended.
struct ProgramResult: Sendable {
    let status: Int32
    let output: String
}

/// Runs a program from the path.
@discardableResult
func run(_ program: String, _ arguments: [String], input: String = "") async throws -> ProgramResult {
    let executable = try #require(ProcessRunner.find(program), "\(program) is not installed")
    let result = try await ProcessRunner.run(executable, arguments, input: Data(input.utf8))
    return ProgramResult(status: result.exitCode, output: result.output + result.errors)
}

import Foundation
import JOSE
import Primitives
import TestSupport
import Testing

/// `Tests/CrossChecks/jose.py`: an implementation that shares no code with ours.
enum OtherImplementation {
    private static let script = OtherImplementations.folder.appending(path: "jose.py")

    /// The answers in the order of the questions. One process for all: Python takes its time to start.
    static func ask(_ questions: [JSON]) async throws -> [JSON] {
        let result = try await ProcessRunner.run(
            OtherImplementations.python, [script.path()], input: Data(JSON.array(questions).serialised()))
        #expect(result.exitCode == 0, "\(result.errors)")
        let answers = try JSON(parsing: result.outputBytes.span, limits: JSONLimits(bytes: 16 << 20))
        return try #require(answers.array)
    }

    /// The answers, each of which must be a success.
    static func successes(_ questions: [JSON]) async throws -> [JSON] {
        let answers = try await ask(questions)
        try #require(answers.count == questions.count)
        return try zip(questions, answers).map { question, answer in
            let operation = question["operation"]?.string ?? ""
            return try #require(
                answer["ok"], "\(operation) \(question["alg"]?.string ?? ""): \(answer["error"]?.string ?? "")")
        }
    }
}

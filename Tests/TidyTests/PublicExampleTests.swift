import Foundation
import Testing

/// The public API is documented by examples, and the examples compile: each stands in a test too.
@Suite struct PublicExampleTests {
    private static let sources = SourceTree.sources.filter { $0.module == "IdentityProviderTesting" }
    private static let examples = SourceTree.tests.filter { $0.path.contains("IdentityProviderTestingTests/Examples/") }
        .map { file in file.lines.map { Example.normalised($0) } }

    @Test(arguments: sources.filter { !Example.all(in: $0).isEmpty })
    func everyExampleStandsInATest(_ file: SourceFile) {
        for example in Example.all(in: file) {
            #expect(
                Self.examples.contains { $0.contains(example.lines) },
                "\(file.path):\(example.number) is in no file of Tests/IdentityProviderTestingTests/Examples")
        }
    }

    /// Types and functions have one of their own; values and cases are in that of their type.
    @Test(arguments: sources)
    func everyPublicTypeAndFunctionHasAnExample(_ file: SourceFile) {
        let kinds = ["struct ", "final class ", "enum ", "func ", "static func ", "init("]
        for (index, line) in file.lines.enumerated() {
            let text = line.drop { $0 == " " }
            guard kinds.contains(where: { text.hasPrefix("public " + $0) }), !text.contains("Literal") else { continue }
            #expect(Example.stands(above: index, in: file), "\(file.path):\(index + 1)")
        }
    }

    @Test func thereAreExamples() {
        #expect(Self.sources.flatMap { Example.all(in: $0) }.count > 40)
    }
}

/// A block of code in a doc comment.
private struct Example {
    /// Of its first line.
    let number: Int
    let lines: [String]

    static func all(in file: SourceFile) -> [Example] {
        var found: [Example] = []
        var lines: [String] = []
        for (index, line) in (file.lines + [""]).enumerated() {
            if let code = code(in: line) {
                lines.append(normalised(code[...]))
            } else if !lines.isEmpty {
                found.append(Example(number: index - lines.count + 1, lines: lines))
                lines = []
            }
        }
        return found
    }

    static func stands(above index: Int, in file: SourceFile) -> Bool {
        var above = index - 1
        while above >= 0 {
            let text = file.lines[above].drop { $0 == " " }
            guard text.hasPrefix("///") || text.hasPrefix("@") else { return false }
            if code(in: file.lines[above]) != nil { return true }
            above -= 1
        }
        return false
    }

    private static func code(in line: Substring) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("///     ") else { return nil }
        return String(text.dropFirst(8))
    }

    /// Without what the formatter may move: indentation, and what stands behind two slashes.
    static func normalised(_ line: Substring) -> String {
        var code = line[...]
        if let remark = line.range(of: " //") { code = line[..<remark.lowerBound] }
        return code.split(separator: " ").joined(separator: " ")
    }
}

extension [String] {
    fileprivate func contains(_ block: [String]) -> Bool {
        guard block.count <= count else { return false }
        return (0...(count - block.count)).contains { Array(self[$0..<($0 + block.count)]) == block }
    }
}

import Foundation
import TestSupport
import Testing

/// A page of a catalogue of documentation.
struct Article: Sendable, CustomTestStringConvertible {
    /// Relative to the root of the checkout.
    let path: String
    let lines: [Substring]

    var testDescription: String { path }
    var name: String { String((path.split(separator: "/").last ?? "").dropLast(3)) }

    /// All of those in `Sources`.
    static let all: [Article] = {
        let base = Repository.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(atPath: base.path())?.compactMap { $0 as? String } ?? []
        return names.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted().map { Article("Sources/\($0)") }
    }()

    init(_ path: String) {
        let text = try? String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        self.init(path: path, text: text ?? "")
    }

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Its blocks of Swift, without what a file imports, and without what the formatter may move.
    var swiftBlocks: [(number: Int, lines: [String])] {
        var found: [(number: Int, lines: [String])] = []
        var block: [String]?
        for (index, line) in lines.enumerated() {
            if let open = block {
                guard line == "```" else {
                    if !line.hasPrefix("import ") { block?.append(Example.normalised(line)) }
                    continue
                }
                found.append((index, Array(open.drop(while: \.isEmpty))))
                block = nil
            } else if line == "```swift" {
                block = []
            }
        }
        return found
    }

    /// What is named `Suite/test` between backticks.
    var namedTests: [String] {
        let quoted = lines.joined(separator: "\n").split(separator: "`", omittingEmptySubsequences: false)
        return quoted.filter { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasSuffix("Tests") else { return false }
            return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "_" }
        }.map(String.init)
    }
}

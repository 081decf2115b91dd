import Foundation
import TestSupport
import Testing

/// The project's own Swift sources, read once.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// Relative to the root of the checkout: `Sources/JOSE/Keys/JWK.swift`.
    let path: String
    let lines: [Substring]

    var testDescription: String { path }

    /// The folder below `Sources/`: the module it belongs to.
    var module: String { String(path.split(separator: "/")[1]) }

    /// The modules it imports, without those of the toolchain that are spelled `import struct X.Y`.
    var imports: [String] {
        lines.compactMap { line in
            var words = line.split(separator: " ")
            while let first = words.first, first.hasPrefix("@") || Self.accessLevels.contains(first) {
                words.removeFirst()
            }
            guard words.first == "import", words.count >= 2 else { return nil }
            let named = Self.kinds.contains(words[1]) ? words[2] : words[1]
            return String(named.prefix { $0 != "." && $0 != ";" })
        }
    }

    private static let accessLevels: Set<Substring> = ["public", "package", "internal", "private", "fileprivate"]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "func", "protocol", "typealias", "let", "var",
    ]
}

enum SourceTree {
    static let sources = read("Sources")
    static let tests = read("Tests") + read("Benchmarks") + read("Fuzzing") + read("Harnesses")

    private static func read(_ folder: String) -> [SourceFile] {
        let base = Repository.root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path()) else { return [] }
        let names = walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
        return names.map { name in
            let text = (try? String(contentsOf: base.appending(path: name), encoding: .utf8)) ?? ""
            return SourceFile(
                path: "\(folder)/\(name)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }
}

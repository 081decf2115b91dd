import Foundation
import TestSupport
import Testing

/// A file longer than this holds two rooms.
private let longestFile = 500

@Suite struct StyleTests {
    @Test(arguments: SourceTree.sources + SourceTree.tests)
    func isOfReadableLength(_ file: SourceFile) {
        #expect(file.lines.count <= longestFile, "\(file.path) has \(file.lines.count) lines")
    }

    @Test(arguments: SourceTree.sources)
    func documentsItsPublicSymbolsAndItsTypes(_ file: SourceFile) {
        for index in file.undocumentedDeclarations() {
            Issue.record("\(file.path):\(index + 1) has no doc comment: \(file.lines[index])")
        }
    }

    @Test(arguments: SourceTree.sources + SourceTree.tests)
    func leavesNothingForLater(_ file: SourceFile) {
        // Put together here, so that this file does not find itself.
        let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:", "not " + "implemented"]
        for (index, line) in file.lines.enumerated() {
            for mark in marks {
                #expect(!line.contains(mark), "\(file.path):\(index + 1)")
            }
        }
    }

    @Test func testsSeeWhatOthersSee() {
        for file in SourceTree.tests {
            #expect(!file.lines.contains { $0.hasPrefix("@test" + "able ") }, "\(file.path)")
        }
    }

    /// `scripts/build-release-tests` links tests that were compiled against the debug build with the modules of the release build:
    /// they have to agree in all that one module sees of another.
    @Test(arguments: SourceTree.sources + SourceTree.tests)
    func bothBuildsDeclareTheSame(_ file: SourceFile) {
        for index in file.conditionsOfABuild() {
            Issue.record("\(file.path):\(index + 1) asks in which build it is: \(file.lines[index])")
        }
    }

    /// Nor may the manifest tell one build what it does not tell the other.
    @Test func noConditionIsOfOurOwn() throws {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.contains(".testTarget(") && !manifest.contains(".define("))
    }

    @Test func formatterHasNoComplaint() async throws {
        let folders = ["Sources", "Tests", "Benchmarks", "Fuzzing", "Harnesses", "Package.swift"].map {
            Repository.root.appending(path: $0).path()
        }
        let swift = try #require(ProcessRunner.find("swift"))
        let result = try await ProcessRunner.run(
            swift, ["format", "lint", "--strict", "--recursive", "--parallel"] + folders)
        #expect(result.exitCode == 0, "\(result.errors)")
    }
}

extension SourceFile {
    /// Lines of which it depends on the build whether others are compiled.
    func conditionsOfABuild() -> [Int] {
        lines.indices.filter { index in
            let line = lines[index].drop { $0 == " " }
            guard line.hasPrefix("#if ") || line.hasPrefix("#elseif ") else { return false }
            return line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
                .split { !$0.isLetter && $0 != "_" }.contains("DEBUG")
        }
    }

    /// Lines that declare a public symbol, or a type that other modules see, with no doc comment above.
    func undocumentedDeclarations() -> [Int] {
        lines.indices.filter { index in
            let line = lines[index].drop { $0 == " " }
            guard Self.mustBeDocumented(line) else { return false }
            var above = index - 1
            while above >= 0 {
                let text = lines[above].drop { $0 == " " }
                if text.hasPrefix("///") { return false }
                guard text.hasPrefix("@") || text.hasPrefix("#") else { return true }
                above -= 1
            }
            return true
        }
    }

    private static func mustBeDocumented(_ line: Substring) -> Bool {
        if line.hasPrefix("public ") {
            return !line.hasPrefix("public extension")
        }
        let types = ["struct ", "class ", "final class ", "enum ", "indirect enum ", "actor ", "protocol "]
        return types.contains { line.hasPrefix("package " + $0) }
    }
}

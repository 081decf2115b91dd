import Foundation
import TestSupport
import Testing

/// Holds `docs/conformance.md` to the tests that it names and to the modules that it has to answer.
@Suite struct ConformanceTests {
    static let page = text("docs/conformance.md")
    static let rows = ConformancePage(page).rows

    private static func text(_ path: String) -> String {
        (try? String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)) ?? ""
    }

    /// Every `Suite/function` between backticks is a test.
    @Test func namesNoTestThatIsNotThere() {
        let named = ConformancePage.tests(in: Self.page)
        #expect(named.count > 100)
        let there = SourceTree.tests.reduce(into: Set<String>()) { $0.formUnion($1.testNames) }
        for name in Set(named).subtracting(there).sorted() { Issue.record("there is no test \(name)") }
    }

    @Test func answersEveryModuleInItsPlace() {
        let modules = Self.text("Fixtures/conformance/modules.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(modules.count > 150)
        var section = ""
        for line in modules {
            if line.hasPrefix("[") {
                section = String(line.dropFirst().dropLast())
                continue
            }
            let rows = Self.rows.filter { $0.section == section && $0.module == line }
            #expect(rows.count == 1, "\(section): \(line)")
        }
    }

    /// A line shows its answer, or says that there is nothing to show.
    @Test func everyLineHasATestOrAReason() {
        for row in Self.rows {
            let answer = row.cells.last ?? ""
            let isAnswered = !ConformancePage.tests(in: answer).isEmpty || answer.contains("does not apply")
            #expect(isAnswered, "\(row.section): \(row.module)")
        }
    }

    @Test func findsTestsAndNothingElse() {
        let lines = [
            "@Suite struct A {", "    @Test(arguments: [1, 2])", "    func first(n: Int) {}", "    func helper() {}",
            "    @Test func second() {}", "}", "extension B {", "    @Test func third() {}", "}",
        ]
        let file = SourceFile(path: "Tests/T/A.swift", lines: lines.map { $0[...] })
        #expect(file.testNames == ["A/first", "A/second", "B/third"])
        #expect(ConformancePage.tests(in: "| `m` | `a/b/c` `A/first`, `Tests/TidyTests` |") == ["A/first"])
    }
}

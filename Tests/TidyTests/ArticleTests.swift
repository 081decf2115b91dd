import Foundation
import Testing

/// The pages of the catalogue say what is there: their Swift compiles, their tests exist, and each has its place.
@Suite struct ArticleTests {
    private static let examples = SourceTree.tests.filter { $0.path.contains("/Examples/") }
        .map { file in file.lines.map { Example.normalised($0) } }
    private static let testNames = SourceTree.tests.reduce(into: Set<String>()) { $0.formUnion($1.testNames) }
    private static let guides = ["SessionClient", "Adopting", "Migrating", "WhenThingsGoWrong"]
    private static let failures = Article.all.filter { !guides.contains($0.name) }

    @Test(arguments: Article.all + [Article("docs/session-client.md")])
    func everyBlockOfSwiftStandsInATest(_ article: Article) {
        for block in article.swiftBlocks {
            let isThere = Self.examples.contains { $0.contains(block.lines) }
            #expect(isThere, "\(article.path):\(block.number) is in no file of Tests/*/Examples")
        }
    }

    @Test func theReadMeShowsTheSessionAsTheOthersDo() throws {
        let block = try #require(Article("docs/session-client.md").swiftBlocks.first)
        #expect(Article("README.md").swiftBlocks.contains { $0.lines == block.lines })
    }

    @Test(arguments: Article.all)
    func namesNoTestThatIsNotThere(_ article: Article) {
        for name in Set(article.namedTests).subtracting(Self.testNames) {
            Issue.record("\(article.path): there is no test \(name)")
        }
    }

    /// What one sees, why it is so, what is done about it, what shows it, and what no library can help.
    @Test(arguments: failures)
    func everyFailureHasItsParts(_ article: Article) {
        let parts = article.lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(parts == ["What happens", "What the library does", "See it happen", "What remains"])
        #expect(!article.namedTests.isEmpty)
        #expect((20...60).contains(article.lines.count))
    }

    @Test func thereIsAPageForEachFailure() throws {
        #expect(Self.failures.count >= 16)
        let overview = try #require(Article.all.first { $0.name == "WhenThingsGoWrong" })
        let links = overview.lines.joined(separator: "\n")
        for article in Self.failures {
            // Once for what one sees, and once in its group.
            #expect(links.ranges(of: "<doc:\(article.name)>").count == 2, "\(article.name)")
        }
    }

    /// Types that are there on Apple platforms alone are not in the symbols of Linux.
    @Test(arguments: ["SessionClient", "SessionClientFoundation"])
    func everyPublicTypeHasItsPlaceOnTheFirstPage(_ module: String) throws {
        let page = try #require(Article.all.first { $0.name == "SessionClient" })
        let text = page.lines.joined(separator: "\n")
        let types = SourceTree.sources.filter { $0.module == module }.flatMap { PublicDeclaration.all(in: $0) }
            .filter { $0.kind == .type && !$0.name.contains(".") }
        #expect(!types.isEmpty)
        for type in types where !type.path.contains("/WebKit/") && !type.path.contains("/Keychain/") {
            #expect(text.contains("- ``\(module == page.name ? "" : "/\(module)/")\(type.name)``"), "\(type.place)")
        }
    }

    @Test func findsBlocksAndTests() {
        let article = Article(
            path: "A.md",
            text: """
                `SomeTests/R1_holds` and `Some/Type`
                ```swift
                import SessionClient

                let a = 1  // one
                ```
                ```javascript
                let b
                ```
                """)
        #expect(article.swiftBlocks.map(\.lines) == [["let a = 1"]])
        #expect(article.namedTests == ["SomeTests/R1_holds"])
    }
}

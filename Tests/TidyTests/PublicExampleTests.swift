import Testing

/// The public API is documented by examples, and the examples compile: each stands in a test too.
@Suite struct PublicExampleTests {
    private static let table = [
        PublicModule("IdentityProviderTesting", .everyTypeAndFunction),
        PublicModule("SessionClient", .everyTypeAndFunction),
        PublicModule("SessionClientFoundation", .everyTypeAndFunction),
        PublicModule("Cookies", .everyTypeAndFunction),
        PublicModule("OAuth", .everyType),
        PublicModule("HTTPMessages", .everyType),
        PublicModule("Primitives", .everyType),
    ]
    private static let all = table.flatMap(\.declarations)

    @Test(arguments: table)
    func everyExampleStandsInATest(_ module: PublicModule) {
        let tests = module.tests
        for declaration in module.declarations where !declaration.examples.isEmpty {
            for example in declaration.examples {
                #expect(
                    tests.contains { $0.contains(example.lines) },
                    "\(declaration.path):\(example.number) is in no file of \(module.folder)")
            }
        }
    }

    @Test(arguments: table)
    func everyPublicTypeHasAnExample(_ module: PublicModule) {
        for type in module.declarations where type.kind == .type {
            #expect(type.isShown(among: Self.all), "\(type.place) has no example")
        }
    }

    @Test(arguments: table.filter { $0.demand == .everyTypeAndFunction })
    func everyPublicFunctionHasAnExample(_ module: PublicModule) {
        for function in module.declarations where function.kind == .function {
            #expect(function.isShown(among: Self.all), "\(function.place) has no example")
        }
    }

    @Test(arguments: table)
    func thereAreExamples(_ module: PublicModule) {
        #expect(module.declarations.contains { !$0.examples.isEmpty })
    }

    @Test func findsWhatHasNoExample() {
        let file = SourceFile(
            path: "Sources/Made/Up.swift",
            lines: """
                /// Shown.
                ///
                ///     let shop = Shop(name: "corner")
                ///     shop.open()
                public struct Shop: Hashable {
                    public enum Kind { case small }
                    public init(name: String) {}
                    public init(_ name: String) {}
                    public func open() {}
                    @discardableResult
                    public mutating func close() -> Bool { true }
                    public static func == (left: Self, right: Self) -> Bool { true }
                    public func hash(into hasher: inout Hasher) {}
                    package func hide() {}
                }
                /// Not shown.
                public final class Street {}
                extension Street {
                    ///     street.sweep()
                    public func sweep() {}
                    public func name() {}
                }
                extension Street: WallClock {
                    public func now() -> Timestamp { midnight }
                    public func later() {}
                }
                """.split(separator: "\n", omittingEmptySubsequences: false))
        let declarations = PublicDeclaration.all(in: file)
        let missing = declarations.filter { $0.kind != .other && !$0.isShown(among: declarations) }
        #expect(missing.map(\.name) == ["Shop.init", "Shop.close", "Street", "Street.name", "Street.later"])
        #expect(missing.map(\.number) == [8, 11, 17, 21, 25])
        #expect(declarations.flatMap(\.examples).map(\.number) == [3, 19])
    }
}

/// A module with public API, and what its documentation has to show.
struct PublicModule: Sendable, CustomTestStringConvertible {
    enum Demand {
        case everyType
        /// For what adopters call, and not only hand on.
        case everyTypeAndFunction
    }

    let name: String
    let demand: Demand

    init(_ name: String, _ demand: Demand) {
        self.name = name
        self.demand = demand
    }

    var testDescription: String { name }
    var folder: String { "Tests/\(name)Tests/Examples" }

    var declarations: [PublicDeclaration] {
        SourceTree.sources.filter { $0.module == name }.flatMap { PublicDeclaration.all(in: $0) }
    }

    /// The lines of each file in which its examples stand.
    var tests: [[String]] {
        SourceTree.tests.filter { $0.path.hasPrefix(folder + "/") }.map { $0.lines.map { Example.normalised($0) } }
    }
}

extension [String] {
    func contains(_ block: [String]) -> Bool {
        guard block.count <= count else { return false }
        return (0...(count - block.count)).contains { Array(self[$0..<($0 + block.count)]) == block }
    }
}

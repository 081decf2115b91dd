import Foundation
import IdentityProvider
import Primitives
import TestSupport
import Testing

@Suite struct ConfigurationSchemaTests {
    private func complete() throws -> JSON { try document("complete") }

    private func document(_ name: String) throws -> JSON {
        let bytes = try ConfigurationUnderTest.example(name)
        return try JSON(parsing: bytes.span)
    }

    /// `pawl config schema > docs/config.schema.json` mends it.
    @Test func thePublishedSchemaIsThatOfTheReader() throws {
        let published = try Data(contentsOf: Repository.root.appending(path: "docs/config.schema.json"))
        #expect(String(decoding: published, as: UTF8.self) == JSON.object(ConfigurationSchema.json).text(pretty: true))
    }

    /// What no example shows, no test has read.
    @Test func theCompleteExampleHasEveryMember() throws {
        var names: Set<String> = []
        collect(try complete(), into: &names)
        var expected: Set<String> = []
        properties(of: .object(ConfigurationSchema.json), into: &expected)
        let missing = expected.subtracting(names)
        #expect(missing.isEmpty, "\(missing.sorted())")
    }

    @Test func theDocumentationNamesEveryMemberButThoseOfClients() throws {
        let page = try String(
            contentsOf: Repository.root.appending(path: "docs/configuration.md"), encoding: .utf8)
        var schema = ConfigurationSchema.json
        var definitions = try #require(schema["$defs"]?.object)
        definitions["client"] = nil
        schema["$defs"] = .object(definitions)
        var names: Set<String> = []
        properties(of: .object(schema), into: &names)
        names.subtract(["$schema", "env", "file", "token", "secret", "jwks"])
        for name in names { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    private func collect(_ json: JSON, into names: inout Set<String>) {
        switch json {
        case .object(let object):
            for (name, value) in object {
                names.insert(name)
                collect(value, into: &names)
            }
        case .array(let elements):
            for element in elements { collect(element, into: &names) }
        default: break
        }
    }

    private func properties(of schema: JSON, into names: inout Set<String>) {
        switch schema {
        case .object(let object):
            for (name, value) in object {
                if name == "properties", let members = value.object {
                    for (name, value) in members where value["not"] == nil { names.insert(name) }
                }
                properties(of: value, into: &names)
            }
        case .array(let elements):
            for element in elements { properties(of: element, into: &names) }
        default: break
        }
    }

    @Test func everyMemberRefusesEveryWrongTypeAndSaysWhere() throws {
        let complete = try complete()
        let mutations = ConfigurationMutation.all(of: complete)
        #expect(mutations.count > 500)
        for mutation in mutations {
            let lines = try ConfigurationUnderTest.errors(mutation.applied(to: complete).serialised())
            let path = ": \(mutation.path)"
            let isNamed = lines.contains { $0.contains(path) }
            #expect(isNamed, "\(path) = \(mutation.value.text()): \(lines)")
        }
    }

    /// Rules for claims, each with whether the reader takes it.
    private static let rules: [(JSON, Bool)] = [
        (["when": ["user": []], "set": ["a": 1]], false), (["when": ["user": ["not": []]], "set": ["a": 1]], false),
        (["when": ["user": [:]], "set": ["a": 1]], false), (["when": ["user": nil], "set": ["a": 1]], false),
        (["when": ["user": [[]]], "set": ["a": 1]], false), (["when": ["user": ["no": "a"]], "set": ["a": 1]], false),
        (["when": ["": "a"], "set": ["a": 1]], false), (["when": ["users": "a"], "set": ["a": 1]], false),
        (["when": ["user..a": "a"], "set": ["a": 1]], false), (["when": ["scope.a": "a"], "set": ["a": 1]], false),
        (["when": ["request": "a"], "set": ["a": 1]], false), (["when": [], "set": ["a": 1]], false),
        (["when": ["request.a.b": "a"], "set": ["a": 1]], false),
        (["when": ["user.a.b.c.d.e.f.g.h": "a"], "set": ["a": 1]], false),
        ([:], false), (["set": [:]], false), (["remove": []], false), (["set": [:], "remove": []], false),
        (["when": ["user": "a"]], false), (["in": ["userinfo"]], false), (["set": ["a": 1], "in": []], false),
        (["set": ["a": nil]], false), (["set": ["a": [nil]]], false), (["set": ["a": ["b": nil]]], false),
        (["set": ["a": ["value": nil]]], false), (["set": ["a": ["from": "user", "also": 1]]], false),
        (["set": ["iss": 1]], false), (["set": ["": 1]], false), (["remove": ["sub"]], false),
        (["remove": [""]], false),
        (["when": ["user": ["a", 1, true]], "set": ["a": 1]], true),
        (["when": ["user.a.b": "a", "request.x": ["not": ["a"]], "scope": "b"], "set": ["a": 1]], true),
        (["set": ["a": ["value": ["b": nil]]]], true), (["set": ["a": ["value": 1, "b": 2]]], true),
        (["set": ["a": ["from": "user.x", "default": ["b": ["c"]]]]], true), (["remove": ["issue"]], true),
        (["set": [:], "remove": ["a"]], true), (["when": [:], "set": ["a": [:]]], true),
    ]

    /// Documents that are empty somewhere, and rules; each with whether the reader takes it.
    private func judged() throws -> [(document: JSON, isTaken: Bool)] {
        var judged: [(document: JSON, isTaken: Bool)] = []
        for mutation in try ConfigurationMutation.emptying(complete()) where !mutation.concernsOthers {
            let document = try mutation.applied(to: complete())
            judged.append((document, try ConfigurationUnderTest.errors(document.serialised()).isEmpty))
        }
        for (rule, isTaken) in Self.rules { judged.append((["claims": [rule]], isTaken)) }
        for text in ["0s", "0d0h", "1s", "0h1s"] {
            judged.append((["lifetimes": ["login": .string(text)]], text.contains("1")))
        }
        judged.append((["control": ["secret": "short"]], false))
        return judged
    }

    @Test func theReaderTakesAndRefusesRulesAsIsSaid() throws {
        for (document, isTaken) in try judged() {
            #expect(try ConfigurationUnderTest.errors(document.serialised()).isEmpty == isTaken, "\(document.text())")
        }
    }

    @Test(
        .enabled(
            if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled))
    func theSchemaTakesAndRefusesWhatIsEmptyAsTheReaderDoes() async throws {
        let judged = try judged()
        let question: JSON = [
            "schema": .object(ConfigurationSchema.json), "accepted": .array(judged.map(\.document)), "document": [:],
            "mutations": [],
        ]
        let result = try await ProcessRunner.run(
            OtherImplementations.python, [OtherImplementations.folder.appending(path: "configuration.py").path()],
            input: Data(question.serialised()))
        #expect(result.exitCode == 0, "\(result.errors)")
        let errors = try #require(try JSON(parsing: result.output)["accepted"]?.array)
        #expect(errors.count == judged.count)
        for (error, (document, isTaken)) in zip(errors, judged) {
            #expect((error == .null) == isTaken, "\(document.text()): \(error.text())")
        }
    }

    @Test(
        .enabled(
            if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled))
    func anotherImplementationAcceptsAndRefusesByTheSchemaWhatTheReaderDoes() async throws {
        let complete = try complete()
        let mutations = ConfigurationMutation.all(of: complete)
        var accepted: [JSON] = []
        for name in ConfigurationUnderTest.examples {
            accepted.append(try document(name))
        }
        let question: JSON = [
            "schema": .object(ConfigurationSchema.json), "accepted": .array(accepted), "document": complete,
            "mutations": .array(mutations.map(\.json)),
        ]
        let result = try await ProcessRunner.run(
            OtherImplementations.python, [OtherImplementations.folder.appending(path: "configuration.py").path()],
            input: Data(question.serialised()))
        #expect(result.exitCode == 0, "\(result.errors)")
        let answer = try JSON(parsing: result.output)
        let errors = answer["accepted"]?.array ?? []
        #expect(errors == Array(repeating: JSON.null, count: accepted.count))
        let refusals = answer["mutations"]?.array ?? []
        let accepting = zip(mutations, refusals).filter { $0.1.bool != true }.map {
            "\($0.0.path) = \($0.0.value.text())"
        }
        #expect(refusals.count == mutations.count)
        #expect(accepting == [])
    }
}

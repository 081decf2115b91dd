import Foundation
import TestSupport
import Testing

@Suite struct ConfigCommandTests {
    private func fixture(_ name: String) -> String { Repository.fixture("configurations/\(name).json").path() }

    private static let secrets = [
        "CAROLS_PASSWORD": "a", "REGISTRATION_TOKEN": "b", "PAIRWISE_SALT": "c", "CONTROL_SECRET": "a-control-secret",
    ]

    @Test(arguments: ["first", "standard-and-more", "claims", "tenants", "legacy", "secrets", "complete"])
    func findsTheExamplesInOrder(name: String) async throws {
        let result = try await Pawl.run(["config", "check", fixture(name)], environment: Self.secrets)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output == "\(fixture(name)) is in order.\n")
        let json = try await Pawl.run(["config", "check", "--json", fixture(name)], environment: Self.secrets)
        #expect(json.output == #"{"valid":true,"errors":[]}"# + "\n")
    }

    private let wrong = """
        {
          "rotation": "strikt",
          "clients": [{"client_id": "a", "grant_types": ["code"]}]
        }
        """

    @Test func tellsFileLineAndColumnOfEveryMistake() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("config.json")
        try Data(wrong.utf8).write(to: URL(filePath: file))
        let result = try await Pawl.run("config", "check", file)
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first == "\(file):2:15: rotation: there is no rotation profile of this name; did you mean strict?")
        #expect(lines.last?.hasPrefix("\(file):3:50: clients[0].grant_types[0]: must be one of: ") == true)
        let input = try await Pawl.run("config", "check", "-", input: wrong)
        #expect(input.errors.hasPrefix("standard input:2:15: rotation: "))
    }

    @Test func tellsProgramsTheSame() async throws {
        let result = try await Pawl.run("config", "check", "--json", "-", input: wrong)
        #expect(result.exitCode == 1)
        #expect(result.errors.isEmpty)
        let object = try result.object()
        #expect(object["valid"] as? Bool == false)
        let errors = try #require(object["errors"] as? [[String: Any]])
        #expect(errors.map { $0["line"] as? Int } == [2, 3])
        #expect(errors.map { $0["column"] as? Int } == [15, 50])
        #expect(errors.map { $0["path"] as? String } == ["rotation", "clients[0].grant_types[0]"])
    }

    @Test func missesSecretsThatAreNotThere() async throws {
        let result = try await Pawl.run("config", "check", fixture("secrets"))
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("users[0].password.env: the variable CAROLS_PASSWORD is not set"))
        #expect(result.errors.contains("pairwise_salt.env: the variable PAIRWISE_SALT is not set"))
        #expect(!result.errors.contains("backend.secret"))
        let without = try await Pawl.run("config", "check", "--without-secrets", fixture("secrets"))
        #expect(without.exitCode == 0, "\(without.errors)")
        let elsewhere = try await Pawl.run(
            "config", "check", "-", input: #"{"pairwise_salt":{"file":"no-such-file"}}"#)
        #expect(elsewhere.errors.contains("pairwise_salt.file: cannot read ./no-such-file"))
    }

    @Test func aFileThatCannotBeReadIsAnotherMatter() async throws {
        for command in ["check", "print"] {
            #expect(try await Pawl.run("config", command, "/no/such/file").exitCode == 3)
        }
    }

    @Test func printsEveryDefaultAndNoSecret() async throws {
        let standard = try await Pawl.run("config", "print").object()
        #expect((standard["access_tokens"] as? [String: Any])?["lifetime"] as? String == "5m")
        #expect((standard["users"] as? [[String: Any]])?.count == 4)
        let result = try await Pawl.run(["config", "print", fixture("complete")], environment: Self.secrets)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(!result.output.contains("a-secret-of"))
        #expect(!result.output.contains("kept-in-a-file"))
        #expect(result.output.contains("<redacted>"))
        let wrong = try await Pawl.run("config", "print", "-", input: wrong)
        #expect(wrong.exitCode == 3)
        #expect(wrong.output.isEmpty)
    }

    @Test func printsTheSchemaThatIsPublished() async throws {
        let published = try String(
            contentsOf: Repository.root.appending(path: "docs/config.schema.json"), encoding: .utf8)
        #expect(try await Pawl.run("config", "schema").output == published)
    }
}

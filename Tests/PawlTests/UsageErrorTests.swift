import Foundation
import TestSupport
import Testing

@Suite struct UsageErrorTests {
    static let slips: [(arguments: [String], says: String)] = [
        (["serv"], "did you mean 'serve'?"),
        (["tokens"], "did you mean 'token'?"),
        (["token", "verfy"], "did you mean 'verify'?"),
        (["nonsense"], "there is no command 'nonsense'"),
        (["help", "nonsense"], "there is no command 'nonsense'"),
        (["--json", "version"], "options follow the command"),
        (["serve", "--listn", "127.0.0.1:0"], "did you mean --listen?"),
        (["serve", "--lisetn", "127.0.0.1:0"], "did you mean --listen?"),
        (["serve", "--tokenlifetime=1m"], "did you mean --token-lifetime?"),
        (["serve", "--nothing-like-it"], "unknown option '--nothing-like-it'"),
        (["serve", "-z"], "unknown option -z"),
        (["serve", "--listen"], "--listen needs a value"),
        (["serve", "--listen", "--json"], "looks like an option"),
        (["serve", "--listen", "8080"], "HOST:PORT"),
        (["serve", "--listen", "127.0.0.1:65536"], "HOST:PORT"),
        (["serve", "--listen="], "HOST:PORT"),
        (["serve", "--alg", "none"], "one of HS256"),
        (["serve", "--alg", "rs256"], "one of HS256"),
        (["serve", "--token-lifetime", "300"], "a duration"),
        (["serve", "--token-lifetime", "0s"], "a duration"),
        (["serve", "--token-lifetime", "1h1d"], "a duration"),
        (["serve", "--token-lifetime", "-5m"], "a duration"),
        (["serve", "--token-lifetime", "1500ms", "--listen", "127.0.0.1:0"], "whole number of seconds"),
        (["serve", "--loops", "0"], "a number from 1"),
        (["serve", "--loops", "many"], "a number from 1"),
        (["serve", "--max-body", "1MB"], "a size such as"),
        (["serve", "--max-body", "0"], "a size such as"),
        (["serve", "--max-body", "9999999999GiB"], "a size such as"),
        (["serve", "--issuer", "id.example"], "an http or https URL"),
        (["serve", "--issuer", "https://id.example/?a=b"], "an http or https URL"),
        (["serve", "--cors-origin", "null"], "an origin such as"),
        (["serve", "--cors-origin", "*"], "an origin such as"),
        (["serve", "--cors-origin", "app.example"], "an origin such as"),
        (["serve", "--cors-origin", "https://app.example/"], "an origin such as"),
        (["serve", "--cors-origin", "any", "--cors-origin", "https://a b"], "an origin such as"),
        (["serve", "--metrics-from", "everybody"], "one of loopback, any"),
        (["serve", "--log-level", "verbose"], "one of debug, info, warning, error"),
        (["serve", "--json=perhaps"], "neither true nor false"),
        (["serve", "--no-http"], "nothing to listen on"),
        (["serve", "--tls-cert", "cert.pem"], "belong together"),
        (["serve", "--tls", "files"], "needs --tls-cert and --tls-key"),
        (["serve", "--tls", "auto", "--tls-cert", "a", "--tls-key", "b"], "--tls-cert gives one"),
        (["serve", "operand"], "unexpected argument 'operand'"),
        (["version", "--", "--json"], "unexpected argument '--json'"),
        (["completions"], "SHELL is missing"),
        (["completions", "csh"], "no completions for 'csh'"),
        (["token", "verify", "token"], "keys are missing"),
        (["token", "sign"], "a key is missing"),
        (["token", "sign", "--key", "a", "--secret-file", "b"], "one signs"),
        (["token", "sign", "--claim", "=x"], "NAME=VALUE"),
        (["token", "sign", "--claim", "x"], "NAME=VALUE"),
        (["token", "verify", "-", "--key", "-"], "cannot both come from standard input"),
        (["token", "verify"], "TOKEN is missing"),
        (["token", "verify", "-", "--at", "2026-02-30T00:00:00Z"], "a time such as"),
        (["token", "verify", "-", "--at", "yesterday"], "a time such as"),
        (["token", "inspect"], "TOKEN is missing"),
        (["keys", "list"], "--keys is missing"),
        (["keys", "export"], "which keys?"),
        (["keys", "new", "--rsa-bits", "1024"], "a number from 2048"),
        (["keys", "new", "--keys", "somewhere", "--format", "pem"], "no --output and no --format"),
    ]

    @Test(arguments: slips.indices)
    func refusesWithTwoAndSaysWhy(index: Int) async throws {
        let (arguments, says) = Self.slips[index]
        let result = try await Pawl.run(arguments)
        #expect(result.exitCode == 2, "\(arguments): \(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(says), "\(arguments): \(result.errors)")
        #expect(result.errors.hasPrefix("pawl"))
    }

    @Test func doesNotRepeatASecretThatIsMalformed() async throws {
        let result = try await Pawl.run("serve", "--client", "correcthorse")
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("ID:SECRET"))
        #expect(!result.errors.contains("correcthorse"))
    }

    @Test func namesTheVariableThatIsWrong() async throws {
        let result = try await Pawl.run(["serve"], environment: ["PAWL_LOOPS": "none"])
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("PAWL_LOOPS"))
    }

    @Test func aVariableCountsWhereTheOptionIsNotGiven() async throws {
        let environment = ["PAWL_ALG": "nonsense"]
        #expect(try await Pawl.run(["serve"], environment: environment).errors.contains("PAWL_ALG"))
        // Given, it is not even looked at. The port is one that nobody may have.
        let given = try await Pawl.run(
            ["serve", "--alg", "ES256", "--listen", "192.0.2.1:1"], environment: environment)
        #expect(given.exitCode == 4)
        // An empty one is none.
        let empty = try await Pawl.run(["serve", "--listen", "192.0.2.1:1"], environment: ["PAWL_ALG": ""])
        #expect(empty.exitCode == 4)
    }

    @Test func keepsEscapesOfOthersOffTheTerminal() async throws {
        let result = try await Pawl.run("\u{1B}[31mred\u{9B}x")
        #expect(result.exitCode == 2)
        #expect(!result.errors.contains("\u{1B}"))
        #expect(!result.errors.contains("\u{9B}"))
        #expect(result.errors.contains("\\u{1b}[31mred"))
    }

    @Test func saysWhenTheOutputIsGone() async throws {
        let full = URL(filePath: "/dev/full")
        guard FileManager.default.isWritableFile(atPath: full.path()), let shell = ProcessRunner.find("sh") else {
            return
        }
        let result = try await ProcessRunner.run(shell, ["-c", "'\(Pawl.executable.path())' version > /dev/full"])
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("standard output"))
    }
}

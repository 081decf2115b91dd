import Foundation
import TestSupport
import Testing

@Suite struct HelpTests {
    @Test func everyCommandExplainsItself() async throws {
        let commands = try await Pawl.commands()
        #expect(commands.contains(["serve"]))
        #expect(commands.contains(["token", "verify"]))
        #expect(commands.contains(["keys", "export"]))
        #expect(commands.contains(["config", "check"]))
        for command in commands {
            let byOption = try await Pawl.run(command + ["--help"])
            #expect(byOption.exitCode == 0)
            #expect(byOption.errors.isEmpty)
            #expect(byOption.output.hasPrefix("Usage: " + (["pawl"] + command).joined(separator: " ")))
            for code in 0...4 {
                #expect(byOption.output.contains("\n  \(code)  "), "\(command) explains exit code \(code)")
            }
            let byShortOption = try await Pawl.run(command + ["-h"])
            let byCommand = try await Pawl.run(["help"] + command)
            #expect(byShortOption.output == byOption.output)
            #expect(byCommand.output == byOption.output)
        }
    }

    @Test func aGroupWithoutACommandShowsItsHelp() async throws {
        for group in [[], ["token"], ["keys"], ["config"]] {
            let result = try await Pawl.run(group)
            let help = try await Pawl.run(group + ["--help"])
            #expect(result.exitCode == 0)
            #expect(result.output == help.output)
        }
    }

    @Test(arguments: [
        "--listen", "--tls", "--tls-listen", "--tls-cert", "--tls-key", "--mtls-listen", "--mtls-ca", "--outbound-ca",
        "--port-file",
        "--issuer", "--alg", "--keys", "--config", "--set", "--user", "--any-user", "--auto-login", "--sign-in-page",
        "--login-lifetime", "--allow-legacy", "--public-client", "--any-client", "--registration", "--port",
        "--registration-token-file", "--id-token-alg", "--id-token-lifetime", "--refresh-lifetime", "--code-lifetime",
        "--rotation",
        "--token-lifetime", "--audience", "--client", "--client-file", "--rotate-keys-every", "--loops",
        "--max-connections", "--max-body", "--head-timeout", "--idle-timeout", "--drain-timeout", "--log-level",
        "--log-format", "--access-log", "--cors-origin", "--metrics-from", "--json",
    ])
    func theHelpOfServeHas(option: String) async throws {
        let help = try await Pawl.run("serve", "--help").output
        #expect(help.contains("\(option) ") || help.contains("\(option)\n"))
    }

    @Test func defaultsAndVariablesStandInTheHelp() async throws {
        let help = try await Pawl.run("serve", "--help").output.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(help.contains("[repeatable; default: 127.0.0.1:8080; env: PAWL_LISTEN]"))
        #expect(help.contains("default: RS256; env: PAWL_ALG]"))
        #expect(help.contains("[default: 5m; env: PAWL_TOKEN_LIFETIME]"))
        #expect(help.contains("default: service:secret"))
    }

    @Test func noLineIsWiderThanATerminal() async throws {
        for command in try await Pawl.commands() {
            let help = try await Pawl.run(command + ["--help"]).output
            for line in help.split(separator: "\n") where !line.contains("pawl ") {
                #expect(line.count <= 100, "\(line)")
            }
        }
    }

    @Test func tellsItsVersion() async throws {
        let text = try await Pawl.run("version")
        #expect(text.exitCode == 0)
        #expect(text.output.hasPrefix("pawl "))
        let json = try await Pawl.run("version", "--json").object()
        #expect("pawl \(json["version"] as? String ?? "")\n" == text.output)
        #expect(try await Pawl.run("--version").output == text.output)
    }
}

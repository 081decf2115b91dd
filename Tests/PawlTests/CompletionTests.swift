import Foundation
import TestSupport
import Testing

@Suite struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func theShellAcceptsTheScript(shell: String) async throws {
        let script = try await Pawl.run("completions", shell)
        #expect(script.exitCode == 0)
        for word in ["serve", "token", "verify", "listen", "tls-cert"] { #expect(script.output.contains(word)) }
        guard let program = ProcessRunner.find(shell) else { return }
        let directory = try TemporaryDirectory()
        let file = directory.path("script")
        try Data(script.output.utf8).write(to: URL(filePath: file))
        let check = try await ProcessRunner.run(program, [shell == "fish" ? "--no-execute" : "-n", file])
        #expect(check.exitCode == 0, "\(check.errors)")
        #expect(check.errors.isEmpty)
    }

    static let lines: [(words: [String], offers: [String], not: [String])] = [
        ([""], ["serve", "token", "keys", "completions", "version"], ["--json"]),
        (["se"], ["serve"], ["token"]),
        (["token", ""], ["sign", "verify", "inspect"], ["serve"]),
        (["config", ""], ["check", "print", "schema"], ["serve"]),
        (["serve", "--rotation", ""], ["strict", "reuse", "oidc-provider"], ["--alg"]),
        (["rotation", ""], ["list", "explain"], ["serve"]),
        (["rotation", "explain", ""], ["okta", "supabase"], ["--alg"]),
        (["serve", "--tls-"], ["--tls-cert", "--tls-key", "--tls-listen"], ["--listen", "--claim"]),
        (["serve", "--alg", "ES"], ["ES256", "ES384", "ES512"], ["RS256", "--alg"]),
        (["serve", "--alg", "=", "Ed"], ["EdDSA"], ["RS256"]),
        (["serve", "--log-level", ""], ["debug", "warning"], ["--alg"]),
        (["token", "sign", "--keys", "x", "--t"], ["--typ"], ["--tls"]),
        (["completions", ""], ["bash", "zsh", "fish"], []),
    ]

    /// Lets bash complete the words, as it does at the press of a key.
    @Test(arguments: lines.indices)
    func bashOffersWhatFits(index: Int) async throws {
        guard let bash = ProcessRunner.find("bash") else { return }
        let (words, offers, not) = Self.lines[index]
        let line = (["pawl"] + words).map { "'\($0)'" }.joined(separator: " ")
        let script =
            try await Pawl.run("completions", "bash").output + """

                compopt() { :; }
                COMP_WORDS=(\(line)); COMP_CWORD=\(words.count); _pawl; printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try await ProcessRunner.run(bash, ["--norc", "-s"], input: Data(script.utf8))
        let offered = Set(result.output.split(separator: "\n").map(String.init))
        #expect(offered.isSuperset(of: offers), "\(words): \(offered) \(result.errors)")
        #expect(offered.isDisjoint(with: not), "\(words): \(offered)")
    }
}

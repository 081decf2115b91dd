import Foundation
import IdentityProvider
import TestSupport
import Testing

@Suite struct RotationCommandTests {
    @Test func listsTheProfilesInTheOrderOfTheTable() async throws {
        let result = try await Pawl.run("rotation", "list")
        #expect(result.exitCode == 0)
        let lines = result.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.first?.prefix(3) == ["PROFILE", "ROTATE", "REPLAY"])
        #expect(lines.dropFirst().map { $0[0] } == RotationPolicy.profileNames)
        let okta = try #require(lines.first { $0[0] == "okta" })
        #expect(okta.prefix(7) == ["okta", "always", "new", "any", "30s", "unlimited", "family+access"])
    }

    @Test func listsThemForPrograms() async throws {
        let object = try await Pawl.run("rotation", "list", "--json").object()
        let profiles = try #require(object["profiles"] as? [[String: Any]])
        #expect(profiles.map { $0["profile"] as? String } == RotationPolicy.profileNames)
        for profile in profiles {
            let knobs = try #require(profile["knobs"] as? [String: String])
            #expect(Set(knobs.keys) == Set(RotationKnob.all.map(\.name)))
            #expect((profile["sources"] as? [Any])?.isEmpty == false)
        }
    }

    @Test(arguments: RotationPolicy.profileNames)
    func explainsEveryKnobAndItsSources(name: String) async throws {
        let result = try await Pawl.run("rotation", "explain", name)
        #expect(result.exitCode == 0)
        for knob in RotationKnob.all { #expect(result.output.contains(" \(knob.name) "), "\(knob.name)") }
        for source in RotationProfile.named(name)?.sources ?? [] { #expect(result.output.contains(source.text)) }
    }

    @Test func showsWhatIsTurned() async throws {
        let result = try await Pawl.run("rotation", "explain", "okta,window=5s")
        #expect(result.output.hasPrefix("okta,window=5s: "))
        #expect(result.output.contains("*  window"))
        #expect(result.output.contains("* other than okta"))
        let object = try await Pawl.run("rotation", "explain", "okta,window=5s", "--json").object()
        #expect(object["turned"] as? [String] == ["window"])
        #expect((object["knobs"] as? [String: String])?["window"] == "5s")
    }

    @Test(arguments: [
        (["rotation", "explain", "otka"], "did you mean okta?"),
        (["rotation", "explain", "okta,windw=5s"], "did you mean window?"),
        (["rotation", "explain", "okta,window=5"], "window takes: a duration such as 10s, unlimited"),
        (["rotation", "explain"], "NAME is missing"),
        (
            ["serve", "--rotation", "supabse"],
            "--rotation: there is no rotation profile of this name; did you mean supabase?"
        ),
        (["serve", "--rotation", "okta,revoke=all"], "revoke takes: nothing, token, family"),
    ])
    func saysWhatWouldBeRight(arguments: [String], says: String) async throws {
        let result = try await Pawl.run(arguments)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains(says), "\(result.errors)")
    }
}

import Foundation
import Primitives
import TestSupport
import Testing

/// The demonstration shows what it says: run as a newcomer runs it, from its command line to its exit code.
@Suite struct SignOutDemoTests {
    private static func run(_ arguments: String...) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(ProcessRunner.product("SignOutDemo"), arguments)
    }

    private static func report(_ arguments: String...) async throws -> JSON {
        let result = try await ProcessRunner.run(ProcessRunner.product("SignOutDemo"), arguments + ["--json"])
        #expect(result.exitCode == 0, "\(result.errors)")
        return try JSON(parsing: result.output)
    }

    // MARK: Each half

    @Test func twoWhoRefreshAtOnceAreSignedOutWhereATokenMayBeSpentOnce() async throws {
        let without = try #require(try await Self.report("--expiries", "2")["without"])
        #expect(without["outcome"] == "signed_out")
        #expect(without["end_reason"] == "refresh_token_reused")
        #expect(without["expiries"] == 1)
        let refreshes = try #require(without["refreshes"]?.array)
        // The app has its new token, and it is worth nothing: the web view was heard after it.
        #expect(refreshes.map { $0["side"] } == ["app", "web-view", "app"])
        #expect(refreshes.map { $0["presented"] } == [1, 1, 2])
        #expect(refreshes.map { $0["verdict"] } == ["rotated", "refused", "refused"])
        #expect(refreshes.map { $0["cause"] } == [.null, "reused", "ended"])
        #expect(refreshes.map { $0["ended_session"] } == [false, true, false])
    }

    @Test func aWindowForgivesThoseWhoComeAtOnceAndNotTheOneWhoComesLate() async throws {
        let without = try #require(try await Self.report("--rotation", "okta", "--expiries", "2")["without"])
        #expect(without["outcome"] == "signed_out")
        let refreshes = try #require(without["refreshes"]?.array)
        let verdicts = refreshes.map { $0["verdict"] }
        #expect(verdicts.filter { $0 == "replayed" }.count == 3)
        let end = try #require(refreshes.firstIndex { $0["ended_session"] == true })
        #expect(refreshes[end]["side"] == "web-view")
        #expect(verdicts[..<end].allSatisfy { $0 != "refused" })
    }

    @Test(arguments: ["strict", "okta"])
    func withTheLibraryEachExpiryIsOneRefreshAndNobodyIsSignedOut(rotation: String) async throws {
        let with = try #require(try await Self.report("--rotation", rotation)["with"])
        #expect(
            with == [
                "outcome": "signed_in", "expiries": 20, "refreshes": 20, "refused": 0, "answered": 40,
                "web_view_held_refresh_token": false, "shown": true,
            ])
    }

    /// What becomes of two hand-written sides, provider by provider: a sign-out wherever there is one to be had.
    static let outcomes: [(rotation: String, outcome: JSON)] = [
        ("reuse", "forgiven"), ("auth0", "signed_out"), ("supabase", "signed_out"), ("keycloak", "signed_out"),
        ("keycloak,count=1", "signed_out"), ("hydra", "signed_out"), ("dex", "forgiven"),
        ("duende", "one_side_signed_out"), ("cognito", "one_side_signed_out"), ("wso2", "signed_out"),
        ("oidc-provider", "signed_out"), ("okta,window=1h", "forgiven"),
    ]

    @Test(arguments: outcomes)
    func eachProviderIsShownAsItIs(rotation: String, outcome: JSON) async throws {
        let report = try await Self.report("--rotation", rotation, "--expiries", "2")
        #expect(report["rotation"] == .string(rotation))
        #expect(report["without"]?["outcome"] == outcome)
        #expect(report["with"]?["outcome"] == "signed_in")
        #expect(report["shown"] == true)
    }

    // MARK: What a newcomer sees

    @Test func theTextTellsBothHalvesWithoutColour() async throws {
        let result = try await Self.run("--expiries", "2")
        #expect(result.exitCode == 0)
        #expect(!result.output.contains("\u{1B}"))
        #expect(result.output.contains("Signed out in the app and in the web view."))
        #expect(
            result.output.contains("2 expiries, 2 refreshes, 0 refused; 4 of 4 questions answered; still signed in."))
        // Cookies and tokens are numbers here.
        #expect(!result.output.contains("eyJ"))
    }

    @Test func theLinesForAdoptersAreLinesThatCompile() async throws {
        let output = try await Self.run("--expiries", "1").output.split(separator: "\n").map(Self.trimmed)
        let first = try #require(output.firstIndex { $0.hasPrefix("let cookies = CookieSession(") })
        let last = try #require(output.lastIndex { $0.hasPrefix("try await bridge.open(") })
        #expect(last - first == 10)
        let compiled = try String(
            contentsOf: Repository.root.appending(path: "Tests/SharedLoginTests/AdoptionExample.swift"), encoding: .utf8
        )
        .split(separator: "\n").map(Self.trimmed)
        #expect(compiled.contains(Array(output[first...last])))
    }

    private static func trimmed(_ line: Substring) -> String { line.trimmingCharacters(in: .whitespaces) }

    // MARK: Wrong use

    @Test(arguments: [
        (["--rotation"], "--rotation needs a value"),
        (["--rotation", "oktaa"], "did you mean okta"),
        (["--expiries", "0"], "--expiries is a number"),
        (["--expiries", "many"], "--expiries is a number"),
        (["--colour"], "no option --colour"),
    ])
    func refusesWhatItDoesNotUnderstand(arguments: [String], complaint: String) async throws {
        let result = try await ProcessRunner.run(ProcessRunner.product("SignOutDemo"), arguments)
        #expect(result.exitCode == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(complaint) && result.errors.contains("--help"))
    }

    @Test func helpNamesEveryOptionAndStartsNothing() async throws {
        let result = try await Self.run("--help")
        #expect(result.exitCode == 0)
        for option in ["--rotation", "--expiries", "--json", "--help"] { #expect(result.output.contains(option)) }
    }
}

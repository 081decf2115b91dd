import OAuth
import Primitives
import Testing

/// The example of RFC 7636 appendix B.
private let verifierText = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
private let challengeText = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
private let digest: [UInt8] = [
    19, 211, 30, 150, 26, 26, 216, 236, 47, 22, 177, 12, 76, 152, 46, 8, 118, 168, 120, 173, 109, 241, 68, 86, 110, 225,
    137, 74, 203, 112, 249, 195,
]

@Suite struct PKCETests {
    /// The digest of the example for the example, and another one for everything else.
    private func sha256(_ bytes: Span<UInt8>) -> [UInt8] {
        let example = Array(verifierText.utf8)
        return constantTimeEquals(bytes, example.span) ? digest : [UInt8](repeating: 7, count: 32)
    }

    @Test func theVerifierOfTheExampleFitsItsChallenge() throws {
        let verifier = try #require(CodeVerifier(verifierText))
        let challenge = try CodeChallenge(parsing: challengeText, method: "S256")
        #expect(challenge.matches(verifier, sha256: sha256))
        #expect(CodeChallenge(.s256, of: verifier, sha256: sha256) == challenge)
        #expect(CodeChallenge(.plain, of: verifier, sha256: sha256).value == verifierText)
    }

    @Test(arguments: [
        String(verifierText.dropLast()) + "l", verifierText + "k", challengeText, String(repeating: "a", count: 43),
    ])
    func refusesAnotherVerifier(text: String) throws {
        let verifier = try #require(CodeVerifier(text))
        #expect(try !CodeChallenge(parsing: challengeText, method: "S256").matches(verifier, sha256: sha256))
        #expect(try !CodeChallenge(parsing: verifierText, method: "plain").matches(verifier, sha256: sha256))
    }

    /// Or whoever read the authorization request could redeem the code.
    @Test func aPlainVerifierDoesNotFitAnS256ChallengeOfTheSameText() throws {
        let verifier = try #require(CodeVerifier(challengeText))
        #expect(try !CodeChallenge(parsing: challengeText, method: "S256").matches(verifier, sha256: sha256))
    }

    /// RFC 7636 section 4.3.
    @Test func withoutAMethodItIsPlain() throws {
        let challenge = try CodeChallenge(parsing: verifierText, method: nil)
        #expect(challenge.method == .plain)
        #expect(challenge.matches(try #require(CodeVerifier(verifierText)), sha256: sha256))
    }

    /// RFC 7636 section 4.4.1.
    @Test(arguments: ["s256", "S512", "PLAIN", "", "S256 ", "none", "S256\u{0}"])
    func refusesAMethodThatIsNotSupported(method: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try CodeChallenge(parsing: challengeText, method: method) }
    }

    /// RFC 7636 sections 4.1 and 4.2: 43 to 128 unreserved characters.
    @Test(arguments: [
        "", "a", String(repeating: "a", count: 42), String(repeating: "a", count: 129),
        String(repeating: "a", count: 42) + "=", String(repeating: "a", count: 42) + "+",
        String(repeating: "a", count: 42) + "/", String(repeating: "a", count: 42) + " ",
        String(repeating: "a", count: 42) + "é", String(repeating: "a", count: 42) + "\u{0}",
        String(repeating: "a", count: 42) + "\n", String(repeating: "\u{212A}", count: 43),
    ])
    func refusesWhatIsNotOfTheGrammar(text: String) {
        #expect(CodeVerifier(text) == nil)
        #expect(CodeChallenge(method: .s256, value: text) == nil)
        #expect(throws: OAuthError(.invalidRequest, "")) { try CodeChallenge(parsing: text, method: "S256") }
    }

    @Test(arguments: [43, 44, 127, 128])
    func takesEveryLengthOfTheGrammar(length: Int) {
        #expect(CodeVerifier(String("-._~aZ09".prefix(8)) + String(repeating: "b", count: length - 8)) != nil)
    }

    @Test func aVerifierIsNeverPrinted() throws {
        let verifier = try #require(CodeVerifier(verifierText))
        var dumped = ""
        dump(verifier, to: &dumped)
        for text in ["\(verifier)", String(reflecting: verifier), dumped] {
            #expect(!text.contains("dBjf"))
        }
    }
}

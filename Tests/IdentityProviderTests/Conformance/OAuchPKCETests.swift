import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The group PKCE of OAuch (RFC 7636, RFC 9700 section 2.1.1).
@Suite struct OAuchPKCETests {
    static let publicProfile = ConformanceProfile.basic.authenticating(by: "none")
    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let hashed = [
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    ]
    static let plain = ["code_challenge": verifier, "code_challenge_method": "plain"]

    @Test func isPkceImplemented() async throws {
        let rp = try await RelyingParty.start(Self.publicProfile)
        let wrong = try await rp.exchange(rp.code(Self.hashed), ["code_verifier": String(Self.verifier.reversed())])
        #expect(wrong.error == "invalid_grant")
        _ = try await rp.redeem(rp.code(of: rp.authorize(Self.hashed)), ["code_verifier": Self.verifier])
        #expect(try await rp.idp.discovered()["code_challenge_methods_supported"] == ["S256"])
    }

    /// Of public clients always, of others where they are registered for it.
    @Test func isPkceRequired() async throws {
        let publicClient = try await RelyingParty.start(Self.publicProfile)
        #expect(try publicClient.error(of: await publicClient.authorize()) == "invalid_request")
        let strict = try await RelyingParty.start(metadata: ["require_pkce": true])
        #expect(try strict.error(of: await strict.authorize()) == "invalid_request")
        let free = try await RelyingParty.start()
        _ = try await free.signIn()
    }

    /// Somebody took the challenge out of the authorization request.
    @Test func isPkceDowngradeDetected() async throws {
        let rp = try await RelyingParty.start()
        let code = try await rp.code()
        #expect(try await rp.exchange(code, ["code_verifier": Self.verifier]).error == "invalid_grant")
    }

    /// Somebody took the verifier out of the token request.
    @Test func isPkceTokenDowngradeDetected() async throws {
        for profile in [Self.publicProfile, .basic] {
            let rp = try await RelyingParty.start(profile)
            #expect(try await rp.exchange(rp.code(Self.hashed)).error == "invalid_grant")
        }
    }

    /// A verifier that is the challenge itself is right for `plain` and for nothing else.
    @Test func isPkcePlainDowngradeDetected() async throws {
        let rp = try await RelyingParty.start { $0.legacy = [.plainChallenge] }
        let code = try await rp.code(Self.hashed)
        let answer = try await rp.exchange(code, ["code_verifier": Self.hashed["code_challenge"]])
        #expect(answer.error == "invalid_grant")
    }

    /// Off, unless the configuration names it; and without a method it would be `plain` (RFC 7636 section 4.3).
    @Test func plainPkceDisabled() async throws {
        let rp = try await RelyingParty.start()
        for changes in [Self.plain, ["code_challenge": Self.verifier]] {
            #expect(try rp.error(of: await rp.authorize(changes)) == "invalid_request")
        }
        let legacy = try await RelyingParty.start { $0.legacy = [.plainChallenge] }
        _ = try await legacy.redeem(legacy.code(Self.plain), ["code_verifier": Self.verifier])
    }

    /// RFC 7636 section 4.1: 43 characters at least.
    @Test func shortVerifier() async throws {
        let rp = try await RelyingParty.start { $0.legacy = [.plainChallenge] }
        let short = String(Self.verifier.dropLast())
        let page = try await rp.authorize(["code_challenge": short, "code_challenge_method": "plain"])
        #expect(try rp.error(of: page) == "invalid_request")
        let code = try await rp.code(Self.hashed)
        #expect(try await rp.exchange(code, ["code_verifier": short]).error == "invalid_request")
    }
}

import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The group Token endpoint of OAuch, as far as no other suite shows it already.
@Suite struct OAuchTokenEndpointTests {
    /// RFC 6749 section 4.1.3: MUST be issued to this client.
    @Test func isCodeBoundToClient() async throws {
        let rp = try await RelyingParty.start()
        let code = try await rp.code()
        let other = try await RelyingParty.join(rp.idp, .basic, id: "other")
        let foreign = try await other.exchange(code)
        #expect(foreign.status == 400)
        #expect(foreign.error == "invalid_grant")
        // And another's attempt spends nothing.
        _ = try await rp.redeem(code)
    }

    /// RFC 6749 section 4.1.2: short lived; ten minutes at most. Here a minute, unless configured.
    @Test(arguments: [(59_999, 200), (60_000, 400), (600_000, 400)])
    func authorizationCodeTimeout(milliseconds: Int, status: Int) async throws {
        let rp = try await RelyingParty.start()
        let code = try await rp.code()
        rp.idp.clock.advance(by: .milliseconds(milliseconds))
        #expect(try await rp.exchange(code).status == status)
    }

    /// RFC 6749 section 4.1.3: identical to that of the authorization request.
    @Test func redirectUriChecked() async throws {
        let rp = try await RelyingParty.start()
        let code = try await rp.code()
        for uri in [nil, RelyingParty.redirectURI + "/", RelyingParty.redirectURI + "?", "https://evil.example/"] {
            let answer = try await rp.exchange(code, ["redirect_uri": uri])
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_grant")
        }
        _ = try await rp.redeem(code)
    }

    /// RFC 9700 section 2.4: MUST NOT be used. The grant is there where it was configured, and only for clients that may.
    @Test func isPasswordFlowDisabled() async throws {
        let rp = try await RelyingParty.start()
        let form = ["grant_type": "password", "username": "alice", "password": "alice"]
        #expect(try await rp.send(form).error == "unsupported_grant_type")
        #expect(try await rp.idp.discovered()["grant_types_supported"]?.array?.contains("password") == false)
        let legacy = try await RelyingParty.start { $0.legacy = [.password] }
        #expect(try await legacy.send(form).error == "unauthorized_client")
    }

    /// RFC 6749 section 10.10: 160 bits. Secrets are chosen by the provider, unless the configuration says them.
    @Test func clientSecretEntropy() async throws {
        let secrets = try await (0..<20).asyncMap { _ in
            try await RelyingParty.start(.dynamic).secret ?? ""
        }
        for secret in secrets { #expect(try Base64URL.decode(secret).count * 8 >= 160) }
    }

    /// RFC 6749 section 10.10: 128 bits at least, 160 better, for whatever people do not type.
    @Test func codesAndTokensHaveEnoughEntropy() async throws {
        let rp = try await RelyingParty.start(metadata: ["access_token_format": "opaque"])
        let code = try await rp.code()
        let tokens = try await rp.redeem(code)
        // Six bits in each character of Base64URL.
        for text in [code, tokens.accessToken, try #require(tokens.refreshToken)] {
            #expect(text.utf8.count * 6 >= 160, "\(text.utf8.count)")
        }
        let second = try await rp.code(of: rp.authorize())
        #expect(second.commonPrefix(with: code).utf8.count < 10)
    }
}

extension Sequence {
    /// The results of an operation on each element, one after the other.
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> Substring {
        prefix(zip(self, other).prefix { $0 == $1 }.count)
    }
}

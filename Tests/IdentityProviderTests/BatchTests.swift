import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// Signatures of several requests are made, and verified, together.
@Suite(.timeLimit(.minutes(2))) struct BatchTests {
    private static let scopes = ["a", "b", "c", "d", "e", "f", "g", "h"]

    private static func request(_ scope: String) -> String { "grant_type=client_credentials&scope=\(scope)" }

    @Test func givesEachOfABatchItsOwnToken() async throws {
        let batches = FullBatches(of: Self.scopes.count)
        let idp = try await ProviderUnderTest(batches: batches)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for scope in Self.scopes {
                group.addTask {
                    let answer = await idp.token(Self.request(scope), basic: "service:secret")
                    let token = try await idp.verified(try answer.text("access_token"))
                    #expect(token.claims["scope"] == .string(scope))
                }
            }
            try await group.waitForAll()
        }
        #expect(batches.sizes == [Self.scopes.count])
    }

    @Test func tellsEachOfABatchOfItsOwnToken() async throws {
        let batches = FullBatches(of: 1)
        let idp = try await ProviderUnderTest(batches: batches)
        var tokens: [(scope: String, text: String)] = []
        for scope in Self.scopes {
            tokens.append((scope, try await idp.accessToken(Self.request(scope))))
        }
        // One that is good no more, and one that never was.
        let revoked = tokens[3].text
        #expect(await idp.post("/revoke", "token=\(revoked)").status == 200)
        tokens.append(("", revoked))
        tokens.append(("", String(tokens[0].text.dropLast(8)) + "AAAAAAAA"))
        tokens.remove(at: 3)

        // The one that was revoked is known since then, and waits for nobody.
        let size = tokens.count - 1
        batches.makeBatches(of: size)
        await withTaskGroup(of: Void.self) { group in
            for (scope, text) in tokens {
                group.addTask {
                    let answer = await idp.post("/introspect", "token=\(text)")
                    #expect(answer.json?["active"] == .bool(!scope.isEmpty))
                    #expect(answer.json?["scope"] == (scope.isEmpty ? nil : .string(scope)))
                }
            }
        }
        #expect(batches.sizes.last == size)
    }

    /// A signature of another kind waits for nobody.
    @Test func waitsForNobodyWhereItIsNoUse() async throws {
        let batches = FullBatches(of: 2)
        let idp = try await ProviderUnderTest(key: .generate(.rs256), batches: batches)
        #expect(await idp.token(Self.request("a"), basic: "service:secret").status == 200)
        #expect(batches.sizes == [])
    }

    @Test func waitsForNobodyWhereATokenIsOpaque() async throws {
        let batches = FullBatches(of: 2)
        let idp = try await ProviderUnderTest(batches: batches) { $0.accessTokens.format = .opaque }
        let token = try await idp.accessToken(Self.request("a"))
        #expect(await idp.post("/introspect", "token=\(token)").json?["active"] == true)
        #expect(batches.sizes == [])
    }
}

extension ProviderUnderTest {
    fileprivate func post(_ path: String, _ form: String) async -> Answer {
        await token(form, basic: "service:secret", path: path)
    }
}

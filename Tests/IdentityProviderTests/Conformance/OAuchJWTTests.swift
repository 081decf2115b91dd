import JOSE
import OAuth
import Primitives
import Testing

/// The group JWT of OAuch: assertions of clients. The claims are those of `AssertionTests`.
@Suite struct OAuchJWTTests {
    private func refuse(_ change: ([Substring]) throws -> String) async throws {
        let rp = try await RelyingParty.start(.basic.authenticating(by: "private_key_jwt"))
        let code = try await rp.code()
        let parts = try rp.assertion(for: ProviderUnderTest.issuer).split(separator: ".")
        let answer = try await rp.exchange(code, ["client_assertion": change(parts)])
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_client")
        // An attempt that proves nobody spends nothing.
        _ = try await rp.redeem(code)
    }

    @Test(arguments: ["none", "None", "NONE", "nOnE"]) func acceptsNoneSignature(name: String) async throws {
        let header = Base64URL.encode(JSON.object(["alg": .string(name)]).serialised())
        try await refuse { "\(header).\($0[1])." }
        try await refuse { "\(header).\($0[1]).\($0[2])" }
    }

    @Test func isSignatureRequired() async throws {
        try await refuse { "\($0[0]).\($0[1])." }
        try await refuse { "\($0[0]).\($0[1])" }
    }
}

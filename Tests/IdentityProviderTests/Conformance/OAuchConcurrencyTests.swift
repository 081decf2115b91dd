import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The group Concurrency of OAuch: what a client gets that presents the same thing several times at once.
@Suite struct OAuchConcurrencyTests {
    /// As many as OAuch would hardly send.
    static let requestCount = 32

    private func winners(_ idp: ProviderUnderTest, _ request: (form: String, authorization: String?)) async -> [Answer]
    {
        let answers = await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<Self.requestCount {
                group.addTask { await idp.token(request.form, authorization: request.authorization) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for answer in answers where answer.status != 200 { #expect(answer.error == "invalid_grant") }
        return answers.filter { $0.status == 200 }
    }

    /// RFC 6749 section 4.1.2: MUST NOT be used more than once. The one that won may itself have lost its tokens to the
    /// replays; then it has an error too.
    @Test(arguments: 0..<8) func singleFastACExchange(round: Int) async throws {
        let rp = try await RelyingParty.start()
        let code = try await rp.code()
        let request = try rp.signed([
            "grant_type": "authorization_code", "code": code, "redirect_uri": RelyingParty.redirectURI,
        ])
        let winners = await winners(rp.idp, request)
        #expect(winners.count <= 1)
        try await expectNothingLeft(of: winners, rp)
    }

    /// RFC 9700 section 4.14.2: of several that present it, one is not the client, and nobody knows which.
    @Test(arguments: 0..<8) func singleFastRefresh(round: Int) async throws {
        let rp = try await RelyingParty.start()
        let token = try #require(await rp.signIn().refreshToken)
        let winners = try await winners(rp.idp, rp.signed(["grant_type": "refresh_token", "refresh_token": token]))
        #expect(winners.count == 1)
        try await expectNothingLeft(of: winners, rp)
    }

    /// Whatever was given in such a moment is good for nothing afterwards.
    private func expectNothingLeft(of winners: [Answer], _ rp: RelyingParty) async throws {
        for winner in winners {
            await rp.expectRefusal(try winner.text("access_token"))
            #expect(try await rp.refresh(try winner.text("refresh_token")).error == "invalid_grant")
        }
    }

    /// What came out of a race ends with a revocation like anything else. With refresh tokens that stay good there are
    /// several that come out.
    @Test func concurrentTokensRevoked() async throws {
        let rp = try await RelyingParty.start { $0.rotation = .reuse }
        let token = try #require(await rp.signIn().refreshToken)
        let winners = try await winners(rp.idp, rp.signed(["grant_type": "refresh_token", "refresh_token": token]))
        #expect(winners.count == Self.requestCount)
        #expect(try await rp.send(["token": token], to: "/revoke").status == 200)
        try await expectNothingLeft(of: winners, rp)
    }
}

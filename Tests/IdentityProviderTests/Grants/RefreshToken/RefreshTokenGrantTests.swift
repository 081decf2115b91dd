import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct RefreshTokenGrantTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    private func refusal(_ token: String, as client: String = "service:secret", also: [(String, String)] = []) async
        -> String
    {
        let answer = await provider.refresh(token, as: client, also: also)
        #expect(answer.json?["access_token"] == nil)
        return GrantsProvider.summary(answer)
    }

    /// RFC 6749 section 6 and OpenID Connect Core section 12.2: `id_token`, `expires_in` and `scope` are there too.
    @Test func answersWithEverything() async throws {
        let (_, token) = try await provider.family()
        let answer = await provider.refresh(token)
        #expect(answer.status == 200)
        #expect(
            Set(answer.json?.object?.names ?? []) == [
                "access_token", "token_type", "expires_in", "refresh_token", "id_token", "scope",
            ])
        #expect(answer.json?["expires_in"] == 300)
        #expect(answer.json?["scope"] == "openid read write")
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(try answer.text("refresh_token") != token)
    }

    /// OpenID Connect Core section 12.2: iss, sub, aud and auth_time stay, iat moves, and there is no nonce.
    @Test func theIDTokenSaysWhatTheFirstOneSaid() async throws {
        let began = provider.now
        var token = try await provider.family().refreshToken
        for _ in 0..<3 {
            provider.clock.advance(by: .seconds(100))
            let answer = await provider.refresh(token)
            let claims = try await provider.idTokenClaims(try answer.text("id_token"))
            #expect(claims.issuer == ProviderUnderTest.issuer)
            #expect(claims.subject == "alice")
            #expect(claims.audience == ["service"])
            #expect(claims.members["auth_time"]?.int64 == began.secondsSinceEpoch)
            #expect(claims.issuedAt == provider.now)
            #expect(claims.members["nonce"] == nil)
            #expect(claims.members["at_hash"] != nil)
            token = try answer.text("refresh_token")
        }
    }

    @Test(arguments: ["", "grant_type=refresh_token", "grant_type=refresh_token&refresh_token="])
    func refusesARequestWithoutToken(form: String) async {
        let answer = await provider.idp.token(form.isEmpty ? "grant_type=refresh_token" : form, basic: "service:secret")
        #expect(GrantsProvider.summary(answer) == "400 invalid_request")
    }

    @Test(arguments: ["x", "rt1.", "rt1.AAAA", "at1.x", "null", "eyJhbGciOiJub25lIn0.e30."])
    func refusesWhatIsNoRefreshToken(text: String) async {
        #expect(await refusal(text) == "400 invalid_grant")
    }

    @Test func refusesAnAccessTokenInItsPlace() async throws {
        let answer = await provider.password()
        #expect(await refusal(try answer.text("access_token")) == "400 invalid_grant")
        #expect(await refusal(try answer.text("id_token")) == "400 invalid_grant")
    }

    /// Every bit of one token: none of them is as good as the right one.
    @Test func refusesATokenWithAnyBitFlipped() async throws {
        let (family, token) = try await provider.family()
        let bytes = Array(token.utf8)
        for index in bytes.indices {
            for bit in 0..<7 {
                var changed = bytes
                changed[index] ^= 1 << bit
                let text = String(decoding: changed, as: UTF8.self)
                guard !text.utf8.contains(0) else { continue }
                #expect(provider.context.refreshTokens.read(text) == nil)
                if bit == index % 7 { #expect(await refusal(text).hasPrefix("400 invalid_")) }
            }
        }
        // Nothing of that ended anything.
        #expect(try await provider.context.store.family(family.id)?.ended == nil)
        #expect(await provider.refresh(token).status == 200)
    }

    @Test func refusesATokenOfAFamilyThatIsNotThere() async throws {
        let token = provider.context.refreshTokens.token(of: FamilyID(from: SeededRandom(seed: 9)), node: 1)
        #expect(await refusal(token) == "400 invalid_grant")
    }

    /// RFC 6749 section 6 and section 10.4: bound to the client it was issued to. Somebody else who tries ends nothing.
    @Test(arguments: ["other:secret", "app"])
    func refusesATokenOfAnotherClient(client: String) async throws {
        let (_, token) = try await provider.family()
        #expect(await refusal(token, as: client) == "400 invalid_grant")
        #expect(await provider.refresh(token).status == 200)
    }

    /// RFC 6749 section 6: a confidential client MUST authenticate.
    @Test func refusesAConfidentialClientWithoutItsProof() async throws {
        let (_, token) = try await provider.family()
        #expect(await refusal(token, as: "service") == "401 invalid_client")
        #expect(await refusal(token, as: "service:wrong") == "401 invalid_client")
        #expect(await provider.refresh(token).status == 200)
    }

    @Test func refusesAClientThatMayNotRefresh() async throws {
        let (_, token) = try await provider.family(client: "idle")
        #expect(await refusal(token, as: "idle:secret") == "400 unauthorized_client")
    }

    /// RFC 9449 section 5: bound to a key, it is worth nothing without it, and whoever has no key ends nothing.
    @Test(arguments: [KeyConfirmation.proofKey(thumbprint: "x"), .certificate(thumbprint: "y")])
    func refusesABoundTokenWithoutItsKey(confirmation: KeyConfirmation) async throws {
        let (family, token) = try await provider.family(client: "app", confirmation: confirmation)
        #expect(await refusal(token, as: "app") == "400 invalid_grant")
        #expect(try await provider.context.store.family(family.id)?.rotation.current == 1)
        #expect(try await provider.context.store.family(family.id)?.ended == nil)
    }

    @Test func aFamilyEndsAtTheMillisecond() async throws {
        let (_, late) = try await provider.family(lasting: .seconds(60))
        let (_, early) = try await provider.family(lasting: .seconds(60))
        provider.clock.advance(by: .milliseconds(59_999))
        #expect(await provider.refresh(early).status == 200)
        provider.clock.advance(by: .milliseconds(1))
        #expect(await refusal(late) == "400 invalid_grant")
    }

    @Test(arguments: Family.Reason.allCases)
    func refusesATokenOfAFamilyThatHasEnded(reason: Family.Reason) async throws {
        let (family, token) = try await provider.family()
        let now = provider.now
        _ = try await provider.context.store.judge(family.id) { $0.end(reason, at: now) }
        #expect(await refusal(token) == "400 invalid_grant")
    }

    @Test func refusesATokenWhoseLoginWasEnded() async throws {
        let login = try await provider.login()
        let (_, token) = try await provider.family(login: login)
        let now = provider.now
        _ = try await provider.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await refusal(token) == "400 invalid_grant")
    }

    /// RFC 9700 section 4.14.2: a token that was spent ends the family, and everything that came from it.
    @Test func aSpentTokenEndsTheFamilyAndItsAccessTokens() async throws {
        let (family, first) = try await provider.family()
        let answer = await provider.refresh(first)
        let second = try answer.text("refresh_token")
        let access = try answer.text("access_token")
        #expect(try await provider.isActive(access))
        #expect(await refusal(first) == "400 invalid_grant")
        #expect(try await provider.context.store.family(family.id)?.ended?.reason == .refreshTokenReused)
        #expect(try await !provider.isActive(access))
        #expect(await refusal(second) == "400 invalid_grant")
    }

    @Test func saysTheSameWhateverIsWrong() async throws {
        let (family, token) = try await provider.family()
        var descriptions: Set<String> = [await provider.refresh("x").errorDescription]
        descriptions.insert(await provider.refresh(token, as: "other:secret").errorDescription)
        let now = provider.now
        _ = try await provider.context.store.judge(family.id) { $0.end(.revoked, at: now) }
        descriptions.insert(await provider.refresh(token).errorDescription)
        #expect(descriptions.count == 1)
    }
}

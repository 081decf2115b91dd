import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

/// What a client sees of the rules that hold for it, over the token endpoint.
@Suite struct RotationAnswerTests {
    private func provider(_ rotation: String, store: (any ProviderStore)? = nil) async throws -> GrantsProvider {
        let policy = try RotationPolicy(parsing: rotation)
        return try await GrantsProvider(store: store) { $0.rotation = policy }
    }

    /// Error and status of a replay outside the window.
    @Test(arguments: [
        ("strict", "400 invalid_grant"), ("auth0", "400 invalid_grant"), ("keycloak", "400 invalid_grant"),
        ("hydra", "400 invalid_grant"), ("dex", "400 invalid_request"), ("duende", "400 invalid_grant"),
        ("strict,error=refresh_token_already_used,status=409", "409 refresh_token_already_used"),
        ("strict,status=401", "401 invalid_grant"), ("strict,status=503", "503 invalid_grant"),
    ])
    func answersAReplayAsTheProviderDoes(rotation: String, summary: String) async throws {
        let provider = try await provider(rotation)
        let (_, token) = try await provider.family()
        #expect(await provider.refresh(token).status == 200)
        let answer = await provider.refresh(token)
        #expect(GrantsProvider.summary(answer) == summary)
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.json?["access_token"] == nil)
    }

    /// What is no replay is answered as RFC 6749 section 5.2 has it, whatever was chosen for replays.
    @Test func theChosenErrorIsForReplaysAlone() async throws {
        let provider = try await provider("strict,error=x,status=409,headers=X-A:b")
        let (_, token) = try await provider.family(lasting: .seconds(60))
        #expect(GrantsProvider.summary(await provider.refresh("x")) == "400 invalid_grant")
        provider.clock.advance(by: .seconds(60))
        let answer = await provider.refresh(token)
        #expect(GrantsProvider.summary(answer) == "400 invalid_grant")
        #expect(answer.field("X-A") == nil)
    }

    @Test func putsTheHeadersIntoTheRefusal() async throws {
        let provider = try await provider("strict,headers=Retry-After:1;X-Reason:two words")
        let (_, token) = try await provider.family()
        let first = await provider.refresh(token)
        #expect(first.field("Retry-After") == nil)
        let answer = await provider.refresh(token)
        #expect(answer.field("Retry-After") == "1")
        #expect(answer.field("X-Reason") == "two words")
    }

    @Test func supabaseNamesTheCauseInAHeader() async throws {
        let name = "sb-auth-refresh-token-reuse-cause"
        let provider = try await provider("supabase")
        let (_, first) = try await provider.family()
        let answer = await provider.refresh(first)
        #expect(answer.field(name) == nil)
        let second = try answer.text("refresh_token")
        #expect(await provider.refresh(first).field(name) == "concurrent-refresh,fail-to-save")
        #expect(await provider.refresh(second).field(name) == nil)
        #expect(await provider.refresh(first).field(name) == "concurrent-refresh")
        provider.clock.advance(by: .seconds(10))
        #expect(await provider.refresh(second).field(name) == "fail-to-save")
        let refusal = await provider.refresh(first)
        #expect(refusal.status == 400)
        #expect(refusal.field(name) == "reused")
        #expect(refusal.field("sb-auth-refresh-token-rotated") == "true")
        #expect(await provider.refresh(second).field(name) == "ended")
    }

    /// A profile whose provider does not say why does not say it.
    @Test(arguments: RotationPolicy.profiles.map(\.profile).filter { $0 != "supabase" })
    func othersNameNoCause(profile: String) async throws {
        let provider = try await provider(profile)
        let (_, token) = try await provider.family()
        _ = await provider.refresh(token)
        let answer = await provider.refresh(token)
        for word in ["reused", "concurrent", "fail-to-save", "window"] {
            #expect(!String(decoding: answer.body, as: UTF8.self).contains(word))
            #expect(!answer.fields.contains { $0.value.contains(word) })
        }
    }

    @Test func aReplayThatGetsAnAccessTokenAloneGetsNoRefreshToken() async throws {
        let provider = try await provider("okta,replay=access")
        let (_, token) = try await provider.family()
        let first = await provider.refresh(token)
        let replay = await provider.refresh(token)
        #expect(replay.status == 200)
        #expect(replay.json?["refresh_token"] == nil)
        #expect(try await provider.isActive(try replay.text("access_token")))
        #expect(await provider.refresh(try first.text("refresh_token")).status == 200)
    }

    // MARK: Per client

    @Test func eachClientHasItsOwnRules() async throws {
        let okta = try RotationPolicy(parsing: "okta,window=5s")
        let provider = try await GrantsProvider(clients: [try GrantsProvider.client("lenient") { $0.rotation = okta }])
        let lenient = try await provider.family(client: "lenient").refreshToken
        let strict = try await provider.family(client: "other").refreshToken
        for (client, token, status) in [("lenient", lenient, 200), ("other", strict, 400)] {
            #expect(await provider.refresh(token, as: "\(client):secret").status == 200)
            #expect(await provider.refresh(token, as: "\(client):secret").status == status)
        }
        provider.clock.advance(by: .seconds(5))
        #expect(await provider.refresh(lenient, as: "lenient:secret").status == 400)
    }

    /// `oidc-provider` tells public clients from others.
    @Test func aPublicClientsTokenIsReplacedWhereOthersAreKept() async throws {
        let provider = try await provider("oidc-provider")
        let ofPublic = try await provider.family(client: "app").refreshToken
        let ofOther = try await provider.family(client: "other").refreshToken
        #expect(try await provider.refresh(ofPublic, as: "app").text("refresh_token") != ofPublic)
        #expect(try await provider.refresh(ofOther, as: "other:secret").text("refresh_token") == ofOther)
    }

    // MARK: What ends

    /// The family, and not its access tokens: they end when somebody ends them.
    @Test func accessTokensOutliveAFamilyThatWasEndedWithoutThem() async throws {
        let provider = try await provider("auth0")
        let (family, token) = try await provider.family()
        let answer = await provider.refresh(token)
        let access = try answer.text("access_token")
        #expect(await provider.refresh(token).status == 400)
        #expect(await provider.refresh(try answer.text("refresh_token")).status == 400)
        #expect(try await provider.isActive(access))
        let revocation = await provider.post(
            "/revoke", [("token", try answer.text("refresh_token"))], as: "service:secret")
        #expect(revocation.status == 200)
        #expect(try await !provider.isActive(access))
        #expect(try await provider.context.store.family(family.id)?.ended?.reason == .refreshTokenReused)
    }

    @Test(arguments: ["strict", "okta,window=0s", "supabase,ancestors=parent,window=0s", "keycloak", "hydra"])
    func accessTokensEndWithTheFamily(rotation: String) async throws {
        let provider = try await provider(rotation)
        let (_, token) = try await provider.family()
        let access = try await provider.refresh(token).text("access_token")
        #expect(try await provider.isActive(access))
        #expect(await provider.refresh(token).status == 400)
        #expect(try await !provider.isActive(access))
    }

    @Test(arguments: ["dex", "duende", "cognito,window=0s", "wso2,window=0s"])
    func nothingEndsWhereNothingIsRevoked(rotation: String) async throws {
        let provider = try await provider(rotation)
        let (_, token) = try await provider.family()
        let answer = await provider.refresh(token)
        #expect(await provider.refresh(token).status == 400)
        #expect(try await provider.isActive(try answer.text("access_token")))
        #expect(await provider.refresh(try answer.text("refresh_token")).status == 200)
    }

    /// Hydra: the use of a refresh token ends the access token that came with it, and no other.
    @Test func theAccessTokenEndsThatCameWithTheRefreshToken() async throws {
        let provider = try await provider("hydra,window=1m")
        let (_, first) = try await provider.family()
        let answer = await provider.refresh(first)
        let replay = await provider.refresh(first)
        let own = try answer.text("access_token")
        let other = try replay.text("access_token")
        #expect(try await provider.isActive(own))
        #expect(try await provider.isActive(other))
        #expect(await provider.refresh(try answer.text("refresh_token")).status == 200)
        #expect(try await !provider.isActive(own))
        #expect(try await provider.isActive(other))
    }

    @Test func theAccessTokenStaysWhereItIsNotPaired() async throws {
        let provider = try await provider("okta")
        let (_, first) = try await provider.family()
        let answer = await provider.refresh(first)
        _ = await provider.refresh(try answer.text("refresh_token"))
        #expect(try await provider.isActive(try answer.text("access_token")))
    }

    // MARK: Records and log

    @Test func everyVerdictIsRecorded() async throws {
        let provider = try await provider("okta")
        let (family, first) = try await provider.family()
        let second = try await provider.refresh(first).text("refresh_token")
        _ = await provider.refresh(first)
        _ = await provider.refresh(second, also: [("scope", "admin")])
        provider.clock.advance(by: .seconds(30))
        _ = await provider.refresh(first)
        _ = await provider.refresh(second)
        _ = await provider.refresh("rt1.AAAA")
        let records = provider.context.requests.records().map(\.refresh)
        #expect(records.map { $0?.verdict } == [.rotated, .replayed, .refused, .refused, .refused, nil])
        #expect(records.map { $0?.node } == [1, 1, 2, 1, 2, nil])
        #expect(records.map { $0?.given } == [2, 3, nil, nil, nil, nil])
        #expect(
            records.map { $0?.cause } == [
                nil, "concurrent-refresh,fail-to-save", "invalid_scope", "reused", "ended", nil,
            ])
        #expect(records.dropLast().allSatisfy { $0?.family == family.id })
        let json = provider.context.requests.records()[1].json["refresh"]
        #expect(json?["verdict"] == "replayed")
        #expect(json?["node"] == 1)
        #expect(json?["family"]?.string == family.id.description)
    }

    @Test func whatNeverWasAFamilyOfTheClientIsRecordedToo() async throws {
        let provider = try await provider("strict")
        let (_, token) = try await provider.family()
        _ = await provider.refresh(token, as: "other:secret")
        let unknown = provider.context.refreshTokens.token(of: FamilyID(from: SeededRandom(seed: 9)), node: 7)
        _ = await provider.refresh(unknown)
        let records = provider.context.requests.records().map(\.refresh)
        #expect(records.map { $0?.cause } == ["token of another client", "unknown family"])
        #expect(records.map { $0?.node } == [1, 7])
    }

    /// In the log, whatever the profile; and never the token.
    @Test(arguments: RotationPolicy.profiles)
    func theLogHasTheCauseAndNoToken(policy: RotationPolicy) async throws {
        let provider = try await GrantsProvider { $0.rotation = policy }
        let (family, token) = try await provider.family()
        _ = await provider.refresh(token)
        let now = provider.now
        _ = try await provider.context.store.judge(family.id) { $0.end(.revoked, at: now) }
        _ = await provider.refresh(token)
        let line = try #require(provider.idp.log.lines.last { $0.contains("token.refused") })
        let members = try JSON(parsing: Array(line.utf8.dropLast()).span)
        #expect(members["cause"] == "ended")
        #expect(members["family"]?.string == family.id.description)
        #expect(members["node"] == "1")
        #expect(members["verdict"] == "refused")
        #expect(!provider.idp.log.lines.contains { $0.contains(token) })
    }

    // MARK: Shown, and not redeemed

    /// RFC 7662: whether it would be taken.
    @Test func introspectionKnowsTheWindow() async throws {
        let okta = try RotationPolicy(parsing: "okta")
        let idp = try await ProviderUnderTest.withResources { $0.rotation = okta }
        let tokens = try await idp.authorise()
        let before = try await idp.context.store.family(tokens.familyID)?.rotation
        #expect(await idp.isGood(tokens.spentRefreshToken, as: "app") == true)
        idp.clock.advance(by: .seconds(30))
        #expect(await idp.isGood(tokens.spentRefreshToken, as: "app") == false)
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == true)
        #expect(try await idp.context.store.family(tokens.familyID)?.rotation == before)
    }
}

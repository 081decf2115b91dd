import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

/// Which family a request was about, in the records, where a token says it to nobody else.
@Suite struct PresentedFamilyTests {
    /// By the client that may exchange tokens.
    private static func exchange(
        _ token: String, _ type: String, for requested: String? = nil, _ idp: ProviderUnderTest
    ) async -> Answer {
        let types = "urn:ietf:params:oauth:token-type:"
        return await idp.token(
            "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token=\(token)"
                + "&subject_token_type=\(types)\(type)"
                + (requested.map { "&requested_token_type=\(types)\($0)" } ?? ""), basic: idp.basic("front"))
    }

    /// A client that may exchange tokens.
    private static let front: JSONObject = [
        "client_id": "front", "client_secret": "front-secret",
        "grant_types": ["urn:ietf:params:oauth:grant-type:token-exchange", "refresh_token"],
    ]

    private static func provider(_ more: [JSONObject] = []) async throws -> ProviderUnderTest {
        try await ProviderUnderTest.withResources(more) { $0.recordedRequests = 100 }
    }

    private static func last(_ idp: ProviderUnderTest) throws -> RequestRecord {
        try #require(idp.context.requests.records().last)
    }

    // MARK: Access tokens

    private static func show(_ token: String, at path: String, _ idp: ProviderUnderTest) async -> Bool {
        path == "/userinfo" ? await idp.userInfo(token).status == 200 : await idp.isGood(token) == true
    }

    /// Of either form, while it is good, when it was revoked, and when it has expired.
    @Test(arguments: ["app", "blind"], ["/userinfo", "/introspect"])
    func anAccessTokenNamesItsFamily(client: String, path: String) async throws {
        let idp = try await Self.provider()
        let (kept, revoked) = (try await idp.authorise(client), try await idp.authorise(client))
        #expect(await idp.revoke(revoked.accessToken, as: client).status == 200)
        for (tokens, isGood) in [(kept, true), (revoked, false)] {
            #expect(await Self.show(tokens.accessToken, at: path, idp) == isGood)
            #expect(try Self.last(idp).path == path)
            #expect(try Self.last(idp).families == [tokens.familyID])
            #expect(try Self.last(idp).refresh == nil)
        }
        idp.clock.advance(by: idp.context.configuration.accessTokens.lifetime)
        #expect(await Self.show(kept.accessToken, at: path, idp) == false)
        #expect(try Self.last(idp).families == [kept.familyID])
    }

    /// An opaque one says nothing to whoever reads the header.
    @Test(arguments: ["app", "blind"]) func anAccessTokenNamesItsClient(client: String) async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise(client)
        #expect(await idp.userInfo(tokens.accessToken).status == 200)
        #expect(try Self.last(idp).clientID == client)
        idp.clock.advance(by: idp.context.configuration.accessTokens.lifetime)
        #expect(await idp.userInfo(tokens.accessToken).status == 401)
        #expect(try Self.last(idp).clientID == client)
    }

    /// After that nobody looks for it.
    @Test func anAccessTokenNamesItsFamilyForThirtyDays() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise(lasting: nil)
        let lifetime = idp.context.configuration.accessTokens.lifetime
        idp.clock.advance(by: lifetime + .seconds(30 * 86_400) - .milliseconds(1))
        _ = await idp.introspect(tokens.accessToken)
        let late = try Self.last(idp).families
        idp.clock.advance(by: .seconds(1))
        _ = await idp.introspect(tokens.accessToken)
        #expect(late == [tokens.familyID])
        #expect(try Self.last(idp).families.isEmpty)
    }

    @Test func userInfoRefusesWithTheFamilyNamed() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise(scope: "email")
        #expect(await idp.userInfo(tokens.accessToken).error == "insufficient_scope")
        #expect(try Self.last(idp).families == [tokens.familyID])
    }

    @Test(arguments: ["app", "blind"]) func aRevocationNamesTheFamilyEachTime(client: String) async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise(client)
        for _ in 0..<2 {
            #expect(await idp.revoke(tokens.accessToken, as: client).status == 200)
            #expect(try Self.last(idp).families == [tokens.familyID])
        }
    }

    /// It was presented, whoever did.
    @Test func aRefusedRevocationNamesTheFamily() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise()
        for token in [tokens.accessToken, tokens.refreshToken] {
            #expect(await idp.revoke(token, as: "other").error == "invalid_grant")
            #expect(try Self.last(idp).families == [tokens.familyID])
        }
    }

    // MARK: Refresh tokens

    /// Which one it was, too. Nobody judges what is but shown.
    @Test(arguments: ["/introspect", "/revoke"])
    func aShownRefreshTokenNamesItselfAndItsFamily(path: String) async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise()
        for (token, node) in [(tokens.spentRefreshToken, 1), (tokens.refreshToken, 2)] {
            let answer = await idp.token("token=\(token)", basic: idp.basic("app"), path: path)
            #expect(answer.status == 200)
            let record = try Self.last(idp)
            #expect(record.families == [tokens.familyID])
            #expect(record.refresh == RefreshRecord(family: tokens.familyID, node: UInt32(node)))
            #expect(record.json["refresh"]?["verdict"] == .null)
        }
    }

    @Test func anotherClientsIntrospectionNamesTheFamily() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise()
        #expect(await idp.introspect(tokens.refreshToken, as: "other").json == ["active": false])
        #expect(try Self.last(idp).families == [tokens.familyID])
    }

    // MARK: Nobody's

    /// Who writes what looks like a token names no family, and neither does who is not let in.
    @Test func whatIsNoTokenOfOursNamesNone() async throws {
        let idp = try await Self.provider()
        let (tokens, foreign) = (try await idp.authorise(), try await Self.provider().authorise())
        // One letter in the middle of the signature is another.
        var letters = Array(tokens.accessToken)
        letters[letters.count - 40] = letters[letters.count - 40] == "A" ? "B" : "A"
        let forged = String(letters)
        let identity = try #require(tokens.idToken)
        for token in [forged, foreign.accessToken, foreign.refreshToken, identity, "at1.x", "rt1.x", "a.b.c"] {
            _ = await idp.userInfo(token)
            #expect(try Self.last(idp).families.isEmpty)
            _ = await idp.introspect(token)
            #expect(try Self.last(idp).families.isEmpty)
            _ = await idp.revoke(token)
            #expect(try Self.last(idp).families.isEmpty)
        }
        for path in ["/introspect", "/revoke"] {
            let answer = await idp.token("token=\(tokens.accessToken)", basic: "app:wrong", path: path)
            #expect(answer.error == "invalid_client")
            #expect(try Self.last(idp).families.isEmpty)
        }
        // A client that acts for itself has no family.
        let own = try await idp.accessToken()
        #expect(await idp.isGood(own) == true)
        #expect(idp.context.requests.records().suffix(2).map(\.families) == [[], []])
    }

    // MARK: Grants

    @Test func aGrantNamesTheFamilyThatItBegan() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let code = try await idp.code()
        #expect(await idp.redeem(code).status == 200)
        let family = try #require(try await idp.context.store.families(where: { _ in true }, limit: 2).first)
        let record = try Self.last(idp)
        #expect(record.families == [family.id])
        #expect(record.refresh == nil)
        // RFC 6749 section 4.1.2: a second use ends what the first one began.
        #expect(await idp.redeem(code).error == "invalid_grant")
        #expect(try Self.last(idp).families == [family.id])
    }

    @Test func aRefreshNamesItsFamilyOnce() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise()
        _ = await idp.refresh(tokens.refreshToken, as: "app")
        let record = try Self.last(idp)
        #expect(record.families == [tokens.familyID])
        #expect(record.refresh?.verdict == .rotated)
    }

    /// Whatever it is refused for: nothing was judged, and nothing was spent.
    @Test func aRefreshThatIsRefusedBeforeNamesItsToken() async throws {
        let idp = try await Self.provider()
        let tokens = try await idp.authorise()
        let form = "grant_type=refresh_token&refresh_token=\(tokens.refreshToken)"
        for (basic, cause) in [
            ("app:wrong", nil), ("service:secret", nil), ("other:other-secret", "token of another client"),
        ] {
            _ = await idp.token(form, basic: basic)
            let record = try Self.last(idp)
            #expect(record.families == [tokens.familyID])
            #expect(record.refresh?.node == 2 && record.refresh?.verdict == .refused)
            if let cause { #expect(record.refresh?.cause == cause) } else { #expect(record.refresh?.cause != nil) }
        }
        _ = await idp.token(form, basic: idp.basic("app"), also: [.dpop: "no proof"])
        #expect(try Self.last(idp).refresh?.verdict == .refused)
        #expect(await idp.refresh(tokens.refreshToken, as: "app").status == 200)
    }

    /// The tokens of a redirect are of a family, too, and a page says its client in no parameter.
    @Test(arguments: ["code", "code id_token", "token"]) func aRedirectNamesWhatItGave(type: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        _ = try await Browser(idp).signIn(.service(["response_type": type, "nonce": "n", "scope": "openid"]))
        let begun = try await idp.context.store.families(where: { _ in true }, limit: 2)
        #expect(begun.count == (type == "code" ? 0 : 1))
        let record = try Self.last(idp)
        #expect(record.method == "POST")
        #expect(record.families == begun.map(\.id))
        #expect(record.clientID == "service")
    }

    /// Whose the tokens were that it brought.
    @Test(arguments: ["access_token", "refresh_token"]) func anExchangeNamesWhatItWasShown(type: String) async throws {
        let idp = try await Self.provider([Self.front])
        let tokens = try await idp.authorise("front")
        let token = type == "access_token" ? tokens.accessToken : tokens.refreshToken
        func exchange() async throws -> (status: Int, record: RequestRecord) {
            (await Self.exchange(token, type, idp).status, try Self.last(idp))
        }
        let good = try await exchange()
        #expect(good.status == 200)
        #expect(good.record.families == [tokens.familyID])
        #expect(good.record.refresh?.node == (type == "refresh_token" ? 2 : nil))
        #expect(good.record.refresh?.verdict == nil)
        _ = await idp.revoke(tokens.refreshToken, as: "front")
        let bad = try await exchange()
        #expect(bad.status == 400)
        #expect(bad.record.families == [tokens.familyID])
        #expect(bad.record.refresh?.cause == (type == "refresh_token" ? "ended" : nil))
    }

    /// In an exchange, a reuse is a reuse.
    @Test func aReuseInAnExchangeHasItsCause() async throws {
        let idp = try await Self.provider([Self.front])
        let tokens = try await idp.authorise("front")
        #expect(await Self.exchange(tokens.spentRefreshToken, "refresh_token", idp).status == 400)
        let refresh = try #require(try Self.last(idp).refresh)
        #expect(refresh.node == 1 && refresh.verdict == .refused && refresh.cause == "reused")
    }

    /// The token is good, and its login is over.
    @Test func anExchangeForATokenOfALoginThatIsOverSaysSo() async throws {
        let idp = try await Self.provider([Self.front])
        let now = idp.clock.now()
        let login = Login(
            id: LoginID("login-1"), userID: "alice", authentication: Authentication(at: now, methods: ["pwd"]),
            claims: [:], expires: now + .seconds(60))
        try await idp.context.store.keep(login)
        let tokens = try await idp.authorise("front", loginID: login.id)
        #expect(await Self.exchange(tokens.refreshToken, "refresh_token", idp).status == 200)
        try await LoginEnding(context: idp.context).end([login.id], .loggedOut, as: nil, at: now)
        #expect(await Self.exchange(tokens.refreshToken, "refresh_token", idp).error == "invalid_request")
        let refresh = try #require(try Self.last(idp).refresh)
        #expect(refresh.node == 2 && refresh.verdict == .refused && refresh.cause == "login ended")
    }

    /// The one that was shown, and the one that has begun.
    @Test func anExchangeForASessionNamesBoth() async throws {
        let idp = try await Self.provider([Self.front])
        let tokens = try await idp.authorise("front")
        let answer = await Self.exchange(tokens.accessToken, "access_token", for: "refresh_token", idp)
        let begun = try #require(idp.context.refreshTokens.read(try answer.text("access_token")))
        #expect(begun.family != tokens.familyID)
        #expect(try Self.last(idp).families == [tokens.familyID, begun.family])
    }

    /// For whoever waits for the request in which it is used.
    @Test func requestsAreChosenByTheFamilyOfAnAccessToken() async throws {
        let idp = try await Self.provider()
        let (tokens, other) = (try await idp.authorise(), try await idp.authorise())
        _ = await idp.userInfo(tokens.accessToken)
        _ = await idp.userInfo(other.accessToken)
        let found = try await ControlUnderTest(idp).json("GET", "/requests?path=/userinfo&family=\(tokens.familyID)")
        #expect(found["requests"]?.array?.count == 1)
    }
}

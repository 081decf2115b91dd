import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct RevocationTests {
    /// RFC 7009 section 2.2, for a signed and for an opaque token alike.
    @Test(arguments: ["app", "blind", "spa"]) func endsAnAccessToken(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(client)
        #expect(await idp.isGood(tokens.accessToken) == true)
        let answer = await idp.revoke(tokens.accessToken, as: client)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.userInfo(tokens.accessToken).error == "invalid_token")
    }

    @Test func endsATokenThatNoUserAuthorised() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let (first, second) = (try await idp.accessToken(), try await idp.accessToken())
        #expect(await idp.revoke(first, as: "service").status == 200)
        #expect(await idp.isGood(first) == false)
        #expect(await idp.isGood(second) == true)
    }

    /// RFC 7009 section 2.1: the refresh token, and the access tokens of the same grant.
    @Test(arguments: ["app", "blind", "spa"]) func aRefreshTokenEndsItsFamily(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let (tokens, other) = (try await idp.authorise(client), try await idp.authorise(client))
        #expect(await idp.revoke(tokens.refreshToken, as: client).status == 200)
        #expect(await idp.refresh(tokens.refreshToken, as: client).error == "invalid_grant")
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(try await idp.context.store.family(tokens.familyID)?.ended?.reason == .revoked)
        // Another authorization of the same user and client goes on.
        #expect(await idp.isGood(other.accessToken) == true)
        #expect(await idp.refresh(other.refreshToken, as: client).status == 200)
    }

    /// A client that signs out with a copy that was replaced meanwhile means the session.
    @Test func aSpentRefreshTokenEndsTheFamilyToo() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        #expect(await idp.revoke(tokens.spentRefreshToken).status == 200)
        #expect(await idp.refresh(tokens.refreshToken, as: "app").error == "invalid_grant")
    }

    @Test(arguments: AccessTokenRevocation.allCases)
    func whatAnAccessTokenEndsBesidesIsChosen(choice: AccessTokenRevocation) async throws {
        let idp = try await ProviderUnderTest.withResources { $0.accessTokenRevocation = choice }
        let tokens = try await idp.authorise()
        #expect(await idp.revoke(tokens.accessToken).status == 200)
        #expect(await idp.isGood(tokens.accessToken) == false)
        let status = await idp.refresh(tokens.refreshToken, as: "app").status
        #expect(status == (choice == .family ? 400 : 200))
    }

    /// RFC 7009 section 2.1: a token that was not issued to the client is refused, and goes on.
    @Test func refusesATokenOfAnotherClient() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        for token in [tokens.accessToken, tokens.refreshToken, tokens.spentRefreshToken] {
            for client in ["other", "spa"] {
                let answer = await idp.revoke(token, as: client)
                #expect(answer.status == 400)
                #expect(answer.error == "invalid_grant")
            }
        }
        #expect(await idp.isGood(tokens.accessToken) == true)
        #expect(await idp.refresh(tokens.refreshToken, as: "app").status == 200)
    }

    /// RFC 7009 section 2.2: what is no good token any more is what the client wanted.
    @Test func answersATokenThatIsNoneAsIfItHadEndedIt() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        let foreign = try await ProviderUnderTest.withResources().authorise()
        #expect(await idp.revoke(tokens.refreshToken).status == 200)
        for token in [
            "x", "at1.x", "rt1.x", tokens.accessToken, tokens.refreshToken, foreign.accessToken, foreign.refreshToken,
            idp.context.refreshTokens.token(of: FamilyID(from: SystemRandom()), node: 1),
        ] {
            #expect(await idp.revoke(token).status == 200)
        }
    }

    /// RFC 7009 section 2.2: the status says it all.
    @Test func answersWithNoBodyAndNoType() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.revoke(try await idp.authorise().refreshToken)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.field("Content-Type") == nil)
        #expect(answer.field("Cache-Control") == "no-store")
    }

    /// RFC 8693: what another client was given is not ended by whoever has exchanged a token of it.
    @Test func anExchangedTokenEndsNoFamilyOfAnotherClient() async throws {
        let idp = try await ProviderUnderTest.withResources(
            [
                [
                    "client_id": "exchanger", "client_secret": "secret",
                    "grant_types": ["urn:ietf:params:oauth:grant-type:token-exchange"],
                ]
            ]
        ) { $0.accessTokenRevocation = .family }
        let tokens = try await idp.authorise()
        let form = FormParameters([
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", tokens.accessToken),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
        ])
        let exchanged = try await idp.token(form.encoded, basic: "exchanger:secret").text("access_token")
        #expect(await idp.isGood(exchanged) == true)
        #expect(await idp.revoke(exchanged, as: "exchanger").status == 200)
        #expect(await idp.isGood(exchanged) == false)
        #expect(await idp.isGood(tokens.accessToken) == true)
        #expect(await idp.revoke(tokens.accessToken).status == 200)
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == false)
    }

    /// RFC 7009 section 2.2.1.
    @Test func refusesAnIDToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        let answer = await idp.revoke(try #require(tokens.idToken))
        #expect(answer.status == 400)
        #expect(answer.error == "unsupported_token_type")
    }

    /// RFC 7009 section 2.1: the hint is a hint.
    @Test(arguments: ["access_token", "refresh_token", "id_token", "anything"])
    func theHintIsOnlyAHint(hint: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        #expect(await idp.revoke(tokens.accessToken, hint: hint).status == 200)
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.revoke(tokens.refreshToken, hint: hint).status == 200)
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == false)
    }

    /// RFC 7009 section 2.1: first the client is authenticated, a confidential one by more than its name.
    @Test func refusesWhoeverDoesNotAuthenticate() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        for (form, basic) in [
            ("token=\(tokens.refreshToken)", nil), ("token=\(tokens.refreshToken)&client_id=app", nil),
            ("token=\(tokens.refreshToken)", "app:wrong"), ("token=\(tokens.refreshToken)", "nobody:secret"),
        ] {
            let answer = await idp.token(form, basic: basic, path: "/revoke")
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_client")
        }
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == true)
    }

    @Test func refusesARequestWithoutToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        for form in ["", "token=", "token=a&token=a"] {
            #expect(await idp.token(form, basic: "app:app-secret", path: "/revoke").error == "invalid_request")
        }
        #expect(await idp.token("", basic: "app:app-secret", path: "/revoke?token=a").error == "invalid_request")
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete]) func answersPOSTAlone(method: HTTPRequest.Method)
        async throws
    {
        let answer = await (try await ProviderUnderTest.withResources()).respond(method, "/revoke")
        #expect(answer.status == 405)
        #expect(answer.field("Allow") == "POST, OPTIONS")
    }

    /// Of many who revoke and refresh at once, nobody has a live token when all are done.
    @Test func aRefreshThatIsUnderWayDoesNotOutliveTheRevocation() async throws {
        for _ in 0..<20 {
            let idp = try await ProviderUnderTest.withResources()
            let tokens = try await idp.authorise()
            let won = await withTaskGroup(of: String?.self) { group in
                group.addTask { await idp.refresh(tokens.refreshToken, as: "app").json?["refresh_token"]?.string }
                group.addTask {
                    _ = await idp.revoke(tokens.refreshToken)
                    return nil
                }
                return await group.reduce(into: [String]()) { if let token = $1 { $0.append(token) } }
            }
            for token in won { #expect(await idp.isGood(token, as: "app") == false) }
        }
    }

    @Test func logsWhatEndedAndNoToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        _ = await idp.revoke(tokens.accessToken)
        _ = await idp.revoke(tokens.refreshToken)
        _ = await idp.revoke(tokens.refreshToken, as: "other")
        let lines = idp.log.lines
        #expect(lines.count { $0.contains("token.revoked") } == 2)
        #expect(lines.contains { $0.contains("revocation.refused") })
        #expect(!lines.contains { $0.contains(tokens.accessToken) || $0.contains(tokens.refreshToken) })
    }
}

import Foundation
import IdentityProviderTesting
import Testing

/// A provider inside the test's own process, driven by an app that knows HTTP alone.
@Suite struct ProviderTests {
    @Test func answersUnderItsIssuer() async throws {
        try await withIdentityProvider { idp in
            let metadata = try await AppUnderTest(idp).get("/.well-known/openid-configuration")
            #expect(metadata.text("issuer") == idp.issuer)
            #expect(idp.discovery["issuer"]?.string == idp.issuer)
        }
    }

    @Test func givesBackWhatTheBodyReturns() async throws {
        let answer = try await withIdentityProvider { idp in idp.issuer }
        #expect(answer.hasPrefix("http://127.0.0.1:"))
    }

    /// Where an endpoint gives no tokens, members are those of its answer.
    @Test func changesMembersOfWhateverAnswer() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile email")
            try idp.answerNext(.changing(members: ["sub": "somebody-else", "email": nil]), at: "/userinfo")
            let changed = try await app.get("/userinfo", bearer: tokens.accessToken)
            #expect(changed.status == 200)
            #expect(changed.text("sub") == "somebody-else")
            #expect(changed.text("email").isEmpty)
            let user = try await app.get("/userinfo", bearer: tokens.accessToken)
            #expect(user.text("email") == "alice@example.com")
            let waiting = try await app.get("/_pawl/next")
            #expect((waiting.json["next"] as? [Any])?.isEmpty == true)
        }
    }

    /// A place is there again when its reader has gone.
    @Test(.timeLimit(.minutes(1))) func moreReadersOfEventsThanThereMayBeHearNothing() async throws {
        try await withIdentityProvider { idp in
            var readers = (0..<100).map { _ in idp.events(.familyEnded) }
            for await _ in idp.events() { Issue.record("there was no place") }
            readers.removeLast()
            let last = idp.events(.familyEnded)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try await idp.endSession(tokens.loginID)
            var count = 0
            for await event in last {
                #expect(event["reason"]?.string == "ended")
                count += 1
                break
            }
            #expect(count == 1)
            withExtendedLifetime(readers) {}
        }
    }

    @Test func mintsTokensThatWorkAsThoseOfALogin() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile email", nonce: "n-1")
            let user = try await app.get("/userinfo", bearer: tokens.accessToken)
            #expect(user.text("email") == "alice@example.com")
            let claims = try Claims(of: tokens.idToken)
            #expect(claims["nonce"] as? String == "n-1")
            #expect(claims["sid"] as? String == tokens.loginID)
            #expect(claims["iss"] as? String == idp.issuer)
            let refreshed = try await app.refresh(tokens.refreshToken)
            #expect(refreshed.status == 200)
            #expect(refreshed.text("refresh_token") != tokens.refreshToken)
        }
    }

    @Test func expiresThemWhenTheClockMoves() async throws {
        try await withIdentityProvider(TestSetup(accessTokenLifetime: .seconds(1))) { idp in
            let app = AppUnderTest(idp)
            idp.clock.freeze()
            let tokens = try await idp.tokens(for: "alice", client: "web")
            #expect(try await app.get("/userinfo", bearer: tokens.accessToken).status == 200)
            idp.clock.advance(by: .seconds(1))
            #expect(try await app.get("/userinfo", bearer: tokens.accessToken).status == 401)
        }
    }

    @Test func endsASessionForGood() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            #expect(try await idp.endSession(tokens.loginID))
            #expect(try await app.get("/userinfo", bearer: tokens.accessToken).status == 401)
            #expect(try await app.refresh(tokens.refreshToken).text("error") == "invalid_grant")
            #expect(try await idp.endSession("nothing") == false)
        }
    }

    /// Who comes back does not get back what was his.
    @Test func endsWhatARemovedUserAuthorised() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            #expect(try await idp.users.remove("alice"))
            try idp.users.add(TestUser("alice"))
            #expect(try await app.get("/userinfo", bearer: tokens.accessToken).status == 401)
            #expect(try await app.refresh(tokens.refreshToken).text("error") == "invalid_grant")
            #expect(try await idp.users.remove("nobody") == false)
        }
    }

    @Test func showsAReplayedRefreshToken() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            _ = try await app.refresh(tokens.refreshToken)
            #expect(try await app.refresh(tokens.refreshToken).text("error") == "invalid_grant")
            let session = try #require(try await idp.sessions().first)
            #expect(session.endReason == "refresh_token_reused")
            #expect(session.refreshTokenCount == 2)
        }
    }

    @Test func answersAsItWasTold() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try idp.answerNext(.error("temporarily_unavailable", status: 503), client: "web")
            #expect(try await app.refresh(tokens.refreshToken).status == 503)
            // The endpoint did nothing, so the token is still good.
            try idp.answerNext(.changing(accessTokenClaims: ["sub": "mallory", "jti": nil]))
            let refreshed = try await app.refresh(tokens.refreshToken)
            let claims = try Claims(of: refreshed.text("access_token"))
            #expect(claims["sub"] as? String == "mallory")
            #expect(claims["jti"] == nil)
        }
    }

    @Test func losesTheAnswerOfARefreshThatWasDone() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try idp.answerNext(.error("server_error", status: 500, when: .after))
            #expect(try await app.refresh(tokens.refreshToken).status == 500)
            #expect(try await app.refresh(tokens.refreshToken).text("error") == "invalid_grant")
        }
    }

    @Test func handsEachRequestOutOnce() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            async let waited = idp.nextRequest(matching: .path("/token"))
            _ = try await app.post("/token", "grant_type=client_credentials", basic: "service:secret")
            let first = try await waited
            _ = try await app.post("/token", "grant_type=nothing", basic: "service:secret")
            let second = try await idp.nextRequest(matching: .path("/token"))
            #expect(first.clientID == "service" && first.status == 200)
            #expect(second.number > first.number && second.error == "unsupported_grant_type")
            #expect(idp.requests.count == 2)
        }
    }

    @Test func saysWhenNothingCame() async throws {
        try await withIdentityProvider { idp in
            let error = await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.nextRequest(within: .milliseconds(1))
            }
            #expect(error?.reason == .timedOut)
        }
    }

    @Test func keepsTheClaimsForTheNextLogin() async throws {
        try await withIdentityProvider { idp in
            idp.claimsOfNextLogin(["roles": ["auditor"]], for: "alice")
            let bob = try await idp.tokens(for: "bob", client: "web")
            #expect(try Claims(of: bob.idToken)["roles"] == nil)
            let alice = try await idp.tokens(for: "alice", client: "web")
            #expect(try Claims(of: alice.idToken)["roles"] as? [String] == ["auditor"])
        }
    }

    @Test(arguments: TestAlgorithm.allCases)
    func signsWithEachAlgorithm(_ algorithm: TestAlgorithm) async throws {
        try await withIdentityProvider { idp in
            let token = try await idp.sign(["sub": "alice"], algorithm: algorithm)
            let header = try Claims(of: token, part: 0)
            #expect(header["alg"] as? String == algorithm.rawValue)
        }
    }

    @Test func teachesWhatWouldHaveWorked() async throws {
        try await withIdentityProvider { idp in
            var error = await #expect(throws: IdentityProviderTestingError.self) {
                _ = try await idp.tokens(for: "nobody", client: "web")
            }
            #expect(error?.description == "there is no user nobody; there are alice, bob, minji, haruto")
            error = await #expect(throws: IdentityProviderTestingError.self) {
                _ = try await idp.tokens(for: "alice", client: "nothing")
            }
            #expect(error?.reason == .unknownClient)
            error = await #expect(throws: IdentityProviderTestingError.self) {
                _ = try await idp.tokens(for: "alice", client: "web", scope: "two  spaces")
            }
            #expect(error?.reason == .badScope)
            error = await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.clients.add(.publicApp(redirectURI: "javascript:alert(1)"))
            }
            #expect(error?.description.contains("redirect_uris[0]") == true)
            error = #expect(throws: IdentityProviderTestingError.self) { try idp.users.add(TestUser("")) }
            #expect(error?.reason == .badUser)
        }
    }

    @Test(arguments: [
        TestSetup(accessTokenLifetime: .milliseconds(1)), TestSetup(recordedRequests: -1),
        TestSetup(users: [TestUser("twice"), TestUser("twice")]), TestSetup(clients: [TestClient("", grantTypes: [])]),
    ])
    func refusesASetupThatCannotBe(_ setup: TestSetup) async throws {
        await #expect(throws: IdentityProviderTestingError.self) { try await withIdentityProvider(setup) { _ in } }
    }
}

/// What a JWT says, read without any library.
struct Claims {
    private let object: [String: Any]

    init(of token: String?, part: Int = 1) throws {
        let segment = (token ?? "").split(separator: ".")[part]
        var text = String(segment).replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        object = try JSONSerialization.jsonObject(with: Data(base64Encoded: text) ?? Data()) as? [String: Any] ?? [:]
    }

    subscript(name: String) -> Any? { object[name] }
}

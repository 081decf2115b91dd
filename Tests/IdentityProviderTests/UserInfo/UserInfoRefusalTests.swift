import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct UserInfoRefusalTests {
    /// RFC 6750 section 3.1: without any authentication information, no error code.
    @Test(arguments: [nil, "Basic YWxpY2U6YWxpY2U=", "Negotiate abc"])
    func tellsWhoBringsNoTokenOnlyHowToCome(authorization: String?) async throws {
        let idp = try await ProviderUnderTest.withResources()
        var fields: HTTPFields = [:]
        fields[.authorization] = authorization
        let answer = await idp.get("/userinfo", fields)
        #expect(answer.status == 401)
        let challenges = answer.fields[values: .wwwAuthenticate]
        #expect(challenges.contains { $0.hasPrefix("Bearer ") && $0.contains(#"scope="openid""#) })
        #expect(challenges.contains { $0.hasPrefix("DPoP ") })
        #expect(!challenges.contains { $0.contains("error") })
        #expect(answer.body.isEmpty)
    }

    @Test func refusesATokenThatIsNone() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        for token in ["x", "at1.nothing", tokens.refreshToken, try #require(tokens.idToken)] {
            let answer = await idp.userInfo(token)
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_token")
            #expect(answer.field("WWW-Authenticate")?.contains(#"error="invalid_token""#) == true)
            #expect(answer.field("WWW-Authenticate")?.hasPrefix("Bearer ") == true)
        }
    }

    @Test(arguments: ["app", "blind"]) func refusesATokenWhoseTimeIsOver(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise(client).accessToken
        idp.clock.advance(by: .seconds(299))
        #expect(await idp.userInfo(token).status == 200)
        idp.clock.advance(by: .seconds(1))
        #expect(await idp.userInfo(token).error == "invalid_token")
    }

    @Test func refusesATokenOfAnotherProvider() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let other = try await ProviderUnderTest.withResources()
        #expect(await idp.userInfo(try await other.authorise().accessToken).error == "invalid_token")
    }

    /// RFC 6750 section 3.1: 403, with the scope that is needed.
    @Test func refusesATokenWithoutTheScopeOpenID() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.userInfo(try await idp.authorise(scope: "profile").accessToken)
        #expect(answer.status == 403)
        #expect(answer.error == "insufficient_scope")
        #expect(answer.field("WWW-Authenticate")?.contains(#"scope="openid""#) == true)
    }

    @Test func refusesATokenThatNoUserAuthorised() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.accessToken("grant_type=client_credentials&scope=openid")
        #expect(await idp.userInfo(token).error == "invalid_token")
    }

    /// OpenID Connect Core section 5.3 against RFC 9068 section 4: what was got by an authentication request is taken here,
    /// whomever else it is for; what was not, is not.
    @Test(arguments: [("openid email", 200), ("email", 403)])
    func looksAtTheScopeOfATokenForAnotherResource(scope: String, status: Int) async throws {
        let resource = "https://api.example/"
        let idp = try await ProviderUnderTest.signIn()
        let code = try await idp.code(AuthorizationQuery(["scope": scope, "resource": resource]))
        let token = try await idp.redeem(code).text("access_token")
        #expect(try await idp.verified(token, audience: resource).claims.audience == [resource])
        let answer = await idp.userInfo(token)
        #expect(answer.status == status)
        #expect((answer.json?["email"] != nil) == (status == 200))
        #expect(answer.error == (status == 200 ? nil : "insufficient_scope"))
    }

    @Test func refusesATokenWhoseFamilyHasEnded() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        // The spent one a second time ends them all.
        #expect(await idp.refresh(tokens.spentRefreshToken, as: "app").error == "invalid_grant")
        #expect(await idp.userInfo(tokens.accessToken).error == "invalid_token")
    }

    @Test func refusesATokenWhoseClientIsGone() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        idp.context.clients.remove("app")
        #expect(await idp.userInfo(token).error == "invalid_token")
    }

    @Test func refusesATokenWhoseUserIsGone() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        idp.context.users.remove(id: "alice")
        #expect(await idp.userInfo(tokens.accessToken).error == "invalid_token")
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == false)
    }

    /// RFC 6750 section 3: a challenge says what would be right; of what is our own fault, nothing would be.
    @Test func challengesNobodyForAFaultOfItsOwn() async throws {
        let idp = try await ProviderUnderTest.withResources()
        var metadata = ClientMetadata()
        metadata.grants = ["refresh_token"]
        // Put there without a key to sign with.
        metadata.userInfoAlgorithm = .es384
        try idp.context.clients.add(Client(id: "keyless", secret: Secret(utf8: "s"), metadata: metadata))
        let answer = await idp.userInfo(try await idp.authorise("keyless").accessToken)
        #expect(answer.status == 500)
        #expect(answer.field("WWW-Authenticate") == nil)
        // It stands out in the log, and what others got wrong does not.
        _ = await idp.userInfo("x")
        let refusals = idp.log.lines.filter { $0.contains("userinfo.refused") }
        #expect(refusals.map { $0.contains(#""level":"error""#) } == [true, false])
    }

    /// RFC 6750 section 2.3, RFC 9700 section 4.3.2.
    @Test(arguments: [HTTPRequest.Method.get, .post]) func refusesATokenInTheURL(method: HTTPRequest.Method)
        async throws
    {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        for fields: HTTPFields in [[:], [.authorization: "Bearer \(token)"]] {
            let answer = await idp.respond(method, "/userinfo?access_token=\(token)", fields)
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_request")
        }
    }

    /// RFC 6750 section 2: one way in each request.
    @Test func refusesATokenInTwoPlaces() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let answer = await idp.token("access_token=\(token)", authorization: "Bearer \(token)", path: "/userinfo")
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
    }

    @Test func refusesTwoAuthorizationHeaders() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        var fields: HTTPFields = [.authorization: "Bearer \(token)"]
        fields.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
        #expect(await idp.get("/userinfo", fields).error == "invalid_request")
    }

    @Test(arguments: ["access_token=a&access_token=a", "access_token=a%20b", "access_token=%FF"])
    func refusesABodyThatIsMalformed(body: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        #expect(await idp.token(body, path: "/userinfo").error == "invalid_request")
    }

    /// RFC 6750 section 2.2: the body is a form, and the method is not GET.
    @Test func takesNoTokenFromABodyOfAnotherKind() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let form = Array("access_token=\(token)".utf8)
        let get = await idp.respond(
            .get, "/userinfo", [.contentType: "application/x-www-form-urlencoded"], body: form)
        #expect(get.status == 401)
        #expect(await idp.respond(.post, "/userinfo", [.contentType: "text/plain"], body: form).status == 401)
    }

    /// RFC 8705 section 3: a token that is bound to a certificate is nothing without it.
    @Test func refusesABoundTokenWithoutItsKey() async throws {
        let idp = try await ProviderUnderTest.withResources([
            [
                "client_id": "bound", "client_secret": "s", "grant_types": ["refresh_token"],
                "tls_client_certificate_bound_access_tokens": true,
            ]
        ])
        let terms = FamilyTerms(
            id: FamilyID(from: SystemRandom()), clientID: "bound", userID: "alice", scope: try Scope(parsing: "openid"),
            began: idp.clock.now(), expires: nil)
        var family = Family(terms)
        family.rotation.begin(at: family.terms.began)
        try await idp.context.store.keep(family)
        let form = "grant_type=refresh_token&refresh_token=" + idp.context.refreshTokens.token(of: terms.id, node: 1)
        let answer = await idp.post(
            form, certificate: try .test(), [.authorization: "Basic " + Base64.encode(Array("bound:s".utf8))])
        let token = try answer.text("access_token")
        let fields: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(await idp.send(.get, "/userinfo", fields, certificate: try .test()).status == 200)
        for other in [nil, try ClientCertificate.test("two")] {
            let refused = await idp.send(.get, "/userinfo", fields, certificate: other)
            #expect(refused.status == 401)
            #expect(refused.error == "invalid_token")
        }
    }

    /// RFC 9449 section 7.1: the scheme is for bound tokens.
    @Test func refusesAnUnboundTokenUnderTheSchemeDPoP() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let answer = await idp.get("/userinfo", [.authorization: "DPoP \(token)"])
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_token")
    }

    @Test func neverLogsAToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        _ = await idp.get("/userinfo?access_token=\(token)")
        _ = await idp.userInfo(token + "x")
        #expect(!idp.log.lines.contains { $0.contains(token) })
        #expect(idp.log.lines.contains { $0.contains("userinfo.refused") })
    }
}

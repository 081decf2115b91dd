import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct UserInfoTests {
    @Test func saysWhoTheUserIs() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.userInfo(try await idp.authorise().accessToken)
        #expect(answer.status == 200)
        #expect(answer.json?["sub"] == "alice")
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("Cache-Control") == "no-store")
    }

    /// OpenID Connect Core section 5.4.
    @Test(arguments: [
        ("openid", [], ["name", "email", "phone_number", "address"]),
        ("openid profile", ["name", "given_name", "locale"], ["email", "phone_number", "address"]),
        ("openid email", ["email", "email_verified"], ["name", "phone_number", "address"]),
        ("openid phone", ["phone_number", "phone_number_verified"], ["name", "email"]),
        ("openid address", ["address"], ["name", "email"]),
    ])
    func saysWhatTheScopeStandsFor(scope: String, there: [String], missing: [String]) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let claims = try #require(await idp.userInfo(try await idp.authorise(scope: scope).accessToken).json?.object)
        for name in there { #expect(claims.contains(name), "\(name)") }
        for name in missing { #expect(!claims.contains(name), "\(name)") }
    }

    /// OpenID Connect Core section 5.5, for this endpoint and not for the ID token.
    @Test func saysWhatTheRequestNamed() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(
            claims: #"{"userinfo":{"email":{"essential":true},"website":{"essential":true}},"id_token":{"name":null}}"#)
        let claims = try #require(await idp.userInfo(tokens.accessToken).json?.object)
        #expect(claims["email"] == "alice@example.com")
        #expect(!claims.contains("name"))
        // Section 5.5.1: an essential claim that is not known is no error.
        #expect(!claims.contains("website"))
    }

    /// OpenID Connect Core section 5.3.2: exactly the `sub` of the ID token, or the client must not use the answer.
    @Test(arguments: ["app", "pair", "blind"]) func theSubjectIsThatOfTheIDToken(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(client)
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        let idToken = try JWTPolicy(issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([client]))
            .verify(try #require(tokens.idToken), keys: keys, at: idp.clock.now())
        let subject = await idp.userInfo(tokens.accessToken).json?["sub"]?.string
        #expect(subject == idToken.claims.subject)
        #expect((subject == "alice") == (client != "pair"))
    }

    /// A user's own claims cannot say that he is somebody else.
    @Test func noClaimReplacesTheSubject() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(loginClaims: ["sub": "mallory", "role": "admin"])
        let claims = await idp.userInfo(tokens.accessToken).json
        #expect(claims?["sub"] == "alice")
        #expect(claims?["role"] == "admin")
    }

    /// Nor where the user was brought with them, or they were asked for by name.
    @Test(arguments: [nil, #"{"userinfo":{"sub":null,"cnf":null,"role":null},"id_token":{"cnf":null,"azp":null}}"#])
    func noClaimOfTheProtocolIsTakenFromTheUser(request: String?) async throws {
        let idp = try await ProviderUnderTest.withResources(
            users: [
                try User(
                    username: "alice",
                    claims: ["sub": "mallory", "cnf": ["jkt": "x"], "azp": "evil", "role": "admin"])
            ])
        let tokens = try await idp.authorise(claims: request)
        let claims = try #require(await idp.userInfo(tokens.accessToken).json?.object)
        #expect(claims["sub"] == "alice")
        #expect(claims["role"] == "admin")
        for name in ["cnf", "azp"] { #expect(!claims.contains(name), "\(name)") }
        let idToken = try #require(tokens.idToken)
        let payload = try Base64URL.decode(String(idToken.split(separator: ".")[1]))
        let identity = try JSON(parsing: payload.span).object
        #expect(identity?["sub"] == "alice")
        for name in ["cnf", "azp"] { #expect(identity?.contains(name) == false, "\(name)") }
    }

    /// OpenID Connect Core section 5.3.1, RFC 6750 sections 2.1 and 2.2.
    @Test func answersGetAndPostAndATokenInTheBody() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let field: HTTPFields = [.authorization: "bearer \(token)"]
        for answer in [
            await idp.get("/userinfo", field),
            await idp.respond(.post, "/userinfo", field),
            await idp.respond(
                .post, "/userinfo", field + [.contentType: "application/x-www-form-urlencoded"], body: Array("a=b".utf8)
            ),
            await idp.token("access_token=\(token)", path: "/userinfo"),
        ] {
            #expect(answer.status == 200)
            #expect(answer.json?["sub"] == "alice")
        }
    }

    /// OpenID Connect Core section 5.3.2: `application/jwt`, with `iss` and `aud`.
    @Test func isSignedForAClientThatAskedForIt() async throws {
        let idp = try await ProviderUnderTest.withResources([
            [
                "client_id": "signed", "client_secret": "s", "grant_types": ["refresh_token"],
                "userinfo_signed_response_alg": "ES256",
            ]
        ])
        let answer = await idp.userInfo(try await idp.authorise("signed", scope: "openid email").accessToken)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "application/jwt")
        #expect(answer.field("Cache-Control") == "no-store")
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        let policy = JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf(["signed"]), requiredClaims: ["sub"])
        let token = try policy.verify(String(decoding: answer.body, as: UTF8.self), keys: keys, at: idp.clock.now())
        #expect(token.algorithm == .es256)
        #expect(token.claims.subject == "alice")
        #expect(token.claims.members["email"] == "alice@example.com")
        // RFC 8725 section 3.11: it is no access token.
        #expect(await idp.userInfo(String(decoding: answer.body, as: UTF8.self)).error == "invalid_token")
    }

    /// OpenID Connect Core section 10.1: with the secret of the client, which no other can verify.
    @Test func isSignedWithTheSecretOfTheClient() async throws {
        let secret = String(repeating: "k", count: 32)
        let idp = try await ProviderUnderTest.withResources([
            [
                "client_id": "shared", "client_secret": .string(secret), "grant_types": ["refresh_token"],
                "userinfo_signed_response_alg": "HS256",
            ]
        ])
        let answer = await idp.userInfo(try await idp.authorise("shared").accessToken)
        let policy = JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf(["shared"]), requiredClaims: ["sub"])
        for (key, isRight) in [(secret, true), (String(repeating: "x", count: 32), false)] {
            let keys = VerificationKeySet([
                try VerificationKey(JWK(.symmetric(Secret(utf8: key))), algorithm: .hs256)
            ])
            let token = try? policy.verify(
                String(decoding: answer.body, as: UTF8.self), keys: keys, at: idp.clock.now())
            #expect((token != nil) == isRight)
        }
    }

    /// OpenID Connect Core section 5.2: a name in another language is a name.
    @Test func namesInOtherLanguagesKeepToTheirScope() async throws {
        let idp = try await ProviderUnderTest.withResources()
        try idp.context.users.put(User(username: "minji", claims: ["name": "Minji", "name#ko": "민지", "x#ko": 1]))
        for (scope, isThere) in [("openid", false), ("openid profile", true)] {
            let claims = await idp.userInfo(try await idp.authorise(by: "minji", scope: scope).accessToken).json?.object
            #expect(claims?.contains("name#ko") == isThere)
            #expect(claims?.contains("x#ko") == true)
        }
    }

    /// What a refresh left out of the scope is not told any more.
    @Test func saysNoMoreThanTheScopeOfTheToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(scope: "openid email profile")
        let narrowed = await idp.token(
            "grant_type=refresh_token&refresh_token=\(tokens.refreshToken)&scope=openid+profile",
            basic: idp.basic("app"))
        let claims = await idp.userInfo(try narrowed.text("access_token")).json
        #expect(claims?["name"] == "Alice Adams")
        #expect(claims?["email"] == nil)
    }

    @Test func pagesOfOtherPortsMayReadIt() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let near = await idp.userInfo(token, also: [.origin: "http://localhost:3000"])
        #expect(near.field("Access-Control-Allow-Origin") == "http://localhost:3000")
        let far = await idp.userInfo(token, also: [.origin: "https://evil.example"])
        #expect(far.field("Access-Control-Allow-Origin") == nil)
    }
}

extension HTTPFields {
    static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
        var fields = left
        for field in right { fields.append(field) }
        return fields
    }
}

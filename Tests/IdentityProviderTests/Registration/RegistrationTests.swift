import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct RegistrationTests {
    /// RFC 7591 section 3.2.1.
    @Test func registersAClient() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.register(also: ["client_name": "New", "unheard_of": 1])
        #expect(answer.status == 201)
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("Cache-Control") == "no-store")
        let client = try RegisteredClient(answer)
        let expected: JSONObject = [
            "client_id_issued_at": .number(JSONNumber(idp.clock.now().secondsSinceEpoch)),
            "client_secret_expires_at": 0, "client_name": "New", "redirect_uris": ["https://app.example/callback"],
            "grant_types": ["authorization_code"], "response_types": ["code"], "application_type": "web",
            "token_endpoint_auth_method": "client_secret_basic", "subject_type": "public",
            "registration_client_uri": .string("http://localhost:8080/register?client_id=\(client.id)"),
        ]
        for (name, value) in expected { #expect(client.json[name] == value, "\(name)") }
        #expect(!client.json.contains("unheard_of"))
        let secret = try #require(client.secret)
        // RFC 7591 section 5 wants no guesses; RFC 7518 section 3.2 wants 64 bytes for HS512.
        #expect(secret.utf8.count >= 64 && client.token.utf8.count >= 43)
        #expect(!idp.log.lines.contains { $0.contains(secret) || $0.contains(client.token) })
    }

    @Test func twoClientsShareNothing() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let first = try RegisteredClient(await idp.register())
        let second = try RegisteredClient(await idp.register())
        #expect(first.id != second.id && first.secret != second.secret && first.token != second.token)
    }

    /// What was registered works at once, and nothing but that.
    @Test(arguments: ["client_secret_basic", "client_secret_post"])
    func aRegisteredClientGetsTokens(method: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(
            await idp.register(["grant_types": ["client_credentials"], "token_endpoint_auth_method": .string(method)]))
        let secret = try #require(client.secret)
        let form = "grant_type=client_credentials"
        let basic = await idp.token(form, basic: "\(client.id):\(secret)")
        let post = await idp.token(form + "&client_id=\(client.id)&client_secret=\(secret)")
        #expect(basic.status == (method == "client_secret_basic" ? 200 : 401))
        #expect(post.status == (method == "client_secret_post" ? 200 : 401))
    }

    /// RFC 7591 section 5: nobody has vouched for it, so that its users are asked.
    @Test func theUsersOfARegisteredClientAreAsked() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let client = try RegisteredClient(await idp.register(also: ["token_endpoint_auth_method": "none"]))
        let query = AuthorizationQuery(["client_id": client.id, "redirect_uri": "https://app.example/callback"])
        let browser = Browser(idp)
        let page = try await browser.signIn(query)
        #expect(page.name == "/consent")
        #expect(try await browser.submit(page, ["decision": "allow"]).parameters["code"] != nil)
        #expect(try await browser.signIn(query).parameters["code"] != nil)
    }

    @Test func aPublicClientHasNoSecret() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register(also: ["token_endpoint_auth_method": "none"]))
        #expect(client.secret == nil)
        #expect(!client.json.contains("client_secret_expires_at"))
        #expect(client.json["require_pkce"] == true)
        #expect(idp.context.clients[client.id]?.isPublic == true)
    }

    /// OpenID Connect Core section 10.1: what is signed with the secret needs one, however the client proves itself.
    @Test func aClientWhoseTokensAreSignedWithASecretHasOne() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(
            await idp.register(also: [
                "token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://app.example/keys",
                "id_token_signed_response_alg": "HS512",
            ]))
        #expect(client.secret != nil)
    }

    /// What is signed in a new way needs a new key, published at once.
    @Test func aKeyComesWithTheFirstClientOfItsAlgorithm() async throws {
        let idp = try await ProviderUnderTest.withResources()
        #expect(!idp.keyRing.canSign(with: .es384))
        let client = try RegisteredClient(
            await idp.register(also: [
                "id_token_signed_response_alg": "ES384", "grant_types": ["authorization_code", "refresh_token"],
            ]))
        let tokens = try await idp.authorise(client.id)
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        let token = try JWTPolicy(issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([client.id]))
            .verify(try #require(tokens.idToken), keys: keys, at: idp.clock.now())
        #expect(token.algorithm == .es384)
    }

    /// OpenID Connect Registration section 2, whatever the provider signs with otherwise.
    @Test func idTokensAreSignedWithRS256UnlessToldOtherwise() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register(["redirect_uris": ["https://app.example/"]]))
        #expect(client.json["id_token_signed_response_alg"] == "RS256")
        #expect(idp.keyRing.canSign(with: .rs256))
    }

    /// RFC 7591 section 3.2.2.
    @Test(
        arguments: [
            (["redirect_uris": ["https://app.example/#x"]], "invalid_redirect_uri"),
            (["redirect_uris": nil], "invalid_redirect_uri"),
            (["grant_types": ["password"]], "invalid_client_metadata"),
            (["id_token_encrypted_response_alg": "RSA-OAEP"], "invalid_client_metadata"),
            (["software_statement": "x"], "invalid_software_statement"),
        ] as [(JSONObject, String)])
    func saysWhatIsWrong(change: JSONObject, error: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.register(also: change)
        #expect(answer.status == 400)
        #expect(answer.error == error)
        #expect(answer.errorDescription.contains(try #require(change.names.first)))
        #expect(answer.field("Cache-Control") == "no-store")
    }

    /// What the provider does not offer now cannot be registered now.
    @Test func refusesAMethodThatIsNotOffered() async throws {
        let registration: JSONObject = [
            "token_endpoint_auth_method": "tls_client_auth", "tls_client_auth_san_dns": "app.example",
        ]
        let without = try await ProviderUnderTest.withResources()
        #expect(await without.register(also: registration).error == "invalid_client_metadata")
        let with = try await ProviderUnderTest.withResources { $0.mutualTLSPort = 8443 }
        #expect(await with.register(also: registration).status == 201)
    }

    @Test func legacyGrantsAreThereWhereTheyAreOn() async throws {
        let registration: JSONObject = ["grant_types": ["password"]]
        let with = try await ProviderUnderTest.withResources { $0.legacy = [.password] }
        #expect(await with.register(registration, also: ["id_token_signed_response_alg": "ES256"]).status == 201)
    }

    /// RFC 7591 section 3.1: `application/json`.
    @Test(arguments: [
        (nil, "{}"), ("application/x-www-form-urlencoded", "{}"), ("text/json", "{}"), ("application/json", ""),
        ("application/json", "[]"), ("application/json", #"{"a":1,"a":2}"#), ("application/json", "{"),
        ("application/json; charset=utf-16", "{}"),
    ])
    func refusesABodyThatIsNoJSONObject(contentType: String?, body: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        var fields: HTTPFields = [:]
        fields[.contentType] = contentType
        let answer = await idp.respond(.post, "/register", fields, body: Array(body.utf8))
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_client_metadata")
    }

    @Test func refusesABodyThatIsTooLarge() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let padding = JSON.array((0..<10).map { _ in .string(String(repeating: "x", count: 8000)) })
        #expect(await idp.register(also: ["padding": padding]).error == "invalid_client_metadata")
    }

    /// RFC 7591 section 3: an initial access token, where one is asked for.
    @Test func registersWhoeverHasTheInitialTokenAndNobodyElse() async throws {
        let idp = try await ProviderUnderTest.withResources {
            $0.registration = .token(SharedSecret(Secret(utf8: "initial")))
        }
        let without = await idp.register()
        #expect(without.status == 401)
        #expect(without.field("WWW-Authenticate")?.hasPrefix("Bearer") == true)
        #expect(without.field("WWW-Authenticate")?.contains("error") == false)
        for wrong in ["initia", "initial1", "x"] {
            let answer = await idp.register(bearer: wrong)
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_token")
        }
        #expect(await idp.send(.post, "/register", [:], bearer: nil).status == 401)
        #expect(await idp.register(bearer: "initial").status == 201)
    }

    /// RFC 6750 section 2.1: the token stands under Bearer; another scheme is no token at all.
    @Test func takesATokenUnderNoOtherScheme() async throws {
        let idp = try await ProviderUnderTest.withResources {
            $0.registration = .token(SharedSecret(Secret(utf8: "initial")))
        }
        for scheme in ["DPoP", "Basic", "Token"] {
            let answer = await idp.respond(
                .post, "/register", [.authorization: scheme + " initial", .contentType: "application/json"],
                body: JSON.object(ProviderUnderTest.minimalRegistration).serialised())
            #expect(answer.status == 401)
            #expect(answer.body.isEmpty)
        }
    }

    /// What a client has no say in is not told, so that it may send back what it was told (RFC 7592 section 2.2).
    @Test func whatAClientIsToldItMaySendBack() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        for name in ["consent", "claims", "access_token_lifetime", "id_token_lifetime", "access_token_audience"] {
            #expect(!client.json.contains(name))
        }
        var json = client.json
        for name in [
            "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
        ] { json[name] = nil }
        #expect(await idp.send(.put, client.path, json, bearer: client.token).status == 200)
        #expect(idp.context.clients[client.id]?.metadata.consent == .remembered)
    }

    @Test func thereIsNoEndpointWhereNobodyMayRegister() async throws {
        let idp = try await ProviderUnderTest.withResources { $0.registration = .off }
        #expect(await idp.register().status == 404)
        #expect(await idp.get("/.well-known/openid-configuration").json?["registration_endpoint"] == nil)
        try idp.context.configure { $0.registration = .open }
        #expect(await idp.register().status == 201)
        #expect(
            await idp.get("/.well-known/openid-configuration").json?["registration_endpoint"]
                == "http://localhost:8080/register")
    }

    /// What strangers register is not said of the provider.
    @Test func registeredScopesAreNotAdvertised() async throws {
        let idp = try await ProviderUnderTest.withResources()
        #expect(await idp.register(also: ["scope": "launch-missiles"]).status == 201)
        let scopes = await idp.get("/.well-known/openid-configuration").json?["scopes_supported"]?.array
        #expect(scopes?.contains("launch-missiles") == false)
    }
}

import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct RegistrationManagementTests {
    /// RFC 7592 sections 2.1 and 3: all that is registered, and the means to manage it.
    @Test func tellsAClientWhatItHasRegistered() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register(also: ["client_name": "New"]))
        let answer = await idp.send(.get, client.path, nil, bearer: client.token)
        #expect(answer.status == 200)
        #expect(answer.json?.object == client.json)
        #expect(answer.field("Cache-Control") == "no-store")
    }

    /// RFC 7592 section 2.2: what is left out is gone.
    @Test func whatIsSentReplacesAllThatWasThere() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(
            await idp.register(also: ["client_name": "Old", "client_name#ko": "옛", "scope": "openid"]))
        var json = ProviderUnderTest.minimalRegistration
        json["client_id"] = .string(client.id)
        json["client_secret"] = client.json["client_secret"]
        json["redirect_uris"] = ["https://app.example/new"]
        let answer = await idp.send(.put, client.path, json, bearer: client.token)
        #expect(answer.status == 200)
        let changed = try RegisteredClient(answer)
        #expect(changed.json["redirect_uris"] == ["https://app.example/new"])
        for name in ["client_name", "client_name#ko", "scope"] { #expect(!changed.json.contains(name)) }
        #expect(changed.secret == client.secret)
        #expect(changed.json["client_id_issued_at"] == client.json["client_id_issued_at"])
        #expect(idp.context.clients[client.id]?.metadata.redirectURIs.map(\.text) == ["https://app.example/new"])
        #expect(await idp.send(.get, client.path, nil, bearer: client.token).json == answer.json)
    }

    @Test func aSecretComesAndGoesWithTheNeedForIt() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        var json = ProviderUnderTest.minimalRegistration
        json["client_id"] = .string(client.id)
        json["token_endpoint_auth_method"] = "none"
        #expect(try RegisteredClient(await idp.send(.put, client.path, json, bearer: client.token)).secret == nil)
        json["token_endpoint_auth_method"] = nil
        let again = try RegisteredClient(await idp.send(.put, client.path, json, bearer: client.token))
        #expect(again.secret != nil && again.secret != client.secret)
    }

    /// RFC 7592 section 2.2.
    @Test(
        arguments: [
            (["client_id": nil], "client_id"), (["client_id": "another"], "client_id"), (["client_id": 1], "client_id"),
            (["client_secret": "chosen"], "client_secret"), (["client_secret": 1], "client_secret"),
            (["registration_access_token": "x"], "registration_access_token"),
            (["registration_client_uri": "x"], "registration_client_uri"),
            (["client_secret_expires_at": 0], "client_secret_expires_at"),
            (["client_id_issued_at": 0], "client_id_issued_at"),
            (["id_token_signed_response_alg": "none"], "id_token_signed_response_alg"),
            (["redirect_uris": ["x"]], "redirect_uris"),
        ] as [(JSONObject, String)])
    func refusesAChangeThatIsWrong(change: JSONObject, member: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        var json = ProviderUnderTest.minimalRegistration
        json["client_id"] = .string(client.id)
        for (name, value) in change { json[name] = value }
        let answer = await idp.send(.put, client.path, json, bearer: client.token)
        #expect(answer.status == 400)
        #expect(answer.error == (member == "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata"))
        #expect(answer.errorDescription.contains(member))
        #expect(await idp.send(.get, client.path, nil, bearer: client.token).json?.object == client.json)
    }

    /// RFC 7592 section 2.3: 204, and everything of the client is over.
    @Test func aDeletedClientIsGoneWithAllThatItHad() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(
            await idp.register(also: ["grant_types": ["authorization_code", "refresh_token", "client_credentials"]]))
        let tokens = try await idp.authorise(client.id)
        let own = try await idp.token("grant_type=client_credentials", basic: idp.basic(client.id)).text("access_token")
        let others = try await idp.authorise("app")
        let basic = idp.basic(client.id)

        let answer = await idp.send(.delete, client.path, nil, bearer: client.token)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(try await idp.context.store.family(tokens.familyID)?.ended?.reason == .ended)
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.isGood(own) == false)
        #expect(await idp.userInfo(tokens.accessToken).error == "invalid_token")
        #expect(await idp.token("grant_type=client_credentials", basic: basic).error == "invalid_client")
        #expect(await idp.send(.get, client.path, nil, bearer: client.token).status == 401)
        #expect(await idp.isGood(others.accessToken) == true)
    }

    /// However many there are, those that had ended before among them.
    @Test(.timeLimit(.minutes(1))) func aDeletedClientLeavesNoFamily() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        let now = idp.clock.now()
        var ids: [FamilyID] = []
        for number in 0..<2500 {
            let terms = FamilyTerms(
                id: FamilyID(from: SystemRandom()), clientID: client.id, userID: "alice", scope: .empty, began: now,
                expires: nil)
            var family = Family(terms)
            if number < 1200 { family.end(.revoked, at: now) }
            try await idp.context.store.keep(family)
            ids.append(terms.id)
        }
        #expect(await idp.send(.delete, client.path, nil, bearer: client.token).status == 204)
        var reasons: [Family.Reason?] = []
        for id in ids { reasons.append(try await idp.context.store.family(id)?.ended?.reason) }
        #expect(reasons == Array(repeating: .revoked, count: 1200) + Array(repeating: .ended, count: 1300))
    }

    /// RFC 7592 sections 2.1 to 2.3, RFC 6750 section 3.1: nobody learns which clients there are.
    @Test(arguments: [HTTPRequest.Method.get, .put, .delete])
    func whoeverHasNotTheTokenIsToldTheSameOfEveryClient(method: HTTPRequest.Method) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        let other = try RegisteredClient(await idp.register())
        let json: JSONObject? = method == .put ? ["client_id": .string(client.id)] : nil
        var refusals: [Answer] = []
        for (path, token) in [
            (client.path, other.token), (client.path, "x"), (client.path, client.token + "x"),
            ("/register?client_id=nobody", client.token), ("/register?client_id=app", client.token),
            ("/register", client.token), ("/register?client_id=", client.token),
        ] {
            refusals.append(await idp.send(method, path, json, bearer: token))
        }
        for answer in refusals {
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_token")
            #expect(answer.body == refusals[0].body)
            #expect(answer.field("WWW-Authenticate") == refusals[0].field("WWW-Authenticate"))
        }
        let without = await idp.send(method, client.path, json, bearer: nil)
        #expect(without.status == 401)
        #expect(without.body.isEmpty)
        #expect(idp.context.clients[client.id] != nil)
    }

    /// The token is taken from the header alone.
    @Test func takesNoTokenFromTheURL() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        let answer = await idp.get("\(client.path)&access_token=\(client.token)")
        #expect(answer.status == 400)
    }

    /// What strangers may not do any more, those who registered before may not either.
    @Test func nothingIsManagedWhereRegistrationIsOff() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        try idp.context.configure { $0.registration = .off }
        #expect(await idp.send(.get, client.path, nil, bearer: client.token).status == 404)
    }

    /// A token that manages one registration registers nobody else.
    @Test func aRegistrationTokenIsNoInitialToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        try idp.context.configure { $0.registration = .token(SharedSecret(Secret(utf8: "initial"))) }
        #expect(await idp.register(bearer: client.token).status == 401)
        #expect(await idp.send(.get, client.path, nil, bearer: "initial").status == 401)
    }

    /// However near together: each change is whole, and a client that was deleted stays so.
    @Test func changesAtOnceDoNotMix() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let client = try RegisteredClient(await idp.register())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var json = ProviderUnderTest.minimalRegistration
                    json["client_id"] = .string(client.id)
                    json["client_name"] = .string("name \(number)")
                    json["client_uri"] = .string("https://app.example/\(number)")
                    _ = await idp.send(.put, client.path, json, bearer: client.token)
                }
            }
        }
        let metadata = try #require(idp.context.clients[client.id]?.metadata)
        #expect(metadata.name?.last == metadata.clientURI?.last)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await idp.send(.delete, client.path, nil, bearer: client.token) }
            group.addTask {
                var json = ProviderUnderTest.minimalRegistration
                json["client_id"] = .string(client.id)
                _ = await idp.send(.put, client.path, json, bearer: client.token)
            }
        }
        #expect(idp.context.clients[client.id] == nil)
    }

    @Test func pagesMayManageTheirClient() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let answer = await idp.respond(
            .options, "/register?client_id=x",
            [.origin: "http://localhost:3000", HTTPField.Name("Access-Control-Request-Method")!: "DELETE"])
        #expect(answer.status == 204)
        #expect(answer.field("Access-Control-Allow-Methods")?.contains("DELETE") == true)
        #expect(answer.field("Access-Control-Allow-Origin") == "http://localhost:3000")
    }
}

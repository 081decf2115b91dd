import IdentityProviderTesting
import Testing

/// The examples of the documentation: what a provider that runs is asked for, and told.
@Suite struct RunningExamples {
    @Test func signing() async throws {
        try await withIdentityProvider { idp in
            let key = try #require(idp.keys.all.first)
            let token = try await idp.sign(["sub": "alice"], with: .named(key.id))
            let kid = JSONValue.string(key.id)
            let stranger = try await idp.sign(["sub": "alice"], with: .unpublished(.es256))
            let copied = try await idp.sign(["sub": "alice"], with: .unpublished(nil), header: ["kid": kid])
            let broken = try await idp.sign(["sub": "alice"], with: .active(nil), breakingSignature: true)
            let bare = try await idp.sign(["sub": "alice"], type: nil, with: .active(nil), header: ["kid": nil])
            #expect(try header(of: bare).keys.sorted() == ["alg"])
            #expect(try header(of: token)["kid"] == key.id)
            #expect(try header(of: stranger)["kid"] != key.id)
            #expect(try header(of: copied) == header(of: broken))
            #expect(key.jwk?["kid"]?.string == key.id && key.createdSecondsSince1970 <= idp.clock.secondsSince1970)
            await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.sign(["sub": "alice"], with: .named("no-such-key"))
            }
            await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.sign(["sub": "alice"], with: .active(.es256), header: ["alg": "none"])
            }
        }
    }

    /// The same claims by the right key are good, and by any other, or with a broken signature, they are not.
    @Test func aTokenIsGoodByTheKeyOfTheProviderAlone() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let given = try await idp.tokens(for: "alice", client: "web", scope: "openid").accessToken
            let token = try #require(Token(given))
            let key = try #require(idp.keys.all.first).id
            let copied: [String: JSONValue] = ["kid": .string(key)]
            let cases: [(TestSigningKey, [String: JSONValue], Bool, Int)] = [
                (.named(key), [:], false, 200), (.active(nil), [:], false, 200), (.active(nil), [:], true, 401),
                (.unpublished(nil), [:], false, 401), (.unpublished(nil), copied, false, 401),
            ]
            for (choice, header, breaks, status) in cases {
                let signed = try await idp.sign(
                    token.claims, type: "at+jwt", with: choice, header: header, breakingSignature: breaks)
                #expect(try await app.get("/userinfo", bearer: signed).status == status, "\(choice) \(breaks)")
            }
        }
    }

    @Test func settings() async throws {
        try await withIdentityProvider { idp in
            let rotation = idp.settings["rotation"]?.string  // strict
            #expect(rotation == "strict")
            try await idp.changeSettings(["rotation": "okta,window=5s", "access_tokens": ["lifetime": "1s"]])
            #expect(idp.settings["rotation"]?.string == "okta,window=5s")
            #expect(try await idp.tokens(for: "alice", client: "web").expiresIn == .seconds(1))
            await #expect(throws: IdentityProviderTestingError.self) {
                try await idp.changeSettings(["rotation": "strict", "access_tokens": ["lifetime": "never"]])
            }
            #expect(idp.settings["rotation"]?.string == "okta,window=5s")
            try await idp.reset()
            #expect(idp.settings["rotation"]?.string == "strict")
        }
    }

    @Test func chosenAnswers() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let number = try idp.answerNext(.error("server_error", status: 500))
            idp.takeBackAnswer(number)
            #expect(!idp.takeBackAnswer(number))
            try idp.answerNext(.error("server_error", status: 500))
            print(idp.waitingAnswers)  // [1]
            #expect(idp.waitingAnswers.count == 1)
            idp.takeBackAnswers()
            let token = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access").refreshToken
            #expect(try await app.refresh(token).status == 200)
        }
        try await withIdentityProvider { idp in
            idp.claimsOfNextLogin(["roles": ["auditor"]], for: "alice", count: 2)
            print(idp.waitingClaims.map(\.username))  // [Optional("alice")]
            let waiting = idp.waitingClaims.filter { $0.username == "alice" && $0.count == 2 }
            #expect(waiting.first?.claims == ["roles": ["auditor"]])
            idp.takeBackClaims()
            #expect(idp.waitingClaims.isEmpty)
        }
    }

    @Test func devices() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let device = try await app.post("/device_authorization", "client_id=native")
            let userCode = device.text("user_code")
            let other = try await app.post("/device_authorization", "client_id=native")
            let otherCode = other.text("user_code")
            try await idp.decideDevice(userCode, as: "alice")
            try await idp.decideDevice(otherCode, as: "alice", approving: false)
            let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=native&device_code="
            #expect(try await app.post("/token", grant + device.text("device_code")).status == 200)
            #expect(try await app.post("/token", grant + other.text("device_code")).text("error") == "access_denied")
            for (code, user) in [(userCode, "bob"), ("AAAA-AAAA", "alice"), (otherCode, "nobody")] {
                await #expect(throws: IdentityProviderTestingError.self) { try await idp.decideDevice(code, as: user) }
            }
        }
    }

    @Test func logins() async throws {
        try await withIdentityProvider { idp in
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            let login = try #require(try await idp.logins().first)
            print(login.username ?? "-", login.clientIDs)  // alice ["web"]
            #expect(login.id == tokens.loginID && login.username == "alice" && login.clientIDs == ["web"])
            let clients = try await idp.families(of: tokens.loginID).map(\.clientID)
            #expect(clients == ["web"])
            _ = try await idp.tokens(for: "bob", client: "native", scope: "openid offline_access")
            try await idp.endSessions(of: "alice")
            try await idp.endSessions(client: "web")
            let alive = try await idp.logins().filter { !$0.hasEnded }
            #expect(alive.map(\.username) == ["bob"])
            #expect(try await idp.sessions().filter(\.hasEnded).map(\.clientID) == ["web"])
            try await idp.endSessions(client: "native")
            #expect(try await idp.sessions().allSatisfy(\.hasEnded))
            await #expect(throws: IdentityProviderTestingError.self) { try await idp.endSessions(of: "nobody") }
        }
    }

    @Test func recordsAndBarriers() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid offline_access")
            let barrier = try idp.barriers.add(at: .refreshReceived, count: 2, order: .labels(["A", "B"]))
            let waiting = idp.barriers.all.filter { !$0.isOver }
            #expect(waiting.map(\.id) == [barrier.id])
            async let second = app.refresh(tokens.refreshToken, label: "B")
            async let first = app.refresh(tokens.refreshToken, label: "A")
            try await barrier.end()
            #expect(barrier.isDone && barrier.releasedLabels == ["A", "B"])
            #expect(try await [first.status, second.status] == [200, 400])
            let record = try await idp.nextRequest(matching: RequestMatch { $0.label == "A" })
            #expect(record.barriers.map(\.outcome) == ["released"] && record.barriers.first?.barrier == barrier.id)
            #expect(record.sessionIDs == [record.refresh?.sessionID] && record.duration > .zero)
            #expect(record.loginIDs.isEmpty)
            _ = try await app.get("/logout?id_token_hint=\(try #require(tokens.idToken))")
            #expect(idp.requests.last?.clientID == "web" && idp.requests.last?.loginIDs.isEmpty == true)
            #expect(record.faults.isEmpty && !record.id.isEmpty && record.authorizationScheme == nil)
            let missed = idp.requests.filter { $0.barriers.contains { $0.outcome == "timed_out" } }
            #expect(missed.isEmpty)
            idp.forgetRequests()
            #expect(idp.requests.isEmpty)
        }
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            let fault = try idp.faults.add(.status(503), nth: 2)
            _ = try await app.get("/jwks.json")
            let seen = idp.faults.seenCount(of: fault)
            #expect(seen == 1 && !idp.faults.isSpent(fault))
            _ = try await app.get("/jwks.json")
            let isOver = idp.faults.isSpent(fault)
            let numbers = idp.faults.all
            #expect(isOver && numbers == [fault])
            #expect(idp.requests.map(\.faults) == [[], ["status"]])
        }
    }

    /// A barrier that is not over is not said to be.
    @Test func aBarrierThatNobodyCameToHasNoEnd() async throws {
        try await withIdentityProvider { idp in
            let late = try idp.barriers.add(at: .refreshReceived)
            await #expect(throws: IdentityProviderTestingError.self) { try await late.end(within: .milliseconds(1)) }
            #expect(!late.isOver)
            late.remove()
            await #expect(throws: IdentityProviderTestingError.self) { try await late.end() }
            let alone = try idp.barriers.add(at: .requestReceived, within: .milliseconds(1))
            _ = try await AppUnderTest(idp).get("/jwks.json")
            await #expect(throws: IdentityProviderTestingError.self) { try await alone.end() }
            #expect(alone.hasTimedOut && !alone.isDone)
            #expect(idp.requests.last?.barriers.map(\.outcome) == ["timed_out"])
        }
    }

    @Test func people() async throws {
        try await withIdentityProvider { idp in
            let grants = idp.clients.metadata(of: "web")?["grant_types"]?.array
            #expect(grants?.contains("refresh_token") == true)
            #expect(idp.clients.metadata(of: "nobody") == nil)
            let subject = idp.users["alice"]?.subject
            #expect(subject == "alice" && idp.users["nobody"] == nil)
        }
    }

    @Test func tenants() async throws {
        try await withIdentityProvider { idp in
            _ = try await idp.tenant("other")
            let strict = try await idp.tenant("strict", TestSetup(rotation: "strict"))
            print(idp.tenantNames)  // ["other", "strict"]
            #expect(idp.tenantNames == ["other", "strict"] && strict.settings["rotation"] == "strict")
            let anew = try await idp.tenant("strict", TestSetup(users: [TestUser("carol")], rotation: "okta"))
            #expect(anew.users.all.map(\.username) == ["carol"] && anew.settings["rotation"] == "okta")
            let wasThere = try await idp.removeTenant("other")
            #expect(wasThere && idp.tenantNames == ["strict"])
            #expect(try await idp.removeTenant("other") == false)
            await #expect(throws: IdentityProviderTestingError.self) { try await idp.removeTenant("no/name") }
        }
    }

    private func header(of token: String) throws -> [String: String] {
        try #require(Token(token)).header
    }
}

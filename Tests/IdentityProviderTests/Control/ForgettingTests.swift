import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Synchronization
import Testing

/// How what hung on somebody is forgotten.
@Suite struct ForgettingTests {
    /// Nothing waits for a client that answers slowly, or never.
    @Test func everythingHasEndedBeforeAnybodyIsTold() async throws {
        let gate = FamilyGate()
        let outbound = RecordedRequests { (_) async throws(OutboundFailure) in
            await gate.pass()
            return HTTPResponse(status: .ok)
        }
        let setup = try await LogoutSetup(outbound: outbound)
        let context = setup.idp.context
        let tokens = try await setup.signIn("rp", as: "alice", ["scope": "openid offline_access"])
        let scope = try Scope(parsing: "read")
        try await context.store.rememberConsent(scope, of: scope, by: "alice", to: "rp", for: [])
        gate.close()
        context.users.remove(id: "alice")
        async let forgotten: Void = SessionDirectory(context: context).forget(users: ["alice"])
        await gate.waitForSomebody()
        let alive = try await SessionDirectory(context: context).families { $0.ended == nil }
        #expect(alive.isEmpty)
        #expect(try await context.store.consent(of: "alice", to: "rp", for: []) == nil)
        gate.open()
        try await forgotten
        #expect(await setup.idp.refresh(tokens.refresh, client: "rp").error == "invalid_grant")
        #expect(outbound.sent.count == 1)
    }

    /// Who is back before everything of the former stay was ended has what is his now, and nothing of what was.
    @Test(arguments: ["user", "client"]) func whatBeginsAfterTheReturnIsNotEnded(who: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let context = idp.context
        let query = AuthorizationQuery(["scope": "openid offline_access"])
        let former = await idp.redeem(try await idp.code(query))
        let (alice, web) = (try #require(context.users[id: "alice"]), try #require(context.clients["web"]))
        if who == "user" {
            context.users.remove(id: "alice")
            try context.users.add(alice)
        } else {
            context.clients.remove("web")
            try context.clients.add(web)
        }
        let browser = Browser(idp)
        let code = try #require(try await browser.signIn(query).parameters["code"])
        let present = await idp.redeem(code)
        try await SessionDirectory(context: context).forget(
            users: who == "user" ? ["alice"] : [], clients: who == "client" ? ["web"] : [])
        #expect(await idp.refresh(try former.text("refresh_token")).error == "invalid_grant")
        #expect(try await !idp.isActive(former.text("access_token")))
        #expect(try await idp.isActive(present.text("access_token")))
        #expect(await idp.refresh(try present.text("refresh_token")).status == 200)
        #expect(try await browser.authorize(["prompt": "none"]).parameters["code"] != nil, "he is logged in still")
    }

    /// Also when nobody has had it forgotten yet.
    @Test func aBrowserOfTheFormerStayIsNotLoggedIn() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        let alice = try #require(idp.context.users[id: "alice"])
        idp.context.users.remove(id: "alice")
        try idp.context.users.add(alice)
        #expect(try await browser.authorize(["prompt": "none"]).parameters["error"] == "login_required")
    }

    /// A store that fails once is asked again by whoever asks again.
    @Test(arguments: ["/users/alice", "/clients/web"]) func aSecondRemovalFinishesTheFirst(path: String) async throws {
        let store = GatedStore()
        let idp = try await ProviderUnderTest.signIn(store: store) { $0.control = .loopback }
        _ = await idp.redeem(try await idp.code(AuthorizationQuery(["scope": "openid offline_access"])))
        let scope = try Scope(parsing: "read")
        try await store.rememberConsent(scope, of: scope, by: "alice", to: "web", for: [])
        store.troubles.begin(1)
        #expect(await idp.respond(.delete, "/_pawl" + path).status == 503)
        #expect(try await store.consent(of: "alice", to: "web", for: []) == nil, "what could be done was")
        let sessions = SessionDirectory(context: idp.context)
        #expect(try await sessions.families { $0.ended == nil }.count == 1)
        #expect(await idp.respond(.delete, "/_pawl" + path).status == 204)
        #expect(try await sessions.families { $0.ended == nil }.isEmpty)
        #expect(await idp.respond(.delete, "/_pawl" + path).status == 404)
    }

    /// RFC 8628 section 3.3: the user decides, and not whoever he was when the page was shown.
    @Test(arguments: [false, true]) func whoIsRemovedMeanwhileLetsNoDeviceIn(isBackBefore: Bool) async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(deviceGate: gate))
        let alice = try #require(idp.context.users[id: "alice"])
        let device = await idp.token("client_id=web&scope=openid", path: "/device_authorization")
        let userCode = try device.text("user_code")
        gate.close()
        async let decided = decision(userCode, alice, idp)
        await gate.waitForSomebody()
        idp.context.users.remove(id: "alice")
        try await SessionDirectory(context: idp.context).forget(users: ["alice"])
        if isBackBefore { try idp.context.users.add(alice) }
        gate.open()
        #expect(await decided == .loginRequired)
        if !isBackBefore { try idp.context.users.add(alice) }
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
        let answer = await idp.token("\(grant)&client_id=web&device_code=\(try device.text("device_code"))")
        #expect(answer.error == "access_denied")
    }

    private func decision(_ userCode: String, _ user: User, _ idp: ProviderUnderTest) async -> OAuthErrorCode? {
        do throws(OAuthError) {
            try await DeviceVerification.decide(userCode: userCode, as: user, approve: true, in: idp.context)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func whoIsNotThereDecidesNothing() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let alice = try #require(idp.context.users[id: "alice"])
        let device = await idp.token("client_id=web&scope=openid", path: "/device_authorization")
        idp.context.users.remove(id: "alice")
        #expect(await decision(try device.text("user_code"), alice, idp) == .loginRequired)
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code"
        let answer = await idp.token("\(grant)&client_id=web&device_code=\(try device.text("device_code"))")
        #expect(answer.error == "authorization_pending")
    }
}

import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// A user or a client that is removed while the client is being given what the user has authorised.
@Suite struct RemovedUserRaceTests {
    /// What begins after everything was ended must not live when the one who was removed is back, whether he is back already
    /// or comes later.
    @Test(arguments: ["user", "client"], [false, true])
    func nothingThatBeginsMeanwhileLivesOn(who: String, isBackBefore: Bool) async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(gate: gate))
        let (users, clients) = (idp.context.users, idp.context.clients)
        let (alice, web) = (try #require(users[username: "alice"]), try #require(clients["web"]))
        func comeBack() throws { if who == "user" { try users.add(alice) } else { try clients.add(web) } }
        let code = try await idp.code(AuthorizationQuery(["scope": "openid offline_access"]))
        gate.close()
        async let redeemed = idp.redeem(code)
        await gate.waitForSomebody()
        let sessions = SessionDirectory(context: idp.context)
        if who == "user" {
            users.remove(id: alice.id)
            try await sessions.forget(users: [alice.id])
        } else {
            clients.remove("web")
            try await sessions.forget(clients: ["web"])
        }
        if isBackBefore { try comeBack() }
        gate.open()
        let answer = await redeemed
        if !isBackBefore { try comeBack() }
        #expect(answer.error == "invalid_grant")
        #expect(try await sessions.families { $0.ended == nil }.isEmpty)
        #expect(try await sessions.logins().allSatisfy { !$0.clientIDs.contains("web") || $0.ended != nil })
    }

    /// The same of a login that is kept after all logins of the user were ended.
    @Test(arguments: [false, true]) func noLoginThatIsMadeMeanwhileLivesOn(isBackBefore: Bool) async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(loginGate: gate))
        let alice = try #require(idp.context.users[username: "alice"])
        let browser = Browser(idp)
        let page = try await browser.authorize()
        let form = try #require(page.form)
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded",
            .cookie: browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "),
        ]
        let hidden = form.fields.filter(\.isHidden).map { ($0.name, $0.value) }
        let body = FormParameters(hidden + [("username", "alice"), ("password", "alice")]).encoded
        gate.close()
        async let submitted = idp.respond(.post, "/login", fields, body: Array(body.utf8))
        await gate.waitForSomebody()
        idp.context.users.remove(id: alice.id)
        try await SessionDirectory(context: idp.context).forget(users: [alice.id])
        if isBackBefore { try idp.context.users.add(alice) }
        gate.open()
        let answer = await submitted
        if !isBackBefore { try idp.context.users.add(alice) }
        #expect(answer.field("Location")?.contains("error=login_required") == true)
        let alive = try await SessionDirectory(context: idp.context).logins { $0.ended == nil }
        #expect(alive.isEmpty)
    }

    /// A code that was given, and a device that was let in, are worth nothing when whoever they are about, or for, was away.
    @Test(arguments: ["user", "client"]) func nothingBeginsByWhatWasDecidedBefore(who: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let (alice, bob) = (try #require(idp.context.users[username: "alice"]), idp.context.users[username: "bob"])
        let web = try #require(idp.context.clients["web"])
        var devices: [String] = []
        for user in [alice, try #require(bob)] {
            let client = user.id == alice.id ? "web" : "native"
            let device = await idp.token("client_id=\(client)&scope=openid", path: "/device_authorization")
            try await DeviceVerification.decide(
                userCode: device.text("user_code"), as: user, approve: true, in: idp.context)
            devices.append(
                "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=\(client)"
                    + "&device_code=\(try device.text("device_code"))")
        }
        let code = try await idp.code()
        let sessions = SessionDirectory(context: idp.context)
        if who == "user" {
            idp.context.users.remove(id: alice.id)
            try await sessions.forget(users: [alice.id])
            try idp.context.users.add(alice)
        } else {
            idp.context.clients.remove("web")
            try await sessions.forget(clients: ["web"])
            try idp.context.clients.add(web)
        }
        #expect(await idp.redeem(code).error == "invalid_grant")
        #expect(await idp.token(devices[0]).error == "invalid_grant")
        // Others are not concerned.
        #expect(await idp.token(devices[1]).status == 200)
    }

    /// A login that somebody makes is his own again.
    @Test func whoComesBackCanLogInAgain() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        let alice = try #require(idp.context.users[username: "alice"])
        idp.context.users.remove(id: alice.id)
        try await SessionDirectory(context: idp.context).forget(users: [alice.id])
        try idp.context.users.add(alice)
        #expect(try await browser.authorize(["prompt": "none"]).parameters["error"] == "login_required")
        let code = try #require(try await browser.signIn().parameters["code"])
        #expect(await idp.redeem(code).status == 200)
    }
}

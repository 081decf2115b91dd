import JOSE
import OAuth
import Primitives
import Testing

/// Modules about what is told of the user.
extension BasicProfileTests {
    @Test(arguments: ConformanceProfile.all)
    func userinfoGet(profile: ConformanceProfile) async throws {
        try await readUserInfo(profile, by: .get)
    }

    @Test(arguments: ConformanceProfile.all)
    func userinfoPostHeader(profile: ConformanceProfile) async throws {
        try await readUserInfo(profile, by: .postHeader)
    }

    @Test(arguments: ConformanceProfile.all)
    func userinfoPostBody(profile: ConformanceProfile) async throws {
        try await readUserInfo(profile, by: .postBody)
    }

    private func readUserInfo(
        _ profile: ConformanceProfile, by presentation: RelyingParty.Presentation
    ) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.signIn()
        #expect(try await rp.userInfo(tokens, by: presentation)["sub"] == "alice")
        let refused = await rp.requestUserInfo(tokens.accessToken + "x", by: presentation)
        #expect(refused.status == 401)
        #expect(refused.field("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }

    @Test(arguments: ConformanceProfile.all)
    func scopeProfile(profile: ConformanceProfile) async throws { try await ask(["profile"], profile) }

    @Test(arguments: ConformanceProfile.all)
    func scopeEmail(profile: ConformanceProfile) async throws { try await ask(["email"], profile) }

    @Test(arguments: ConformanceProfile.all)
    func scopeAddress(profile: ConformanceProfile) async throws { try await ask(["address"], profile) }

    @Test(arguments: ConformanceProfile.all)
    func scopePhone(profile: ConformanceProfile) async throws { try await ask(["phone"], profile) }

    @Test(arguments: ConformanceProfile.all)
    func scopeAll(profile: ConformanceProfile) async throws {
        try await ask(["profile", "email", "address", "phone"], profile)
    }

    /// OpenID Connect Core section 5.4: all claims of the scope that are known, and none of the other scopes.
    private func ask(_ scopes: [String], _ profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let supported = try await rp.idp.discovered()["scopes_supported"]?.array ?? []
        for scope in scopes { #expect(supported.contains(.string(scope)), "\(scope)") }
        let tokens = try await rp.signIn(["scope": "openid " + scopes.joined(separator: " ")])
        let claims = try await rp.userInfo(tokens)
        let expected = scopes.reduce(into: Set(["sub"])) { $0.formUnion(ConformanceUsers.claimsOfScope[$1] ?? []) }
        #expect(Set(claims.names) == expected)
        checkTypes(of: claims)
    }

    /// Section 5.1.
    private func checkTypes(of claims: JSONObject) {
        for (name, value) in claims {
            switch name {
            case "email_verified", "phone_number_verified": #expect(value.bool != nil)
            case "updated_at": #expect(value.int64 != nil)
            case "address": #expect(value.object != nil)
            default: #expect(value.string != nil, "\(name)")
            }
        }
    }

    /// OpenID Connect Core section 5.5.1: what is essential for the userinfo endpoint is there, and in no ID token.
    @Test(arguments: ConformanceProfile.all)
    func claimsEssential(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.signIn(["claims": "{\"userinfo\":{\"name\":{\"essential\":true}}}"])
        #expect(try await rp.userInfo(tokens).names.sorted() == ["name", "sub"])
        #expect(tokens.claims["name"] == nil)
    }
}

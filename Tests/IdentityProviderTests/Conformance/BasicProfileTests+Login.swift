import JOSE
import OAuth
import Primitives
import Testing

/// Modules about the user's login.
extension BasicProfileTests {
    @Test(arguments: ConformanceProfile.all)
    func promptLogin(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn()
        rp.idp.clock.advance(by: .seconds(5))
        let page = try await rp.authorize(["prompt": "login"])
        let second = try await rp.redeem(rp.code(of: rp.logIn(page)))
        #expect(second.claims.subject == first.claims.subject)
        let times = [first, second].map { $0.claims["auth_time"]?.int64 ?? 0 }
        #expect(times[1] == times[0] + 5)
    }

    @Test(arguments: ConformanceProfile.all)
    func promptNoneNotLoggedIn(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        #expect(try rp.error(of: await rp.authorize(["prompt": "none"])) == "login_required")
    }

    @Test(arguments: ConformanceProfile.all)
    func promptNoneLoggedIn(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn()
        rp.idp.clock.advance(by: .seconds(5))
        let second = try await rp.redeem(rp.code(of: rp.authorize(["prompt": "none"])))
        #expect(second.claims.subject == first.claims.subject)
        #expect(second.claims["auth_time"] == first.claims["auth_time"])
    }

    @Test(arguments: ConformanceProfile.all)
    func maxAge1(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn()
        rp.idp.clock.advance(by: .seconds(2))
        let page = try await rp.authorize(["max_age": "1"])
        let second = try await rp.redeem(rp.code(of: rp.logIn(page)))
        let time = try #require(second.claims["auth_time"]?.int64)
        #expect(time == rp.idp.clock.now().secondsSinceEpoch)
        #expect(try time > #require(first.claims["auth_time"]?.int64))
    }

    @Test(arguments: ConformanceProfile.all)
    func maxAge10000(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn()
        rp.idp.clock.advance(by: .seconds(10))
        let second = try await rp.redeem(rp.code(of: rp.authorize(["max_age": "10000"])))
        #expect(second.claims["auth_time"]?.int64 != nil)
        #expect(second.claims["auth_time"] == first.claims["auth_time"])
    }

    @Test(arguments: ConformanceProfile.all)
    func idTokenHint(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn()
        let hint = ["prompt": "none", "id_token_hint": first.idToken]
        let second = try await rp.redeem(rp.code(of: rp.authorize(hint)))
        #expect(second.claims.subject == first.claims.subject)
        // Core section 3.1.2.2, step 4: MUST NOT reply with a token for another user, even if that one is logged in.
        _ = try await rp.code(of: rp.logIn(rp.authorize(["prompt": "login"]), as: "bob"))
        let again = try await rp.redeem(rp.code(of: rp.authorize(hint)))
        #expect(again.claims.subject == first.claims.subject)
        let stranger = try await RelyingParty.join(rp.idp, profile, id: "stranger")
        _ = try await stranger.signIn(as: "bob")
        let foreign = try await stranger.authorize(hint)
        #expect(try stranger.error(of: foreign) == "login_required")
    }

    @Test(arguments: ConformanceProfile.all)
    func loginHint(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let page = try await rp.authorize(["login_hint": "bob@people.example"])
        #expect(page.form?.value("username") == "bob@people.example")
        let tokens = try await rp.redeem(rp.code(of: rp.logIn(page, as: "bob")))
        #expect(tokens.claims.subject == "bob")
    }

    // MARK: How the pages look

    @Test(arguments: ConformanceProfile.all)
    func displayPage(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        _ = try await rp.signIn(["display": "page"])
    }

    @Test(arguments: ConformanceProfile.all)
    func displayPopup(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        _ = try await rp.signIn(["display": "popup"])
    }

    /// Core section 3.1.2.1: no error for languages that are not there; and those that are, are used.
    @Test(arguments: ConformanceProfile.all)
    func uiLocales(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let unknown = try await rp.authorize(["ui_locales": "se"])
        #expect(try rp.expectingLogin(unknown).text.contains("lang=\"en\""))
        let korean = try await rp.authorize(["ui_locales": "se ko en"])
        #expect(try rp.expectingLogin(korean).text.contains("lang=\"ko\""))
        _ = try await rp.redeem(rp.code(of: rp.logIn(korean)))
    }

    @Test(arguments: ConformanceProfile.all)
    func claimsLocales(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        _ = try await rp.signIn(["claims_locales": "se"])
    }

    @Test(arguments: ConformanceProfile.all)
    func ensureRequestWithAcrValuesSucceeds(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.signIn(["acr_values": "1 2"])
        // A class that no login reaches is not said to have been reached.
        #expect(!["1", "2"].contains(tokens.claims["acr"]?.string))
    }
}

import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct PromptTests {
    /// What happens to a request, in a word.
    private func outcome(_ page: BrowserPage) -> String {
        if let error = page.parameters["error"] { return error }
        return page.parameters["code"] != nil ? "code" : String(page.name.dropFirst())
    }

    /// What a user without a login, and one who logged in a hundred seconds ago, gets.
    @Test(
        arguments: [
            ([:], "login", "code"),
            (["prompt": "none"], "login_required", "code"),
            (["prompt": "login"], "login", "login"),
            (["prompt": "consent"], "login", "consent"),
            (["prompt": "login consent"], "login", "login"),
            (["prompt": "select_account"], "login", "select-account"),
            (["prompt": "select_account login"], "login", "select-account"),
            (["max_age": "100"], "login", "code"),
            (["max_age": "99"], "login", "login"),
            (["max_age": "0"], "login", "login"),
            (["max_age": "99", "prompt": "none"], "login_required", "login_required"),
            (["max_age": "0", "prompt": "none"], "login_required", "login_required"),
            (["max_age": "100", "prompt": "none"], "login_required", "code"),
            (["max_age": "999999999999"], "login", "code"),
            (["login_hint": "alice"], "login", "code"),
            (["login_hint": "alice@example.com"], "login", "code"),
            (["login_hint": "bob"], "login", "login"),
            (["login_hint": "bob", "prompt": "none"], "login_required", "login_required"),
            (["login_hint": "nobody@client.example"], "login", "code"),
            (["acr_values": "gold"], "login", "code"),
            (["claims": #"{"id_token":{"sub":{"value":"alice"}}}"#], "login", "code"),
            (["claims": #"{"id_token":{"sub":{"value":"bob"}}}"#], "login", "login"),
            (
                ["claims": #"{"id_token":{"sub":{"value":"bob"}}}"#, "prompt": "none"], "login_required",
                "login_required"
            ),
            (
                ["claims": #"{"id_token":{"acr":{"essential":true,"values":["urn:pawl:acr:password"]}}}"#], "login",
                "code"
            ),
            (["claims": #"{"id_token":{"acr":{"essential":true,"values":["silver"]}}}"#], "login", "login"),
            (
                ["claims": #"{"id_token":{"acr":{"essential":true,"values":["silver"]}}}"#, "prompt": "none"],
                "login_required", "login_required"
            ),
        ] as [([String: String?], String, String)])
    func asksForWhatIsMissing(changes: [String: String?], stranger: String, known: String) async throws {
        let idp = try await ProviderUnderTest.signIn {
            $0.contextClasses = ["urn:pawl:acr:password", "silver"]
        }
        #expect(outcome(try await Browser(idp).authorize(changes)) == stranger)
        let browser = Browser(idp)
        _ = try await browser.signIn()
        idp.clock.advance(by: .seconds(100))
        #expect(outcome(try await browser.authorize(changes)) == known)
    }

    /// OpenID Connect Core section 3.1.2.1: "greater than this value", by however little.
    @Test func aLoginIsTooOldAMillisecondAfterItsAge() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        idp.clock.advance(by: .seconds(100))
        #expect(outcome(try await browser.authorize(["max_age": "100"])) == "code")
        idp.clock.advance(by: .milliseconds(1))
        #expect(outcome(try await browser.authorize(["max_age": "100"])) == "login")
        #expect(outcome(try await browser.authorize(["max_age": "100", "prompt": "none"])) == "login_required")
    }

    /// OpenID Connect Core section 3.1.2.1: whoever has just logged in is not asked again.
    @Test(arguments: [["prompt": "login"], ["max_age": "0"], ["max_age": "1"], ["prompt": "login select_account"]])
    func asksOnce(changes: [String: String?]) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        idp.clock.advance(by: .seconds(100))
        var page = try await browser.authorize(changes)
        if page.name == "/select-account" { page = try await browser.submit(page, ["account": accounts(page)[0]]) }
        #expect(page.name == "/login")
        // However long he takes over it.
        idp.clock.advance(by: .seconds(300))
        let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
        let tokens = await idp.redeem(try #require(answer.parameters["code"]))
        let token = try await idp.verifiedIDToken(try tokens.text("id_token"))
        #expect(token.claims["auth_time"] == 1_700_000_400)
    }

    /// OpenID Connect Core section 15.1: zero asks as `prompt=login` does, even in the second of the login.
    @Test func anAgeOfZeroIsExceededAtOnce() async throws {
        let browser = Browser(try await .signIn())
        _ = try await browser.signIn()
        #expect(try await browser.authorize(["max_age": "0"]).name == "/login")
        #expect(outcome(try await browser.authorize(["max_age": "0", "prompt": "none"])) == "login_required")
        #expect(outcome(try await browser.authorize(["max_age": "1"])) == "code")
    }

    private func accounts(_ page: BrowserPage) -> [String] {
        page.form?.buttons.filter { $0.name == "account" }.map(\.value) ?? []
    }

    @Test func asksAgainEachTimeThatItIsAskedTo() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        for _ in 0..<2 {
            let page = try await browser.authorize(["prompt": "login"])
            #expect(page.name == "/login")
            #expect(try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil)
        }
    }

    @Test func offersTheAccountsOfABrowser() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn(as: "alice")
        let login = try await browser.authorize(["prompt": "login"])
        _ = try await browser.submit(login, ["username": "bob", "password": "bob"])
        // Bob came last, so it is he who goes without asking.
        #expect(try await subject(of: try await browser.authorize(), idp) == "bob")
        let page = try await browser.authorize(["prompt": "select_account"])
        #expect(accounts(page).count == 2)
        #expect(page.text.contains("Alice Adams"))
        #expect(page.text.contains("Bob Brown"))
        let chosen = try await browser.submit(page, ["account": accounts(page)[1]])
        #expect(try await subject(of: chosen, idp) == "alice")
        // And from now on it is she.
        #expect(try await subject(of: try await browser.authorize(), idp) == "alice")
        #expect(try await subject(of: try await browser.authorize(["login_hint": "bob"]), idp) == "bob")
    }

    private func subject(of page: BrowserPage, _ idp: ProviderUnderTest) async throws -> String? {
        let tokens = await idp.redeem(try #require(page.parameters["code"]))
        return try await idp.verifiedIDToken(try tokens.text("id_token")).claims.subject
    }

    @Test func takesAnotherAccountThanThoseItOffers() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn(as: "alice")
        let page = try await browser.authorize(["prompt": "select_account"])
        let login = try await browser.submit(page, ["another": "1"])
        #expect(login.name == "/login")
        let answer = try await browser.submit(login, ["username": "bob", "password": "bob"])
        #expect(try await subject(of: answer, idp) == "bob")
    }

    @Test func suggestsTheAccountThatWasChosen() async throws {
        let browser = Browser(try await .signIn())
        _ = try await browser.signIn(as: "alice")
        let page = try await browser.authorize(["prompt": "select_account login"])
        let login = try await browser.submit(page, ["account": accounts(page)[0]])
        #expect(login.name == "/login")
        #expect(login.form?.value("username") == "alice")
    }

    /// What a form says counts only where a cookie proves it.
    @Test func takesNoAccountThatTheBrowserHasNotProven() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let other = Browser(idp)
        _ = try await other.signIn(as: "bob")
        let bob = try #require(try await idp.context.store.logins(where: { $0.userID == "bob" }, limit: 1).first)
        let browser = Browser(idp)
        _ = try await browser.signIn(as: "alice")
        let page = try await browser.authorize(["prompt": "select_account"])
        #expect(try await browser.submit(page, ["account": bob.id.text]).name == "/login")
    }

    // MARK: Hints

    /// OpenID Connect Core section 3.1.2.2, step 4: MUST NOT reply with a token for a different user.
    @Test(arguments: [true, false])
    func answersAboutNobodyElseThanTheHint(isExpired: Bool) async throws {
        let idp = try await ProviderUnderTest.signIn { $0.lifetimes.login = .seconds(1_000_000) }
        let alice = Browser(idp)
        let tokens = await idp.redeem(try #require(try await alice.signIn().parameters["code"]))
        let hint = try tokens.text("id_token")
        let bob = Browser(idp)
        _ = try await bob.signIn(as: "bob")
        // OpenID Connect Core section 3.1.2.1: the hint may have expired.
        if isExpired { idp.clock.advance(by: .seconds(301)) }
        #expect(outcome(try await alice.authorize(["prompt": "none", "id_token_hint": hint])) == "code")
        #expect(outcome(try await bob.authorize(["prompt": "none", "id_token_hint": hint])) == "login_required")
        let page = try await bob.authorize(["id_token_hint": hint])
        #expect(page.name == "/login")
        #expect(page.form?.value("username") == "alice")
        #expect(outcome(try await bob.submit(page, ["username": "bob", "password": "bob"])) == "login_required")
        let again = try await bob.authorize(["id_token_hint": hint])
        #expect(outcome(try await bob.submit(again, ["username": "alice", "password": "alice"])) == "code")
    }

    @Test func takesNoHintThatIsNotAnIDTokenOfTheClient() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let tokens = await idp.redeem(try #require(try await browser.signIn().parameters["code"]))
        let idToken = try tokens.text("id_token")
        let access = try tokens.text("access_token")
        let forged = idToken.dropLast(2) + (idToken.hasSuffix("AA") ? "BB" : "AA")
        for hint in [access, String(forged), "x", try tokens.text("refresh_token")] {
            #expect(outcome(try await browser.authorize(["id_token_hint": hint])) == "invalid_request")
            #expect(
                outcome(try await browser.authorize(["id_token_hint": hint, "prompt": "none"])) == "login_required")
        }
        // Of another client.
        let page = try await browser.authorize(["client_id": "native", "id_token_hint": idToken])
        #expect(outcome(page) == "invalid_request")
    }

    /// RFC 8725 section 3.11: an access token is no ID token, even where it is for the client itself.
    @Test func takesNoAccessTokenForAHint() async throws {
        let idp = try await ProviderUnderTest.signIn([.underTest("self") { $0.accessTokenAudience = ["self"] }])
        let browser = Browser(idp)
        let query = AuthorizationQuery(["client_id": "self"])
        let tokens = await idp.redeem(
            try #require(try await browser.signIn(query).parameters["code"]), ["client_id": "self"])
        let page = try await browser.authorize([
            "client_id": "self", "id_token_hint": try tokens.text("access_token"),
        ])
        #expect(outcome(page) == "invalid_request")
    }

    @Test func knowsAHintOfAPairwiseSubject() async throws {
        let idp = try await ProviderUnderTest.signIn([.underTest("pair") { $0.subjectType = .pairwise }])
        let browser = Browser(idp)
        let query = AuthorizationQuery(["client_id": "pair"])
        let code = try #require(try await browser.signIn(query).parameters["code"])
        let hint = try await idp.redeem(code, ["client_id": "pair"]).text("id_token")
        let changes: [String: String?] = ["client_id": "pair", "id_token_hint": hint, "prompt": "none"]
        #expect(outcome(try await browser.authorize(changes)) == "code")
        let bob = Browser(idp)
        _ = try await bob.signIn(query, as: "bob")
        #expect(outcome(try await bob.authorize(changes)) == "login_required")
    }

    // MARK: Context classes

    @Test func reachesTheClassThatIsAskedFor() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.contextClasses = ["plain", "silver", "gold"] }
        for (changes, reached) in [
            ([:], "plain"), (["acr_values": "platinum gold silver"], "gold"), (["acr_values": "platinum"], "plain"),
            (["claims": #"{"id_token":{"acr":{"essential":true,"value":"silver"}}}"#], "silver"),
            (["claims": #"{"id_token":{"acr":{"value":"silver"}}}"#, "acr_values": "gold"], "silver"),
        ] as [([String: String?], String)] {
            let answer = try await Browser(idp).signIn(AuthorizationQuery(changes))
            let tokens = await idp.redeem(try #require(answer.parameters["code"]))
            let token = try await idp.verifiedIDToken(try tokens.text("id_token"))
            #expect(token.claims["acr"]?.string == reached)
        }
    }

    /// OpenID Connect Registration section 2.
    @Test func followsWhatTheClientRegistered() async throws {
        let idp = try await ProviderUnderTest.signIn([
            .underTest("strict") { metadata in
                metadata.defaultMaximumAge = .seconds(10)
                metadata.defaultACRValues = ["gold"]
            }
        ]) { $0.contextClasses = ["plain", "gold"] }
        let browser = Browser(idp)
        let changes: [String: String?] = ["client_id": "strict"]
        let answer = try await browser.signIn(AuthorizationQuery(changes))
        let tokens = await idp.redeem(try #require(answer.parameters["code"]), changes)
        let token = try await idp.verifiedIDToken(try tokens.text("id_token"), for: "strict")
        #expect(token.claims["acr"] == "gold")
        idp.clock.advance(by: .seconds(10))
        #expect(outcome(try await browser.authorize(changes)) == "code")
        idp.clock.advance(by: .seconds(1))
        #expect(outcome(try await browser.authorize(changes)) == "login")
        // The request has the last word.
        #expect(outcome(try await browser.authorize(changes.merging(["max_age": "99"]) { $1 })) == "code")
    }

    @Test func speaksTheLanguageThatIsAskedFor() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        browser.acceptLanguage = "ja"
        #expect(try await browser.authorize().answer.field("Content-Language") == "ja")
        #expect(try await browser.authorize(["ui_locales": "fr ko"]).answer.field("Content-Language") == "ko")
    }
}

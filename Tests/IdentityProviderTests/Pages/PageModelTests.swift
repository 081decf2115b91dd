import HTTPMessages
import IdentityProvider
import Testing

@Suite struct PageModelTests {
    private let submit = PageURL(path: "/submit")
    private let alice = PagePerson(id: "alice", name: "Alice")

    private func login(
        username: String = "", problem: LoginPage.Problem? = nil, users: [PagePerson] = [], claims: String? = nil
    ) -> String {
        PageTests.html(
            LoginPage(
                action: submit, hiddenFields: [HiddenField("csrf", "x")], formTargets: [], username: username,
                problem: problem, users: users, claims: claims))
    }

    @Test func loginOffersNeitherUsersNorClaimsUnlessTold() {
        let html = login()
        for part in ["name=\"user\"", "<textarea", "<details", "class=\"people\""] { #expect(!html.contains(part)) }
        #expect(html.contains("<input type=\"hidden\" name=\"csrf\" value=\"x\">"))
    }

    @Test func loginTellsThePasswordManagerWhatIsWhat() {
        let html = login(username: "alice")
        #expect(html.contains("value=\"alice\" autocomplete=\"username\""))
        #expect(html.contains("type=\"password\" id=\"password\" name=\"password\" autocomplete=\"current-password\""))
    }

    @Test func loginNeverShowsAPasswordAgain() {
        #expect(!login(username: "alice", problem: .wrongCredentials).contains("name=\"password\" value"))
    }

    @Test func aHintThatHidesCharactersIsNone() {
        #expect(login(username: "ali\u{200B}ce").contains("name=\"username\" value=\"\""))
    }

    /// A form sends line ends as CR LF, and people indent with tabs.
    @Test func claimsComeBackAsTheyWereTyped() {
        let html = login(claims: "{\r\n\t\"a\": \"</textarea>\"\r\n}")
        #expect(html.contains(">\n{&#13;\n\t&quot;a&quot;: &quot;&lt;/textarea&gt;&quot;&#13;\n}</textarea>"))
    }

    @Test func saysTheErrorFirstInTheTitle() {
        #expect(login(problem: .wrongCredentials).contains("<title>Error: Sign in"))
        #expect(!login().contains("<title>Error"))
    }

    @Test(arguments: [(1, "1 second."), (30, "30 seconds."), (0, "1 second."), (-5, "1 second.")])
    func saysHowLongToWait(_ seconds: Int, _ text: String) {
        #expect(login(problem: .tooManyAttempts(retryAfterSeconds: seconds)).contains(text))
    }

    @Test func marksTheFieldsThatAreWrongAndNoOthers() {
        #expect(login(problem: .wrongCredentials).ranges(of: " aria-invalid=").count == 2)
        #expect(login(problem: .expired).ranges(of: " aria-invalid=").isEmpty)
        let claims = login(problem: .claimsAreNoObject, claims: "[]")
        #expect(claims.contains("<details open>") && claims.ranges(of: " aria-invalid=").count == 1)
    }

    private func consent(_ scopes: [String], _ language: PageLanguage = .english) -> String {
        PageTests.html(
            ConsentPage(
                action: submit, hiddenFields: [], formTargets: [], clientName: "App", user: alice, scopes: scopes),
            language)
    }

    @Test func consentGivesNoChoiceAboutOpenIDAndAnyAboutTheRest() {
        let html = consent(["openid", "email", "x.read"])
        #expect(!html.contains("value=\"openid\""))
        for scope in ["email", "x.read"] { #expect(html.contains("name=\"scope\" value=\"\(scope)\" checked")) }
        #expect(html.contains("<bdi>x.read</bdi>"))
    }

    /// Only the scope itself has the description: another spelling is another scope.
    @Test func consentDescribesNoScopeThatOnlyLooksLikeOne() {
        #expect(consent(["Email"]).contains("<bdi>Email</bdi>"))
        #expect(!consent(["email"]).contains("<bdi>email</bdi>"))
    }

    /// RFC 8628 section 5.4, and OpenID Connect RP-Initiated Logout section 2: what is pressed by accident does nothing.
    @Test func refusingComesBeforeAllowing() throws {
        let device = PageTests.html(
            DevicePage(
                .confirm(
                    DeviceConfirmation(
                        action: submit, hiddenFields: [], clientName: "TV", userCode: "ABCD-EFGH", user: alice))))
        for html in [consent(["email"]), device] {
            let deny = try #require(html.firstRange(of: "value=\"deny\"")).lowerBound
            #expect(deny < (try #require(html.firstRange(of: "value=\"allow\""))).lowerBound)
        }
        #expect(device.contains("ABCD-EFGH") && device.contains("TV"))
    }

    @Test func logoutFramesWebAddressesAndAllowsTheirOriginsAlone() throws {
        let frames = ["https://a.example/out?sid=1", "com.example.app:/out", "/ours"].compactMap {
            PageURL($0) ?? PageURL(redirect: $0)
        }
        let page = LogoutPage(.done(LogoutEnd(frames: frames, continueTo: PageURL("https://b.example/bye"))))
        #expect(page.policy.text.contains("frame-src https://a.example; "))
        let html = PageTests.html(page)
        #expect(html.ranges(of: "<iframe").count == 1)
        #expect(html.contains("<meta http-equiv=\"refresh\" content=\"3;url=https://b.example/bye\">"))
    }

    @Test func logoutGoesOnAtOnceWhenNobodyHasToBeTold() {
        let page = LogoutPage(.done(LogoutEnd(continueTo: PageURL("https://b.example/bye"))))
        #expect(PageTests.html(page).contains("content=\"0;url=https://b.example/bye\""))
        #expect(!page.policy.text.contains("frame-src"))
    }

    @Test func logoutGoesNowhereUntold() {
        #expect(!PageTests.html(LogoutPage(.done(LogoutEnd()))).contains("http-equiv"))
    }

    @Test(
        arguments: [
            ("server_error", .tryAgain), ("temporarily_unavailable", .wait), ("expired_token", .startAgain),
            ("invalid_request", .tellDeveloper), ("something_new", .tellDeveloper),
        ] as [(String, ErrorPage.Advice)])
    func anErrorComesWithWhatCanBeDone(_ code: String, _ advice: ErrorPage.Advice) {
        #expect(ErrorPage(status: .badRequest, code: code).advice == advice)
    }

    /// What is for others is in English, and says so to a screen reader; all the rest is in the language of the page.
    @Test(
        arguments: [PageLanguage.korean, .japanese],
        ["server_error", "access_denied", "temporarily_unavailable", "expired_token", "invalid_request"])
    func anErrorIsToldInTheLanguageOfThePage(_ language: PageLanguage, _ code: String) throws {
        let page = ErrorPage(status: .badRequest, code: code, details: "the reason in English", requestID: "01")
        let html = String(decoding: page.bytes(PageSetting(language: language)), as: UTF8.self)
        let start = try #require(html.firstRange(of: "<h1>"))
        let end = try #require(html.firstRange(of: "</main>"))
        let content = html[start.lowerBound..<end.lowerBound]
        #expect(content.contains("<dd lang=\"en\"><bdi>the reason in English</bdi></dd>"))
        let foreign = content.replacing(#/<dd lang="en">.*?</dd>/#, with: "")
        let words = foreign.replacing(#/<[^>]*>/#, with: " ")
        #expect(words.firstMatch(of: #/[A-Za-z]{3}/#) == nil, "\(words)")
        #expect(content.contains("<p class=\"lead\">") || code == "expired_token")
    }

    @Test func anErrorKeepsItsStatus() {
        let page = ErrorPage(status: .serviceUnavailable, code: "temporarily_unavailable")
        #expect(page.response(PageSetting(language: .english)).head.status == .serviceUnavailable)
    }

    @Test func formPostCarriesTheAnswerAsItIs() {
        let page = FormPostPage(
            action: PageURL("https://a.example/cb")!, parameters: [HiddenField("state", "a&\"b")], clientName: "A")
        #expect(PageTests.html(page).contains("name=\"state\" value=\"a&amp;&quot;b\""))
        #expect(page.policy.text.contains("form-action 'self' https: http: https://a.example; "))
    }

    @Test func aFormThatPostsItselfToAPageOfOursLeadsNoFurtherThanThatDoes() {
        var page = FormPostPage(action: PageURL(path: "/logout"), parameters: [], clientName: "A")
        #expect(page.policy.text.contains("form-action 'self'; "))
        page.destination = PageURL("https://a.example/bye")
        #expect(page.policy.text.contains("form-action 'self' https: http: https://a.example; "))
    }

    @Test func aProviderThatIsNoTestSaysNothingOfTests() {
        let html = String(decoding: DevicePage(.done).bytes(PageSetting(language: .english)), as: UTF8.self)
        #expect(!html.contains("<footer"))
    }
}

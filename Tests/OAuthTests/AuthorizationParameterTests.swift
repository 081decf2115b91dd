import OAuth
import Testing

@Suite struct AuthorizationParameterTests {
    private static let prompts: [(String, Prompt)] = [
        ("none", .none), ("login", .login), ("consent login", [.login, .consent]),
        ("login consent select_account", [.login, .consent, .selectAccount]), ("login login", .login),
    ]

    @Test(arguments: prompts)
    func readsAPrompt(text: String, prompt: Prompt) throws {
        #expect(try Prompt(parsing: text) == prompt)
    }

    /// OpenID Connect Core section 3.1.2.1: `none` with any other value is an error.
    @Test(arguments: ["none login", "login none", "consent none select_account"])
    func refusesNoneWithAnother(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try Prompt(parsing: text) }
    }

    @Test(arguments: [
        "", " ", "login ", " login", "login  consent", "Login", "create", "login,consent", "login\n", "é",
    ])
    func refusesAPromptThatIsMalformedOrUnknown(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try Prompt(parsing: text) }
    }

    @Test func readsMaxAge() throws {
        #expect(try MaxAge(parsing: "0").asksForLogin)
        #expect(try !MaxAge(parsing: "1").asksForLogin)
        #expect(try MaxAge(parsing: "0300").seconds == 300)
        #expect(try MaxAge(parsing: "999999999999999999").seconds == MaxAge.longest)
        #expect(MaxAge(seconds: -5).seconds == 0)
    }

    @Test func isExceededByAMillisecondAndNotBefore() throws {
        let age = try MaxAge(parsing: "60")
        #expect(!age.isExceeded(by: .seconds(60)))
        #expect(age.isExceeded(by: .seconds(60) + .milliseconds(1)))
        #expect(!MaxAge(seconds: 0).isExceeded(by: .zero))
        #expect(!MaxAge(seconds: .max).isExceeded(by: .seconds(MaxAge.longest)))
    }

    @Test(arguments: ["", "-1", "+1", " 1", "1 ", "1.5", "1e3", "0x10", "٣", "1\u{0}", "9999999999999999999", "sixty"])
    func refusesWhatIsNoMaxAge(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try MaxAge(parsing: text) }
    }

    @Test(arguments: Display.allCases)
    func readsDisplay(display: Display) throws {
        #expect(try Display(parsing: display.rawValue) == display)
    }

    @Test(arguments: ["", "Page", "page ", "pages", "page popup"])
    func refusesAnUnknownDisplay(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try Display(parsing: text) }
    }

    @Test func aListKeepsTheOrderOfPreference() throws {
        #expect(try SpaceSeparatedList(parsing: "ko ja en ko", of: "ui_locales").values == ["ko", "ja", "en"])
    }

    @Test(arguments: ["", " ", "ko ", " ko", "ko  ja", "ko\tja", "ko\"", "k\\o", "한국어", "ko\u{7F}", "ko\u{0}"])
    func refusesAMalformedList(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try SpaceSeparatedList(parsing: text, of: "ui_locales") }
    }

    @Test func aListHasItsLimits() throws {
        let most = (0..<SpaceSeparatedList.maximumCount).map { "a\($0)" }.joined(separator: " ")
        #expect(try SpaceSeparatedList(parsing: most, of: "acr_values").values.count == SpaceSeparatedList.maximumCount)
        #expect(throws: OAuthError(.invalidRequest, "")) {
            try SpaceSeparatedList(parsing: most + " more", of: "acr_values")
        }
        let longest = String(repeating: "a", count: SpaceSeparatedList.maximumByteCount)
        #expect(try SpaceSeparatedList(parsing: longest, of: "acr_values").values == [longest])
        #expect(throws: OAuthError(.invalidRequest, "")) {
            try SpaceSeparatedList(parsing: longest + "a", of: "acr_values")
        }
    }

    /// RFC 6749 section 5.2 and common sense: what was sent is not sent back.
    @Test func noRefusalEchoesTheRequest() {
        let echoes = [
            #expect(throws: OAuthError.self) { try Prompt(parsing: "hunter2") },
            #expect(throws: OAuthError.self) { try MaxAge(parsing: "hunter2") },
            #expect(throws: OAuthError.self) { try ResponseType(parsing: "hunter2") },
            #expect(throws: OAuthError.self) { try ClaimsRequest(parsing: #"{"userinfo":"hunter2"}"#) },
        ]
        for error in echoes { #expect(error.map { "\($0)".contains("hunter2") } == false) }
    }
}

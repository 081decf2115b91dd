import IdentityProvider
import Testing

@Suite struct PageLanguageTests {
    @Test(
        arguments: [
            ("ko-KR", .korean), ("ko-Hang-KR", .korean), ("KO", .korean), ("ja en", .japanese), ("fr ja", .japanese),
            ("ko_KR", .korean), ("  ja  ", .japanese), ("en-GB ko", .english),
        ] as [(String, PageLanguage)])
    func followsTheClientsOrder(_ locales: String, _ expected: PageLanguage) {
        #expect(PageLanguage.chosen(uiLocales: locales, acceptLanguage: nil) == expected)
    }

    @Test(
        arguments: [
            ("ko-KR,ko;q=0.9,en;q=0.8", .korean), ("en;q=0.5, ja;q=0.9", .japanese), ("ja;q=0.001,ko;q=0.002", .korean),
            ("fr, ja;q=0.1", .japanese), ("ko;q=0.5,ja;q=0.5", .korean), ("ko;Q=0.3, en;q=0.2", .korean),
            ("en;q=0.9\t,\tko ; q=1.000", .korean), (",,ja,,", .japanese),
        ] as [(String, PageLanguage)])
    func followsTheBrowsersWeights(_ field: String, _ expected: PageLanguage) {
        #expect(PageLanguage.chosen(uiLocales: nil, acceptLanguage: field) == expected)
    }

    @Test func theClientKnowsItsUserBetterThanTheBrowser() {
        #expect(PageLanguage.chosen(uiLocales: "ja", acceptLanguage: "ko") == .japanese)
        #expect(PageLanguage.chosen(uiLocales: "fr", acceptLanguage: "ko") == .korean)
    }

    @Test(arguments: [
        "", "fr", "*", "kok", "korean", "x-ko", "*-ko", "ko;q=0", "ko;q=0.000", "ja;q=2", "ja;q=1.001", "ja;q=-1",
        "ja;q=.5", "ja;q=0.1234", "ja;q=0,5", "ja;q=", "ja;q", "ja;level=1", "ja;q=0.5;x=1", "ja;q=0.٥", ";q=1", "-ko",
    ])
    func isEnglishWhereNothingElseIsAskedFor(_ field: String) {
        #expect(PageLanguage.chosen(uiLocales: nil, acceptLanguage: field) == .english)
    }

    @Test func looksNoFurtherThanPeopleRead() {
        let many = String(repeating: "fr,", count: 32)
        #expect(PageLanguage.chosen(uiLocales: nil, acceptLanguage: many + "ja") == .english)
        #expect(PageLanguage.chosen(uiLocales: nil, acceptLanguage: many.dropFirst(3) + "ja") == .japanese)
    }
}

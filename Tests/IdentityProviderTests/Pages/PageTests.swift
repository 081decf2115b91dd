import HTTPMessages
import IdentityProvider
import Testing

@Suite struct PageTests {
    static let submit = PageURL(path: "/submit")
    static let hostile = "<b>\u{202E}\"'&</b>"
    static let hostileShown = "&lt;b&gt;\\u{202E}&quot;&#39;&amp;&lt;/b&gt;"

    /// Each page with a hostile text wherever one from outside can be.
    static let pages: [any Page] = {
        let person = PagePerson(id: hostile, name: hostile, note: hostile)
        let hidden = [HiddenField(hostile, hostile)]
        return [
            LoginPage(
                action: submit, hiddenFields: hidden, formTargets: [], clientName: hostile, username: hostile,
                users: [person], claims: hostile),
            AccountPickerPage(
                action: submit, hiddenFields: hidden, formTargets: [], clientName: hostile, accounts: [person]),
            ConsentPage(
                action: submit, hiddenFields: hidden, formTargets: [], clientName: hostile, user: person,
                scopes: ["openid", hostile], resources: [hostile]),
            DevicePage(.enter(DeviceCodeForm(action: submit, hiddenFields: hidden, userCode: hostile))),
            DevicePage(
                .confirm(
                    DeviceConfirmation(
                        action: submit, hiddenFields: hidden, clientName: hostile, userCode: hostile, user: person,
                        scopes: [hostile]))),
            LogoutPage(
                .confirm(
                    LogoutConfirmation(action: submit, hiddenFields: hidden, clientName: hostile, users: [person]))),
            LogoutPage(
                .confirm(
                    LogoutConfirmation(action: submit, hiddenFields: hidden, users: [person, person]))),
            LogoutPage(.done(LogoutEnd(continueTo: PageURL("https://a.example/"), clientName: hostile))),
            ErrorPage(status: .badRequest, code: hostile, details: hostile, requestID: hostile),
            FormPostPage(action: PageURL("https://a.example/")!, parameters: hidden, clientName: hostile),
            HomePage(
                issuer: hostile, endpoints: [],
                users: [HomePage.User(id: hostile, name: hostile, password: hostile)],
                clients: [HomePage.ClientExample(id: hostile, note: hostile, command: hostile)]),
        ]
    }()

    static func html(_ page: any Page, _ language: PageLanguage = .english, name: String = "Pawl") -> String {
        String(decoding: page.bytes(PageSetting(language: language, providerName: name, isMock: true)), as: UTF8.self)
    }

    @Test(arguments: pages.indices, PageLanguage.allCases)
    func nothingFromOutsideBecomesMarkup(_ index: Int, _ language: PageLanguage) {
        let html = Self.html(Self.pages[index], language, name: Self.hostile)
        #expect(!html.contains("<b>"))
        #expect(html.contains(Self.hostileShown))
    }

    @Test(arguments: pages.indices)
    func nothingFromOutsideTurnsTheTextAround(_ index: Int) {
        let html = Self.html(Self.pages[index], name: Self.hostile)
        // What a form sends back unseen must come back as it was, and what the user edits stands in a field of its own.
        let exact = ["input type=\"hidden\"", "input type=\"checkbox\"", "button", "textarea"]
        let shown = html.split(separator: "<").filter { element in !exact.contains { element.hasPrefix($0) } }
        #expect(!shown.contains { $0.unicodeScalars.contains("\u{202E}") })
    }

    @Test(arguments: pages.indices)
    func everyPageIsGuarded(_ index: Int) {
        let fields = Answer(Self.pages[index].response(PageSetting(language: .korean))).fields
        let expected = [
            "Content-Type": "text/html; charset=utf-8", "Content-Language": "ko", "Cache-Control": "no-store",
            "Vary": "Accept-Language", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        ]
        for (name, value) in expected { #expect(HTTPField.Name(name).flatMap { fields[$0] } == value) }
        let policy = HTTPField.Name("Content-Security-Policy").flatMap { fields[$0] } ?? ""
        for directive in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action "] {
            #expect(policy.contains(directive))
        }
    }

    /// A client that opens the login in a window waits for that window to come back.
    @Test func noPageThatAClientOpensCutsItsOpenerOff() throws {
        let name = try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))
        let setting = PageSetting(language: .english)
        for page in Self.pages {
            let isOurs = page is HomePage || page is DevicePage
            #expect(page.response(setting).head.headerFields.contains(name) == isOurs)
        }
    }

    @Test func onlyThePageThatSendsItselfRunsAScript() {
        for page in Self.pages {
            #expect(page.policy.text.contains("script-src") == (page is FormPostPage))
            #expect(Self.html(page).contains("<script") == (page is FormPostPage))
        }
    }

    @Test(arguments: pages.indices, PageLanguage.allCases)
    func hasOneHeadingAndSaysItsLanguage(_ index: Int, _ language: PageLanguage) {
        let html = Self.html(Self.pages[index], language)
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language.tag)\"><head><meta charset=\"utf-8\">"))
        #expect(html.ranges(of: "<h1").count == 1)
    }
}

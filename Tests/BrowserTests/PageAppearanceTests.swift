import HTTPMessages
import IdentityProvider
import Primitives
import TestSupport
import Testing

/// Every page in a real browser, without JavaScript, as each reader sees it. The screenshots are kept:
/// `swift test --attachments-path <folder>`.
@Suite(.needsBrowser) struct PageAppearanceTests {
    @Test(arguments: Reader.all)
    func everyPageIsLegibleAndComplete(_ reader: Reader) async throws {
        let samples = SamplePage.all() + [SamplePage.formPost(client: "http://127.0.0.1:3000")]
        let options = BrowserOptions(languages: reader.languages, scheme: reader.scheme, runsScripts: false)
        try await PageServer.samples(samples).run { address in
            try await withBrowser(options) { browser in
                for sample in samples {
                    try await browser.resize(width: 1024, height: 768)
                    try await browser.open(address + "/" + sample.name)
                    try await examine(sample, reader, browser)
                }
            }
        }
    }

    /// Names come from outside: none, however long, pushes anything out of the page.
    @Test func longNamesStayInsideThePage() async throws {
        let long = String(repeating: "W", count: 300)
        let person = PagePerson(id: "x", name: long, note: long)
        let submit = PageURL(path: "/submit")
        let pages: [any Page] = [
            LoginPage(action: submit, hiddenFields: [], formTargets: [], clientName: long, users: [person]),
            AccountPickerPage(action: submit, hiddenFields: [], formTargets: [], clientName: long, accounts: [person]),
            ConsentPage(
                action: submit, hiddenFields: [], formTargets: [], clientName: long, user: person, scopes: [long],
                resources: [long]),
            LogoutPage(
                .confirm(LogoutConfirmation(action: submit, hiddenFields: [], clientName: long, users: [person]))),
            LogoutPage(
                .confirm(
                    LogoutConfirmation(action: submit, hiddenFields: [], clientName: long, users: [person, person]))),
            ErrorPage(status: .badRequest, code: long, details: long, requestID: long),
        ]
        let server = PageServer { request in
            let index = Int((request.head.path ?? "").dropFirst()) ?? 0
            return pages[index].response(PageSetting(language: .korean, providerName: long, isMock: true))
        }
        try await server.run { address in
            try await withBrowser(BrowserOptions(width: 320, height: 640)) { browser in
                for index in pages.indices {
                    try await browser.open("\(address)/\(index)")
                    #expect(try await PageAudit(browser: browser).overflowing() == [], "page \(index)")
                }
            }
        }
    }

    private func examine(_ sample: SamplePage, _ reader: Reader, _ browser: Browser) async throws {
        let audit = PageAudit(browser: browser)
        let shot = "\(sample.name)-\(reader)"
        #expect(try await browser.find("html").attribute("lang") == reader.tag, "\(shot)")
        #expect(try await browser.find("main").accessibleRole == "main", "\(shot)")
        let levels = try await audit.headingLevels()
        #expect(levels.first == 1 && levels.filter { $0 == 1 }.count == 1, "\(shot): headings \(levels)")
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(shot): headings \(levels)")
        for control in try await audit.controls() {
            let (name, markup) = (try await control.accessibleName, try await control.property("outerHTML"))
            #expect(!name.isEmpty, "\(shot): \(markup.text())")
        }
        #expect(try await audit.faintTexts() == [], "\(shot)")
        Attachment.record(try await browser.screenshot(), named: "\(shot).png")
        try await browser.resize(width: 320, height: 640)
        #expect(try await audit.overflowing() == [], "\(shot) at 320 pixels")
        Attachment.record(try await browser.screenshot(), named: "\(shot)-narrow.png")
        let complaints = try await browser.complaints().filter { !isAboutStatus($0) }
        #expect(complaints == [], "\(shot)")
    }

    /// A page with status 400 is one that was asked for here.
    private func isAboutStatus(_ complaint: String) -> Bool {
        complaint.contains("the server responded with a status of 400")
    }
}

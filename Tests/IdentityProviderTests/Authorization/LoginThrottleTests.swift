import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct LoginThrottleTests {
    let idp: ProviderUnderTest
    let browser: Browser

    init() async throws {
        idp = try await .signIn {
            $0.signIn.failuresAllowed = 3
            $0.signIn.failureWindow = .seconds(60)
        }
        browser = Browser(idp)
    }

    private func attempt(_ name: String, _ password: String) async throws -> BrowserPage {
        try await browser.submit(
            try await browser.authorize(["prompt": "login"]), ["username": name, "password": password])
    }

    @Test func looksAtNoPasswordAfterTooManyWrongOnes() async throws {
        for _ in 0..<3 { #expect(try await attempt("alice", "x").status == 403) }
        idp.clock.advance(by: .milliseconds(1))
        let page = try await attempt("alice", "alice")
        #expect(page.status == 429)
        // RFC 6585 section 4. Rounded up.
        #expect(page.answer.field("Retry-After") == "60")
        // Others are not concerned.
        #expect(try await attempt("bob", "bob").parameters["code"] != nil)
    }

    /// The edge, from both sides.
    @Test(arguments: [(59_999, 429), (60_000, 303)])
    func looksAgainWhenTheWindowIsOver(after milliseconds: Int, status: Int) async throws {
        for _ in 0..<3 { _ = try await attempt("alice", "x") }
        idp.clock.advance(by: .milliseconds(milliseconds))
        #expect(try await attempt("alice", "alice").status == status)
    }

    @Test func whoeverKnowsThePasswordNeedNotWaitForHisSlips() async throws {
        for _ in 0..<4 {
            for _ in 0..<2 { #expect(try await attempt("alice", "x").status == 403) }
            #expect(try await attempt("alice", "alice").status == 303)
        }
    }

    @Test func namesThatAreNobodysAreThrottledAlike() async throws {
        for _ in 0..<3 { #expect(try await attempt("nobody", "x").status == 403) }
        #expect(try await attempt("nobody", "x").status == 429)
    }

    @Test func oneAddressTriesNoManyNames() async throws {
        for index in 0..<30 { #expect(try await attempt("user\(index)", "x").status == 403) }
        #expect(try await attempt("alice", "alice").status == 429)
        browser.address = "192.0.2.1"
        #expect(try await attempt("alice", "alice").status == 303)
        browser.address = "127.0.0.1"
        idp.clock.advance(by: .seconds(60))
        #expect(try await attempt("alice", "alice").status == 303)
    }

    /// Whoever has an account of his own must not buy tries at others' with it.
    @Test func onePasswordThatIsRightForgivesNoOthers() async throws {
        for index in 0..<29 { #expect(try await attempt("user\(index)", "x").status == 403) }
        #expect(try await attempt("bob", "bob").status == 303)
        #expect(try await attempt("somebody", "x").status == 403)
        #expect(try await attempt("alice", "alice").status == 429)
    }

    @Test func passwordsThatWereRightCountForNothing() async throws {
        for _ in 0..<40 { #expect(try await attempt("alice", "alice").status == 303) }
    }

    /// An attempt counts when it begins: a thousand at once are a thousand.
    @Test func manyAtOnceAreMany() async throws {
        let page = try await browser.authorize()
        let form = try #require(page.form)
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded",
            .cookie: browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "),
        ]
        let hidden = form.fields.filter(\.isHidden).map { ($0.name, $0.value) }
        let body = Array(FormParameters(hidden + [("username", "alice"), ("password", "x")]).encoded.utf8)
        let idp = idp
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<32 {
                group.addTask { await idp.respond(.post, "/login", fields, body: body).status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 403 }.count == 3)
        #expect(statuses.filter { $0 == 429 }.count == 29)
    }

    @Test func aClockThatIsSetBackLocksNobodyOut() async throws {
        for _ in 0..<3 { _ = try await attempt("alice", "x") }
        idp.clock.advance(by: .seconds(-10))
        #expect(try await attempt("alice", "alice").status == 303)
    }
}

import IdentityProvider
import OAuth
import Primitives
import Testing

/// What the record of a logout says: an ID token names its client and its login to nobody who only looks at the request.
@Suite struct LogoutRecordTests {
    let setup: LogoutSetup

    init() async throws { setup = try await LogoutSetup { $0.recordedRequests = 100 } }

    private func last() throws -> RequestRecord {
        let record = try #require(setup.idp.context.requests.records().last)
        try #require(record.path == "/logout")
        return record
    }

    private func logins() async throws -> [LoginID] {
        try await setup.idp.context.store.logins(where: { $0.ended == nil }, limit: 9).map(\.id)
    }

    @Test func namesTheClientOfTheHintAndTheLoginThatItEnded() async throws {
        let tokens = try await setup.signIn()
        let logins = try await logins()
        #expect(try await setup.logOut(["id_token_hint": tokens.id]).saysSignedOut)
        let record = try last()
        #expect(record.clientID == "rp" && record.logins == logins && logins.count == 1)
        #expect(record.json["logins"]?.array == logins.map { .string($0.text) })
        #expect(record.json["client_id"] == "rp")
        // There is nothing left that it could end.
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try last().logins.isEmpty && last().clientID == "rp")
        #expect(try last().json["logins"] == nil)
    }

    /// Who looks for what signed a user out asks for the login.
    @Test func isFoundByTheLoginThatItEnded() async throws {
        let tokens = try await setup.signIn()
        let login = try #require(try await logins().first)
        let control = ControlUnderTest(setup.idp)
        #expect(try await control.json("GET", "/requests?login=\(login)")["requests"] == [])
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        let found = try await control.json("GET", "/requests?login=\(login)")["requests"]?.array
        #expect(found?.map { $0["path"] } == ["/logout"])
        // There is nothing left that it could end, so that nothing more is found.
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try await control.json("GET", "/requests?login=\(login)")["requests"]?.array?.count == 1)
        #expect(try await control.json("GET", "/requests?login=another")["requests"] == [])
    }

    /// To ask ends nothing, nor does it to stay.
    @Test(arguments: ["logout", "stay"]) func namesTheLoginWhenTheUserHasAgreed(decision: String) async throws {
        _ = try await setup.signIn()
        let logins = try await logins()
        let page = try await setup.logOut(["client_id": "rp"])
        #expect(page.asksWhetherToSignOut)
        #expect(try last().logins.isEmpty && last().clientID == "rp")
        _ = try await setup.browser.submit(page, ["decision": decision])
        #expect(try last().logins == (decision == "logout" ? logins : []))
    }

    @Test func namesALoginThatTheBrowserDoesNotShow() async throws {
        let tokens = try await setup.signIn()
        let logins = try await logins()
        let elsewhere = Browser(setup.idp)
        let page = try await setup.logOut(["id_token_hint": tokens.id], with: elsewhere)
        #expect(page.asksWhetherToSignOut)
        #expect(try last().logins.isEmpty && last().clientID == "rp")
        _ = try await elsewhere.submit(page, ["decision": "logout"])
        #expect(try last().logins == logins)
    }

    /// Whose mistake it was is what somebody looks for.
    @Test(arguments: [
        ["post_logout_redirect_uri": "https://elsewhere.example/"], ["state": String(repeating: "x", count: 9000)],
    ])
    func namesTheClientWhoseRequestIsRefused(parameters: [String: String]) async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut(parameters.merging(["id_token_hint": tokens.id]) { $1 })
        #expect(page.status == 400)
        #expect(try last().clientID == "rp" && last().logins.isEmpty && last().status == 400)
    }

    /// Nobody believes a hint that is none of ours.
    @Test func namesNobodyByAHintThatIsRefused() async throws {
        let tokens = try await setup.signIn()
        var letters = Array(tokens.id)
        letters[letters.count - 40] = letters[letters.count - 40] == "A" ? "B" : "A"
        #expect(try await setup.logOut(["id_token_hint": String(letters)]).status == 400)
        #expect(try last().clientID == nil && last().logins.isEmpty)
        #expect(try await setup.isSignedIn())
    }
}

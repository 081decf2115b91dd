import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// Whole flows over the engine that is on the disk: every kind of record is written and read again on the way.
@Suite struct SignInOnDiskTests {
    @Test func signsInAgreesRedeemsRefreshesAndRevokes() async throws {
        let test = try StoreUnderTest(.sqlite)
        defer { test.end() }
        let idp = try await ProviderUnderTest.signIn(
            [.underTest("asks") { $0.consent = .remembered }], store: test.store)
        let browser = Browser(idp)
        let query = AuthorizationQuery([
            "client_id": "asks", "scope": "openid email offline_access", "nonce": "n", "max_age": "100",
            "claims": #"{"id_token":{"auth_time":{"essential":true}}}"#, "ui_locales": "de en", "display": "popup",
            "prompt": "consent", "login_hint": "alice", "resource": "https://api.example/",
        ])
        let page = try await browser.signIn(query)
        #expect(page.name == "/consent")
        let answer = try await browser.submit(page, ["decision": "allow"])
        #expect(answer.parameters["state"] == "xyz")
        let code = try #require(answer.parameters["code"])
        let tokens = await idp.redeem(code, ["client_id": "asks"])
        let identity = try await idp.verifiedIDToken(try tokens.text("id_token"), for: "asks")
        #expect(identity.claims["nonce"]?.string == "n")
        #expect(identity.claims["auth_time"] != nil)
        let refreshed = await idp.refresh(try tokens.text("refresh_token"), client: "asks")
        #expect(try await idp.isActive(try refreshed.text("access_token")))
        // A code that comes twice ends what it gave.
        #expect(await idp.redeem(code, ["client_id": "asks"]).error == "invalid_grant")
        #expect(try await !idp.isActive(try refreshed.text("access_token")))
        #expect(await idp.refresh(try refreshed.text("refresh_token"), client: "asks").error == "invalid_grant")
    }

    /// RFC 9110 section 15.6.4: a store that cannot work now is no fault of the client's, and it may come again.
    @Test func answers503WithATimeWhileTheStoreDoesNotWork() async throws {
        let test = try StoreUnderTest(.sqlite)
        let idp = try await ProviderUnderTest.signIn(store: test.store)
        let code = try await idp.code()
        let tokens = await idp.redeem(try await idp.code())
        test.end()
        let refresh = await idp.refresh(try tokens.text("refresh_token"))
        for answer in [await idp.redeem(code), refresh] {
            #expect(answer.status == 503)
            #expect(answer.error == "temporarily_unavailable")
            #expect(answer.fields[.retryAfter] == "1")
        }
        #expect(idp.log.lines.contains { $0.contains("the store is not available") })
    }
}

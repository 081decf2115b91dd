import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: what the cookies look like")
struct SessionCookieTests {
    /// What is set for a client with these settings, without the values.
    private func cookies(
        _ settings: JSONObject = [:], host: String = "id.example", isEncrypted: Bool = true, path: String = "/session",
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> [String] {
        let lab = try await SessionLab([SessionLab.client("c", settings)], configure: configure)
        let answer = await lab.idp.respond(
            .post, path, [.contentType: "application/x-www-form-urlencoded"],
            body: Array("client_id=c&username=alice&password=alice".utf8), host: host, isEncrypted: isEncrypted)
        guard answer.status == 200 else { return [answer.outcome, answer.errorDescription] }
        return answer.setCookies.map { field in
            String(field.prefix { $0 != "=" }) + String(field.drop { $0 != ";" })
        }
    }

    /// RFC 6265bis section 4.1.3.2: `__Host-` wants the path `/`, and the refresh token must not go there.
    @Test func areSafeOverTLS() async throws {
        #expect(
            try await cookies() == [
                "__Secure-pawl_refresh_c; Path=/session; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict",
                "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax",
            ])
    }

    @Test func workOnThisMachineWithoutTLS() async throws {
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080", "app.localhost:8080"] {
            #expect(
                try await cookies(host: host, isEncrypted: false) == [
                    "pawl_refresh_c_8080; Path=/session; Max-Age=2592000; HttpOnly; SameSite=Strict",
                    "pawl_access_c_8080; Path=/; Max-Age=300; HttpOnly; SameSite=Lax",
                ])
        }
    }

    /// Tenants do not meet.
    @Test func stayBelowTheirTenant() async throws {
        #expect(
            try await cookies(path: "/t/one/session") == [
                "__Secure-pawl_refresh_c; Path=/t/one/session; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict",
                "__Secure-pawl_access_c; Path=/t/one; Max-Age=300; Secure; HttpOnly; SameSite=Lax",
            ])
    }

    /// RFC 6265bis section 5.7: browsers ignore an attribute of more than 1024 bytes.
    @Test func areForEveryPathWhereTheirOwnWouldBeTooLong() async throws {
        let path = "/" + String(repeating: "a", count: 1100)
        let fields = try await cookies(path: path + "/session") {
            $0.issuer = .fixed(try! Issuer("https://id.example" + path))
        }
        #expect(
            fields == [
                "__Host-pawl_refresh_c; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict",
                "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax",
            ])
    }

    /// Each setting by itself: what it is, and what the cookie says for it.
    @Test(
        arguments: [
            (["name": "sid"], "__Host-sid; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax"),
            (["prefix": "none"], "pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax"),
            (["prefix": "__Secure-"], "__Secure-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax"),
            (["prefix": "__Host-"], "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax"),
            (
                ["domain": "example.org"],
                "__Secure-pawl_access_c; Path=/; Domain=example.org; Max-Age=300; Secure; HttpOnly; SameSite=Lax"
            ),
            (
                ["path": "/session"],
                "__Secure-pawl_access_c; Path=/session; Max-Age=300; Secure; HttpOnly; SameSite=Lax"
            ),
            (["secure": false], "pawl_access_c; Path=/; Max-Age=300; HttpOnly; SameSite=Lax"),
            (["http_only": false], "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; SameSite=Lax"),
            (["same_site": "None"], "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=None"),
            (["same_site": "Strict"], "__Host-pawl_access_c; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Strict"),
            (["lifetime": "1d"], "__Host-pawl_access_c; Path=/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax"),
            (["persistence": "session"], "__Host-pawl_access_c; Path=/; Secure; HttpOnly; SameSite=Lax"),
            (
                ["persistence": "expires"],
                "__Host-pawl_access_c; Path=/; Expires=Tue, 14 Nov 2023 22:18:20 GMT; Secure; HttpOnly; SameSite=Lax"
            ),
            (
                ["persistence": "both"],
                "__Host-pawl_access_c; Path=/; Max-Age=300; Expires=Tue, 14 Nov 2023 22:18:20 GMT; Secure; HttpOnly; SameSite=Lax"
            ),
        ] as [(JSONObject, String)])
    func looksAsItIsTold(settings: JSONObject, expected: String) async throws {
        #expect(try await cookies(["access_cookie": .object(settings)], host: "id.example.org").last == expected)
    }

    @Test func theRefreshCookieLooksAsItIsTold() async throws {
        let settings: JSONObject = [
            "refresh_cookie": [
                "name": "rt", "path": "/session/refresh", "persistence": "session", "same_site": "Lax",
                "http_only": false,
            ]
        ]
        #expect(
            try await cookies(settings).first == "__Secure-rt; Path=/session/refresh; Secure; SameSite=Lax")
        #expect(
            try await cookies(["refresh_cookie": ["prefix": "__Host-"]]).first
                == "__Host-pawl_refresh_c; Path=/; Max-Age=2592000; Secure; HttpOnly; SameSite=Strict")
    }

    /// Browsers take a Secure cookie from this machine, and `SameSite=None` is nothing without it.
    @Test func isSecureOnThisMachineWhereSameSiteAsksForIt() async throws {
        #expect(
            try await cookies(["access_cookie": ["same_site": "None"]], host: "localhost:8080", isEncrypted: false).last
                == "pawl_access_c_8080; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=None")
    }

    @Test(
        arguments: [
            (JSONObject(), "id.example", false, "plain http"),
            (["plain_http": "never"], "localhost:8080", false, "never"),
            (["access_cookie": ["prefix": "__Host-"]], "localhost:8080", false, "__Host-"),
            (["refresh_cookie": ["prefix": "__Secure-"]], "localhost:8080", false, "__Secure-"),
            (["plain_http": "everywhere", "access_cookie": ["secure": true]], "id.example", false, "Secure"),
            (["plain_http": "everywhere", "refresh_cookie": ["same_site": "None"]], "id.example", false, "Secure"),
            (["access_cookie": ["domain": "other.example"]], "id.example", true, "domain"),
            (["access_cookie": ["domain": "id.example.org"]], "example.org", true, "domain"),
            (["access_cookie": ["domain": "example.org"]], "notexample.org", true, "domain"),
            (["refresh_cookie": ["path": "/api"]], "id.example", true, "/session/refresh"),
            (["refresh_cookie": ["path": "/session/refr"]], "id.example", true, "/session/refresh"),
            (["access_cookie": ["path": "/sess"]], "id.example", true, "/session"),
        ] as [(JSONObject, String, Bool, String)])
    func refusesWhatABrowserWouldNotKeepOrSend(
        settings: JSONObject, host: String, isEncrypted: Bool, word: String
    ) async throws {
        let refusal = try await cookies(settings, host: host, isEncrypted: isEncrypted)
        #expect(refusal.first == "400 unusable_cookie")
        #expect(refusal.last?.contains(word) == true, "\(refusal)")
    }

    @Test func travelInTheClearWhereSomebodySaysSo() async throws {
        #expect(
            try await cookies(["plain_http": "everywhere"], host: "pawl:8080", isEncrypted: false).last
                == "pawl_access_c_8080; Path=/; Max-Age=300; HttpOnly; SameSite=Lax")
    }

    /// Nothing is spent for cookies that nobody would keep.
    @Test func aCodeIsNotSpentForThem() async throws {
        let lab = try await SessionLab()
        let code = try await lab.code()
        let form = [
            "client_id": "app", "code": code, "code_verifier": AuthorizationQuery.verifier,
            "redirect_uri": AuthorizationQuery.redirectURI,
        ]
        #expect(
            await lab.browser(host: "id.example").send(.post, "/session", form).outcome == "400 unusable_cookie")
        #expect(await lab.browser().send(.post, "/session", form).status == 200)
    }

    /// A name is a token, whatever the client is called; and no two clients share one.
    @Test(arguments: ["a b", "a;b=c", String(repeating: "x", count: 65), "a_b"])
    func aClientOfAnyNameHasCookies(id: String) async throws {
        let lab = try await SessionLab([SessionLab.client(id, [:])])
        let browser = lab.browser()
        #expect(await browser.signIn(id).status == 200)
        #expect(await browser.tell().status == 200)
        #expect(browser.cookies.keys.allSatisfy { $0.utf8.count < 64 && !$0.contains(id) })
    }
}

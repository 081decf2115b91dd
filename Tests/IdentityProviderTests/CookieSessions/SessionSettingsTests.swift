import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: what a configuration may say")
struct SessionSettingsTests {
    private static func error(_ client: JSONObject) -> ClientMetadataError? {
        do throws(ClientMetadataError) {
            _ = try Client(json: client, by: ClientMetadataRules(.configuration))
            return nil
        } catch {
            return error
        }
    }

    /// What a browser would do with it is in the message.
    @Test(
        arguments: [
            (["name": "a b"], "name", "browsers"), (["name": "a=b"], "name", "browsers"),
            (["name": "__Host-a"], "name", "prefix"), (["name": "__secure-a"], "name", "prefix"),
            (["name": "__Http-a"], "name", "prefix"), (["name": "pawl_login_8080"], "name", "provider"),
            (["path": "session"], "path", "slash"), (["path": "/a;b"], "path", "semicolons"),
            (["domain": ".example.org"], "domain", "dot"), (["domain": "org"], "domain", "top-level"),
            (["domain": "example.org."], "domain", "top-level"), (["domain": "192.0.2.1"], "domain", "address"),
            (["domain": "example.org:80"], "domain", "host name"), (["domain": "a..example"], "domain", "host name"),
            (["domain": "my_host.example"], "domain", "host name"),
            (["domain": "[::ffff:192.0.2.1]"], "domain", "host name"),
            (["prefix": "__Host-", "domain": "example.org"], "domain", "refuse"),
            (["prefix": "__Host-", "path": "/session"], "path", "refuse"),
            (["prefix": "__Host-", "secure": false], "secure", "refuse"),
            (["prefix": "__Secure-", "secure": false], "secure", "refuse"),
            (["same_site": "None", "secure": false], "secure", "refuse"),
            (["persistence": "session", "lifetime": "1d"], "lifetime", "outlives"),
            (["lifetime": "401d"], "lifetime", "400 days"), (["same_site": "lax"], "same_site", "must be one of"),
            (["lifetime": "0s"], "lifetime", "duration"), (["samesite": "Lax"], "samesite", "did you mean same_site"),
            (["secure": "yes"], "secure", "true or false"),
        ] as [(JSONObject, String, String)])
    func refusesACookieWithoutSense(settings: JSONObject, member: String, word: String) {
        for cookie in ["access_cookie", "refresh_cookie"] {
            let error = Self.error(SessionLab.client("c", [cookie: .object(settings)]))
            #expect(error?.path.description == "cookie_session.\(cookie).\(member)")
            #expect(error?.problem.contains(word) == true, "\(error?.problem ?? "")")
        }
    }

    @Test(
        arguments: [
            (["sign_in": []], "sign_in"), (["sign_in": ["magic"]], "sign_in[0]"), (["sign_out": "all"], "sign_out"),
            (["origins": ["https://a.example/x"]], "origins[0]"), (["origins": ["*"]], "origins[0]"),
            (["origins": ["null"]], "origins[0]"), (["plain_http": true], "plain_http"), (["fork_to": "a"], "fork_to"),
            (["cookie": [:]], "cookie"),
            (["access_cookie": ["name": "s"], "refresh_cookie": ["name": "s"]], "refresh_cookie.name"),
        ] as [(JSONObject, String)])
    func refusesASessionWithoutSense(settings: JSONObject, member: String) {
        #expect(Self.error(SessionLab.client("c", settings))?.path.description == "cookie_session.\(member)")
    }

    /// A browser keeps no secret, and proves no key.
    @Test(
        arguments: [
            ["client_secret": "s"], ["dpop_bound_access_tokens": true],
            ["tls_client_certificate_bound_access_tokens": true],
        ] as [JSONObject])
    func refusesAClientThatProvesSomething(members: JSONObject) {
        let error = Self.error(SessionLab.client("c", [:], members))
        #expect(error?.path.description == "cookie_session")
    }

    /// It is for whoever runs the provider to decide.
    @Test func refusesAClientThatRegistersItself() throws {
        var json = SessionLab.client("c", [:], ["redirect_uris": ["https://app.example/cb"]])
        json["client_id"] = nil
        #expect(throws: ClientMetadataError.self) {
            try ClientMetadata(json: json, by: ClientMetadataRules(.registration))
        }
    }

    @Test func whatWasWrittenReadsTheSame() throws {
        let cookie: JSONObject = [
            "name": "a", "prefix": "__Secure-", "domain": "example.org", "path": "/session", "persistence": "both",
            "lifetime": "1d", "secure": true, "http_only": false, "same_site": "None",
        ]
        let settings: JSONObject = [
            "access_cookie": .object(cookie), "refresh_cookie": ["prefix": "none"], "sign_in": ["code"],
            "sign_out": "login", "origins": ["https://a.example"], "fork_to": ["b"], "plain_http": "never",
            "after_refusal": "expire",
        ]
        for one in [settings, [:]] {
            let client = try Client(json: SessionLab.client("c", one), by: ClientMetadataRules(.configuration))
            let again = try Client(json: client.registrationJSON, by: ClientMetadataRules(.configuration))
            #expect(client.metadata.cookieSession != nil)
            #expect(client.metadata.cookieSession == again.metadata.cookieSession)
        }
    }

    /// A change holds from the next request on.
    @Test func aClientThatIsPutThereLaterHasSessions() async throws {
        let lab = try await SessionLab()
        #expect(await lab.browser().signIn("late").outcome == "400 unauthorized_client")
        try lab.context.clients.put(
            Client(json: SessionLab.client("late", [:]), by: ClientMetadataRules(.configuration)))
        let browser = lab.browser()
        #expect(await browser.signIn("late").status == 200)
        #expect(await browser.tell().status == 200)
        lab.context.clients.remove("late")
        #expect(await browser.tell().status == 401)
    }
}

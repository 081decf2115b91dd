import HTTPMessages
import IdentityProvider
import Primitives
import Testing

/// Whoever looks at records, events, faults, barriers and graphs learns no secret.
@Suite struct ControlSecrecyTests {
    /// Everything that can be looked at, as text.
    private func everything(_ control: ControlUnderTest) async throws -> [(path: String, text: String)] {
        var found: [(String, String)] = []
        for path in [
            "/requests", "/events", "/faults", "/barriers", "/sessions", "/families", "/families?format=dot",
            "/families?format=mermaid", "/keys", "/users", "/clients", "/next", "/clock", "/settings",
        ] {
            let answer = await control.call("GET", path, also: [.accept: "application/json"])
            #expect(answer.status == 200, "\(path)")
            found.append((path, String(decoding: answer.body, as: UTF8.self)))
        }
        return found
    }

    @Test func noneIsInAnythingThatCanBeLookedAt() async throws {
        let control = try await ControlUnderTest()
        _ = await control.call("GET", "/events", also: [.accept: "application/json"])
        _ = try await control.json("POST", "/faults", ["fault": "cut", "count": 1_000_000])
        _ = try await control.json("POST", "/barriers", ["at": "request.received", "count": 1])
        let session = try await control.newSession(scope: "openid profile")
        let refreshed = await control.refresh(session.refresh)
        _ = await control.refresh(session.refresh)
        let cookie = HTTPField.Name("Cookie")!
        _ = await control.provider.token(
            "grant_type=authorization_code&code=secret-code&code_verifier=secret-verifier&client_secret=secret-post",
            basic: "app:secret-basic", also: [cookie: "pawl=secret-cookie"])
        _ = await control.provider.token("grant_type=password&username=alice&password=secret-password&client_id=app")
        _ = await control.provider.get(
            "/userinfo?access_token=secret-query",
            [.authorization: "Bearer \(session.access)", cookie: "session=secret-session"])
        _ = await control.provider.token("token=\(session.refresh)&client_id=app", path: "/revoke")
        var secrets = [session.access, session.refresh, try refreshed.text("refresh_token")]
        secrets += [try refreshed.text("access_token"), try refreshed.text("id_token")]
        // The part of a token that nobody else can make.
        secrets += secrets.map { String($0.suffix(20)) }
        secrets += ["secret-", "YXBwOnNlY3JldC1iYXNpYw"]
        let places = try await everything(control)
        #expect(places.contains { $0.path == "/requests" && $0.text.contains("/userinfo") })
        #expect(places.contains { $0.path == "/events" && $0.text.contains("refresh.judged") })
        for (path, text) in places {
            for secret in secrets { #expect(!text.contains(secret), "\(path)") }
        }
    }

    /// Who forgets the scheme sends his secret in its place.
    @Test(arguments: [
        ("secret-bare", "other"), ("secret-a secret-b", "other"), ("Negotiate secret-c", "other"),
        ("bearer secret-d", "Bearer"), ("Basic secret-e", "Basic"), ("DPOP secret-f", "DPoP"),
    ])
    func recordsNameNoSchemeThatIsNone(_ authorization: String, _ shown: String) async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.get("/userinfo", [.authorization: authorization])
        let answer = await control.call("GET", "/requests")
        #expect(answer.json?["requests"]?.array?[0]["authorization"] == .string(shown))
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
    }

    @Test(arguments: ["redirect_uri", "post_logout_redirect_uri"])
    func recordsNameNoQueryOfARedirectURI(_ name: String) async throws {
        let control = try await ControlUnderTest()
        let uri = "http%3A%2F%2F127.0.0.1%2Fcallback"
        _ = await control.provider.get("/authorize?\(name)=\(uri)%3Fkey%3Dsecret&x=1")
        _ = await control.provider.get("/authorize?\(name)=\(uri)%23secret")
        let answer = await control.call("GET", "/requests")
        let records = try #require(answer.json?["requests"]?.array)
        #expect(records.map { $0["parameters"]?[name] } == ["http://127.0.0.1/callback", "http://127.0.0.1/callback"])
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("secret"))
    }

    /// What a record says of the token that was presented.
    @Test func recordsNameFamilyAndNumberOfTheTokenInItsPlace() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = await control.refresh(session.refresh)
        let record = try #require(try await control.json("GET", "/requests")["requests"]?.array?.last)
        let family = try #require(try await control.family()["id"])
        #expect(record["refresh"]?["family"] == family && record["refresh"]?["node"] == 1)
        #expect(record["answered"] == record["time"])
        let name = try #require(family.string)
        #expect(try await control.json("GET", "/requests?family=\(name)")["requests"]?.array?.count == 1)
        let other = "AAAAAAAAAAAAAAAAAAAAAA"
        #expect(try await control.json("GET", "/requests?family=\(other)")["requests"] == [])
        #expect(await control.call("GET", "/requests?family=x").status == 400)
    }

    @Test(arguments: ["", "rt1.AAAA", "no-token"])
    func recordsNameNoFamilyOfATokenThatIsNotOurs(_ token: String) async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.token("grant_type=refresh_token&client_id=app&refresh_token=\(token)")
        let record = try #require(try await control.json("GET", "/requests")["requests"]?.array?.last)
        #expect(record["refresh"] == nil)
    }
}

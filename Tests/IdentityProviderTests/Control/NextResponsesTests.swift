import HTTPMessages
import IdentityProvider
import JOSE
import Primitives
import Testing

/// Answers that are chosen from outside.
@Suite struct NextResponsesTests {
    private let form = "grant_type=client_credentials"

    private func payload(_ token: String) throws -> JSON {
        let bytes = try UnverifiedJWS(compact: token).unverifiedPayload
        return try JSON(parsing: bytes.span)
    }

    @Test func putsClaimsAndMembersOverTheNextTokenResponseAlone() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json(
            "POST", "/next", ["access_token_claims": ["aud": "other", "jti": nil], "members": ["expires_in": 1]])
        let first = await control.provider.token(form, basic: "service:secret")
        let claims = try payload(first.text("access_token"))
        #expect(claims["aud"] == "other")
        #expect(claims["jti"] == nil)
        #expect(first.json?["expires_in"] == 1)
        let second = await control.provider.token(form, basic: "service:secret")
        #expect(try payload(second.text("access_token"))["aud"] == .string(ProviderUnderTest.issuer))
    }

    /// A token of ours needs no escape, and one that is put in its place may.
    @Test func aTokenThatIsPutInThePlaceOfOursComesAsItIs() async throws {
        let control = try await ControlUnderTest()
        let odd = "a \"quoted\" \\ token\n\u{1}"
        _ = try await control.json("POST", "/next", ["members": ["access_token": .string(odd), "token_type": nil]])
        let answer = await control.provider.token(form, basic: "service:secret")
        #expect(answer.json?["access_token"] == .string(odd))
        #expect(answer.json?["token_type"] == nil)
        #expect(answer.json?["expires_in"] != nil)
    }

    @Test func answersWithAnErrorAsOftenAsItWasTold() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = [
            "error": "temporarily_unavailable", "status": 503, "headers": ["Retry-After": "7"], "count": 2,
        ]
        #expect(try await control.json("POST", "/next", body)["remaining"] == 2)
        for _ in 0..<2 {
            let answer = await control.provider.token(form, basic: "service:secret")
            #expect(answer.status == 503)
            #expect(answer.error == "temporarily_unavailable")
            #expect(answer.field("Retry-After") == "7")
        }
        #expect(await control.provider.token(form, basic: "service:secret").status == 200)
        #expect(try await control.json("GET", "/next") == ["next": []])
    }

    @Test func sendsABodyThatIsBroken() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("POST", "/next", ["body": "{\"access_token\":", "status": 200])
        let answer = await control.provider.token(form, basic: "service:secret")
        #expect(answer.body == Array("{\"access_token\":".utf8))
        #expect(answer.json == nil)
    }

    @Test(arguments: [
        "grant_type=client_credentials&client_id=reader&client_secret=secret", "grant_type=client_credentials",
    ])
    func isForTheClientThatWasNamed(_ form: String) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("POST", "/next", ["error": "server_error", "status": 500, "client": "reader"])
        #expect(await control.provider.token(self.form, basic: "service:secret").status == 200)
        let basic = form.contains("client_id") ? nil : "reader:secret"
        #expect(await control.provider.token(form, basic: basic).status == 500)
    }

    @Test func insteadSpendsNothing() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/next", ["error": "server_error", "status": 500])
        let refresh = "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)"
        #expect(await control.provider.token(refresh).status == 500)
        #expect(await control.provider.token(refresh).status == 200)
    }

    /// The answer of a refresh is lost on its way; the client presents what it has, and the session ends.
    @Test func afterSpendsTheRefreshTokenAndLosesTheAnswer() async throws {
        let control = try await ControlUnderTest()
        let session = try await control.newSession()
        _ = try await control.json("POST", "/next", ["error": "server_error", "status": 500, "when": "after"])
        let refresh = "grant_type=refresh_token&client_id=app&refresh_token=\(session.refresh)"
        #expect(await control.provider.token(refresh).status == 500)
        #expect(await control.provider.token(refresh).error == "invalid_grant")
        let families = try await control.json("GET", "/sessions")["families"]?.array
        #expect(families?.first?["ended"]?["reason"] == "refresh_token_reused")
    }

    @Test func changesTheMembersOfOtherEndpoints() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json(
            "POST", "/next",
            ["endpoint": "discovery", "members": ["issuer": "https://other.example", "jwks_uri": nil]])
        let first = await control.provider.get("/.well-known/openid-configuration")
        #expect(first.json?["issuer"] == "https://other.example")
        #expect(first.json?["jwks_uri"] == nil)
        let second = await control.provider.get("/.well-known/openid-configuration")
        #expect(second.json?["issuer"] == .string(ProviderUnderTest.issuer))
    }

    @Test func tellsWhatWaitsAndTakesItBack() async throws {
        let control = try await ControlUnderTest()
        let first = try await control.json("POST", "/next", ["error": "server_error"])
        _ = try await control.json("POST", "/next", ["status": 502, "body": ["a": 1], "endpoint": "/jwks.json"])
        let waiting = try #require(try await control.json("GET", "/next")["next"]?.array)
        #expect(waiting.map { $0["endpoint"] } == ["/token", "/jwks.json"])
        #expect(waiting[1]["body"] == "{\"a\":1}")
        let id = try #require(first["id"]?.int64)
        #expect(await control.call("DELETE", "/next/\(id)").status == 204)
        #expect(await control.call("DELETE", "/next/\(id)").status == 404)
        #expect(await control.provider.token(form, basic: "service:secret").status == 200)
        #expect(await control.call("DELETE", "/next").status == 204)
        #expect(await control.provider.get("/jwks.json").status == 200)
    }

    @Test(
        arguments: [
            ([:], nil), (["endpoint": "nowhere", "error": "x"], "endpoint"), (["count": 0, "error": "x"], "count"),
            (["status": 99], "status"), (["status": 600], "status"), (["error": "x", "body": "y"], "body"),
            (["headers": ["Content-Length": "1"]], "headers[\"Content-Length\"]"),
            (["headers": ["A b": "1"]], "headers[\"A b\"]"), (["headers": ["X-A": "a\r\nX-B: b"]], "headers.X-A"),
            (["headers": ["X-A": 1]], "headers.X-A"), (["when": "never", "error": "x"], "when"),
            (["when": "instead", "headers": ["X-A": "a"]], "when"),
            (["error": "x", "access_token_claims": [:]], "when"),
            (["endpoint": "jwks", "access_token_claims": ["a": 1]], "access_token_claims"),
            (["error_description": "x"], "error_description"), (["delay_ms": 5, "error": "x"], "delay_ms"),
        ] as [(JSON, String?)])
    func refusesWhatMakesNoSense(_ body: JSON, _ member: String?) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("POST", "/next", body)
        #expect(answer.status == 400)
        if let member { #expect(answer.json?["path"]?.string?.hasPrefix(member.prefix { $0 != "[" }) == true) }
        #expect(control.context.overrides.waiting.isEmpty)
    }

    /// Of all who ask at once, so many get the override as were told, and no more.
    @Test func givesEachOverrideAsOftenAsItWasToldUnderConcurrency() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("POST", "/next", ["error": "server_error", "status": 500, "count": 20])
        let refused = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { await control.provider.token(form, basic: "service:secret").status == 500 ? 1 : 0 }
            }
            return await group.reduce(0, +)
        }
        #expect(refused == 20)
    }
}

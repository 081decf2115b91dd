import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// OpenID Connect Core section 3.1.3.7, for a token that came straight from the token endpoint.
@Suite struct IDTokenTests {
    private static let now = LoginFixtures.now.secondsSinceEpoch

    /// What a login says of an answer with this ID token; `NONCE` stands for the nonce that was sent.
    private func judge(
        idToken: (_ nonce: String) -> String, scope: String = "openid", maxAge: Int64? = nil, date: Timestamp? = nil
    ) async throws -> LoginError? {
        var parameters = AuthorizationParameters(scope: try Scope(parsing: scope))
        parameters.maxAge = maxAge.map { MaxAge(seconds: $0) }
        let server = ScriptedServer()
        let login = try CodeLogin.start(
            for: LoginFixtures.tokens(server), returningTo: LoginFixtures.loopback, asking: parameters,
            random: SystemRandom())
        let query = try AuthorizationURL(login.url).query
        let body = #"{"access_token":"a","token_type":"Bearer","id_token":"\#(idToken(query["nonce"] ?? ""))"}"#
        server.enqueue(.json(body, date.map { [.date: $0.httpDate] } ?? [:]))
        do throws(LoginError) {
            _ = try await login.finish(
                callback: "http://127.0.0.1:4711/callback?code=c&state=\(query["state"] ?? "")")
            return nil
        } catch { return error }
    }

    private func judge(
        maxAge: Int64? = nil, date: Timestamp? = nil, _ change: @escaping (inout JSONObject) -> Void = { _ in }
    ) async throws -> LoginError? {
        try await judge(
            idToken: { nonce in
                LoginFixtures.idToken { claims in
                    claims["nonce"] = .string(nonce)
                    change(&claims)
                }
            }, maxAge: maxAge, date: date)
    }

    static let bad: [(String, JSON?, IDTokenError)] = [
        ("iss", "https://id.example/", .otherIssuer), ("iss", "https://ID.example", .otherIssuer),
        ("iss", Optional.none, .missingClaim("iss")), ("iss", ["https://id.example"], .missingClaim("iss")),
        ("aud", "other-app", .otherAudience), ("aud", ["other-app"], .otherAudience), ("aud", [], .otherAudience),
        ("aud", Optional.none, .missingClaim("aud")), ("aud", ["native-app", 7], .missingClaim("aud")),
        ("aud", "native-app ", .otherAudience),
        ("aud", ["native-app", "api"], .otherAuthorizedParty), ("azp", "other-app", .otherAuthorizedParty),
        ("azp", 7, .otherAuthorizedParty),
        ("exp", Optional.none, .missingClaim("exp")), ("exp", "1800000000", .missingClaim("exp")),
        ("exp", .number(JSONNumber(now - 300)), .expired), ("exp", -1, .expired), ("exp", 0, .expired),
        ("iat", Optional.none, .missingClaim("iat")), ("iat", .number(JSONNumber(now + 301)), .issuedInTheFuture),
        ("iat", 1e18, .issuedInTheFuture),
        ("nonce", Optional.none, .otherNonce), ("nonce", "", .otherNonce), ("nonce", "other", .otherNonce),
        ("nonce", 7, .otherNonce),
        ("sub", Optional.none, .missingClaim("sub")), ("sub", "", .missingClaim("sub")),
        ("sub", 7, .missingClaim("sub")),
        ("sub", .string(String(repeating: "a", count: 256)), .missingClaim("sub")),
    ]

    @Test(arguments: bad) func refuses(_ claim: String, _ value: JSON?, _ expected: IDTokenError) async throws {
        #expect(try await judge { $0[claim] = value } == .badIDToken(expected))
    }

    @Test func takesWhatTheStandardAllows() async throws {
        #expect(try await judge() == nil)
        #expect(try await judge { $0["aud"] = ["native-app"] } == nil)
        #expect(
            try await judge {
                $0["aud"] = ["api", "native-app"]
                $0["azp"] = "native-app"
            } == nil)
        #expect(try await judge { $0["exp"] = .number(JSONNumber(Self.now - 299)) } == nil)
        #expect(try await judge { $0["iat"] = .number(JSONNumber(Self.now + 300)) } == nil)
        #expect(try await judge { $0["exp"] = 1_700_000_300.5 } == nil)
    }

    /// A device whose clock is a year behind signs in all the same, and one that is a year ahead takes nothing that is over.
    @Test func goesByTheClockOfTheServer() async throws {
        let later = LoginFixtures.now + .seconds(31_536_000)
        #expect(
            try await judge(date: later) {
                $0["iat"] = .number(JSONNumber(later.secondsSinceEpoch))
                $0["exp"] = .number(JSONNumber(later.secondsSinceEpoch + 300))
            } == nil)
        #expect(try await judge(date: later) == .badIDToken(.expired))
    }

    @Test func holdsTheLoginToItsAge() async throws {
        #expect(try await judge(maxAge: 60) == .badIDToken(.tooOldLogin))
        #expect(
            try await judge(maxAge: 60) { $0["auth_time"] = .number(JSONNumber(Self.now - 361)) }
                == .badIDToken(.tooOldLogin))
        #expect(try await judge(maxAge: 60) { $0["auth_time"] = .number(JSONNumber(Self.now - 60)) } == nil)
    }

    @Test(arguments: [
        "a.b", "a.b.c.d", "e30.e30", "e30.e30=.AAAA", "e30.W10.AAAA", "W10.e30.AAAA", ".e30.AAAA", "e30..AAAA",
        "e30.e30 .AAAA",
        "e30.eyJhIjoxLCJhIjoyfQ.AAAA",
    ])
    func refusesWhatIsNoToken(_ text: String) async throws {
        #expect(try await judge(idToken: { _ in text }) == .badIDToken(.malformed))
    }

    @Test func judgesOneThatNobodyAskedFor() async throws {
        #expect(
            try await judge(
                idToken: { _ in LoginFixtures.idToken { $0["iss"] = "https://evil.example" } }, scope: "read")
                == .badIDToken(.otherIssuer))
        #expect(try await judge(idToken: { _ in LoginFixtures.idToken() }, scope: "read") == nil)
    }
}

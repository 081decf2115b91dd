import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// What a client makes of each answer that a token endpoint, or whatever stands before it, may give.
@Suite struct TokenAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let body: String
        var fields: HTTPFields = [:]
        var testDescription: String { name }

        init(_ name: String, _ status: Int, _ body: String, _ fields: HTTPFields = [:]) {
            (self.name, self.status, self.body, self.fields) = (name, status, body, fields)
        }
    }

    private func answer(_ row: Row, proofs: DPoPProver? = nil, formerType: String? = nil) async -> TokenAnswer {
        let server = ScriptedServer { _ in .text(row.body, status: row.status, row.fields) }
        return await LoginFixtures.tokens(server, proofs: proofs).refresh(
            Secret(utf8: "refresh-1"), formerType: formerType)
    }

    static let good = LoginFixtures.grant

    // Granted

    static let granted: [(Row, Duration?)] = [
        (Row("as RFC 6749 has it", 200, good), .seconds(300)),
        (Row("no lifetime", 200, #"{"access_token":"a","token_type":"Bearer"}"#), nil),
        (Row("type in small letters", 200, #"{"access_token":"a","token_type":"bearer"}"#), nil),
        (Row("type in capitals", 200, #"{"access_token":"a","token_type":"BEARER"}"#), nil),
        (Row("null error", 200, #"{"access_token":"a","token_type":"Bearer","error":null}"#), nil),
        (Row("unknown members", 200, #"{"access_token":"a","token_type":"Bearer","x":{"y":[]}}"#), nil),
        (Row("other media type", 200, good, [.contentType: "text/plain"]), .seconds(300)),
        (Row("fraction", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":59.9}"#), .seconds(59)),
        (
            Row("text with a fraction", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":"59.9"}"#),
            .seconds(59)
        ),
        (
            Row("text of digits", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":"3600"}"#),
            .seconds(3600)
        ),
        (Row("null lifetime", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":null}"#), nil),
        (Row("lifetime that is none", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":"soon"}"#), nil),
        (Row("lifetime of zero", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":0}"#), .zero),
        (Row("lifetime below zero", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":-1e99}"#), .zero),
        (
            Row("absurd lifetime", 200, #"{"access_token":"a","token_type":"Bearer","expires_in":1e300}"#),
            TokenAnswerReader.longestLifetime
        ),
        (
            Row(
                "lifetime that no machine counts", 200,
                #"{"access_token":"a","token_type":"Bearer","expires_in":1e999}"#),
            TokenAnswerReader.longestLifetime
        ),
        (
            Row(
                "lifetime of 20 digits", 200,
                #"{"access_token":"a","token_type":"Bearer","expires_in":99999999999999999999}"#),
            TokenAnswerReader.longestLifetime
        ),
    ]

    @Test(arguments: granted) func takesAGrant(_ row: Row, _ lifetime: Duration?) async throws {
        let grant = try #require(await answer(row).asGrant)
        #expect(grant.expiresIn == lifetime)
        #expect(grant.receivedAt == LoginFixtures.now)
    }

    @Test func readsEveryMember() async throws {
        let row = Row(
            "all", 200,
            #"""
            {"access_token":"access-1","token_type":"Bearer","refresh_token":"refresh-2","scope":"read write",
             "id_token":"a.b.c","expires_in":10}
            """#, [.date: "Tue, 14 Nov 2023 22:13:25 GMT"])
        let grant = try #require(await answer(row).asGrant)
        #expect(LoginFixtures.text(of: grant.accessToken) == "access-1")
        #expect(LoginFixtures.text(of: grant.refreshToken) == "refresh-2")
        #expect(LoginFixtures.text(of: grant.idToken) == "a.b.c")
        #expect(try grant.scope == Scope(parsing: "write read"))
        #expect(grant.serverTime == LoginFixtures.now + .seconds(5))
    }

    /// The server has rotated already: an answer with a flaw in what is only useful is kept (R16).
    @Test(arguments: [
        #""scope":7"#, #""scope":["read"]"#, #""scope":"a  b""#, #""id_token":null"#, #""id_token":{}"#,
        #""expires_in":{}"#,
        #""id_token":"""#,
    ])
    func keepsAGrantWithAFlawInWhatIsOnlyUseful(_ member: String) async throws {
        let body = #"{"access_token":"a","token_type":"Bearer","refresh_token":"refresh-2",\#(member)}"#
        let grant = try #require(await answer(Row(member, 200, body)).asGrant)
        #expect(LoginFixtures.text(of: grant.refreshToken) == "refresh-2")
        #expect(grant.scope == nil && grant.idToken == nil && grant.expiresIn == nil)
    }

    @Test(arguments: [
        "\"refresh_token\":null", "\"refresh_token\":\"\"", "\"refresh_token\":{}", "\"refresh_token\":[\"a\"]",
    ])
    func takesNoRefreshTokenThatIsNone(_ member: String) async throws {
        let body = #"{"access_token":"a","token_type":"Bearer",\#(member)}"#
        #expect(try #require(await answer(Row(member, 200, body)).asGrant).refreshToken == nil)
    }

    /// What a form carries is presented as it came: whoever drops it presents the one before, which is spent.
    @Test(arguments: [(#""a\nb""#, "a\nb"), (#""ü x""#, "ü x"), ("7", "7"), ("1.50", "1.50")])
    func keepsARefreshTokenOfWhateverCharacters(_ json: String, _ token: String) async throws {
        let body = #"{"access_token":"a","token_type":"Bearer","refresh_token":\#(json)}"#
        #expect(LoginFixtures.text(of: await answer(Row(json, 200, body)).asGrant?.refreshToken) == token)
    }

    /// RFC 6749 section 7.1: the access token is not used. The refresh token is, for the one before it may be spent (R16).
    @Test(arguments: [
        #""token_type":"Bearer""#, #""access_token":"","token_type":"Bearer""#,
        #""access_token":"ä","token_type":"Bearer""#,
        #""access_token":"a""#, #""access_token":"a","token_type":null"#, #""access_token":"a","token_type":"mac""#,
        #""access_token":"a","token_type":["Bearer"]"#, #""access_token":"a","token_type":"DPoP""#,
        #""access_token":"a","token_type":"Bearer","error":"over_quota""#,
    ])
    func keepsTheSuccessorOfWhatItCannotUse(_ members: String) async throws {
        let body = "{\(members),\"refresh_token\":\"refresh-2\"}"
        let successor = try #require(await answer(Row(members, 200, body)).asSuccessor)
        #expect(LoginFixtures.text(of: successor.refreshToken) == "refresh-2")
    }

    /// RFC 6749 section 6: a refresh replaces a token whose type is known.
    @Test(arguments: [#""scope":"read""#, #""token_type":null"#])
    func takesAnAnswerWithoutATypeForOneOfTheTypeBefore(_ member: String) async throws {
        let row = Row(member, 200, #"{"access_token":"a","refresh_token":"b",\#(member)}"#)
        #expect(try #require(await answer(row, formerType: "Bearer").asGrant).tokenType == "Bearer")
        #expect(await answer(row, formerType: "DPoP").asSuccessor != nil)
        let bound = try await answer(row, proofs: LoginFixtures.prover(), formerType: "DPoP")
        #expect(bound.asGrant?.tokenType == "DPoP")
    }

    @Test func takesNoOtherTypeForTheOneBefore() async throws {
        for type in [#""mac""#, "[]", "7", #""""#] {
            let row = Row(type, 200, #"{"access_token":"a","token_type":\#(type)}"#)
            #expect(await answer(row, formerType: "Bearer").asUnavailability?.cause == .unreadable)
        }
    }

    // Refused

    static let refused: [(Row, String)] = [
        (Row("invalid_grant", 400, #"{"error":"invalid_grant"}"#), "invalid_grant"),
        (Row("invalid_grant with 401", 401, #"{"error":"invalid_grant"}"#), "invalid_grant"),
        (Row("invalid_grant with 403", 403, #"{"error":"invalid_grant","error_description":"x"}"#), "invalid_grant"),
        (Row("invalid_client", 401, #"{"error":"invalid_client"}"#), "invalid_client"),
        (Row("invalid_request", 400, #"{"error":"invalid_request","access_token":null}"#), "invalid_request"),
        (Row("unknown code", 400, #"{"error":"over_quota"}"#), "over_quota"),
    ]

    @Test(arguments: refused) func takesARefusal(_ row: Row, _ code: String) async throws {
        let refusal = try #require(await answer(row).asRefusal)
        #expect(refusal.code == code)
        #expect(refusal.endsSession == (code == "invalid_grant"))
    }

    // Anything else: the session stays (R9).

    static let unavailable: [(Row, Unavailability.Cause)] = [
        (Row("invalid_grant with 200", 200, #"{"error":"invalid_grant"}"#), .unreadable),
        (
            Row("grant and error at once", 200, #"{"access_token":"a","token_type":"Bearer","error":"invalid_grant"}"#),
            .unreadable
        ),
        (Row("error and grant at once", 400, #"{"access_token":"a","error":"invalid_grant"}"#), .unreadable),
        (Row("invalid_grant with 500", 500, #"{"error":"invalid_grant"}"#), .server(status: 500)),
        (Row("invalid_grant with 502", 502, #"{"error":"invalid_grant"}"#), .server(status: 502)),
        (Row("invalid_grant with 503", 503, #"{"error":"invalid_grant"}"#), .server(status: 503)),
        (Row("invalid_grant with 429", 429, #"{"error":"invalid_grant"}"#), .server(status: 429)),
        (Row("grant with 500", 500, good), .server(status: 500)),
        (Row("invalid_grant with 404", 404, #"{"error":"invalid_grant"}"#), .unreadable),
        (Row("invalid_grant with 407", 407, #"{"error":"invalid_grant"}"#), .unreadable),
        (Row("invalid_grant with 302", 302, #"{"error":"invalid_grant"}"#), .unreadable),
        (Row("grant with 201", 201, good), .unreadable),
        (Row("redirect to a portal", 302, "", [.location: "https://portal.example/"]), .unreadable),
        (Row("portal", 200, "<!doctype html><title>Welcome</title>"), .unreadable),
        (Row("page of a proxy", 400, "<html>Bad Request</html>"), .unreadable),
        (Row("page of a firewall", 403, "<html>Forbidden</html>"), .unreadable),
        (Row("nothing", 200, ""), .unreadable),
        (Row("nothing with 400", 400, ""), .unreadable),
        (Row("nothing with 401", 401, ""), .unreadable),
        (Row("cut off", 200, String(good.dropLast(1))), .unreadable),
        (Row("refusal cut off", 400, #"{"error":"invalid_grant"#), .unreadable),
        (Row("something behind it", 400, #"{"error":"invalid_grant"}x"#), .unreadable),
        (Row("two errors", 400, #"{"error":"invalid_grant","error":"invalid_grant"}"#), .unreadable),
        (Row("array", 400, #"["invalid_grant"]"#), .unreadable),
        (Row("text", 400, #""invalid_grant""#), .unreadable),
        (Row("error that is an object", 400, #"{"error":{"code":"invalid_grant"}}"#), .unreadable),
        (Row("error that is a number", 400, #"{"error":400}"#), .unreadable),
        (Row("empty error", 400, #"{"error":""}"#), .unreadable),
        (Row("error with a control character", 400, #"{"error":"invalid_grant\n"}"#), .unreadable),
        (Row("error that is a story", 400, #"{"error":"\#(String(repeating: "x", count: 200))"}"#), .unreadable),
        (Row("no access token", 200, #"{"token_type":"Bearer"}"#), .unreadable),
        (Row("empty access token", 200, #"{"access_token":"","token_type":"Bearer"}"#), .unreadable),
        (Row("access token that is a number", 200, #"{"access_token":1,"token_type":"Bearer"}"#), .unreadable),
        (
            Row("access token that would end a header", 200, #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#),
            .unreadable
        ),
        (Row("access token beyond ASCII", 200, #"{"access_token":"ä","token_type":"Bearer"}"#), .unreadable),
        (Row("no type", 200, #"{"access_token":"a"}"#), .unreadable),
        (Row("type that nobody knows", 200, #"{"access_token":"a","token_type":"mac"}"#), .unreadable),
        (Row("type that is no text", 200, #"{"access_token":"a","token_type":["Bearer"]}"#), .unreadable),
        (Row("bound to a key that is not there", 200, #"{"access_token":"a","token_type":"DPoP"}"#), .unreadable),
        (Row("bytes that are no UTF-8", 200, "{\"access_token\":\"a\u{FFFE}"), .unreadable),
        (Row("too deep", 200, String(repeating: "[", count: 100)), .unreadable),
        (Row("too long", 200, good + String(repeating: " ", count: 300 << 10)), .unreadable),
    ]

    @Test(arguments: unavailable) func endsNoSession(_ row: Row, _ cause: Unavailability.Cause) async throws {
        #expect(await answer(row).asUnavailability == Unavailability(cause))
    }

    @Test(arguments: OutboundFailure.allCases) func tellsGivenUpFromOffline(_ failure: OutboundFailure) async throws {
        let server = ScriptedServer { _ in .failure(failure) }
        let answer = await LoginFixtures.tokens(server).refresh(Secret(utf8: "refresh-1"))
        #expect(answer.asUnavailability == Unavailability(failure == .cancelled ? .cancelled : .offline))
    }

    @Test func takesATokenThatIsBoundToItsKey() async throws {
        let row = Row("bound", 200, #"{"access_token":"a","token_type":"dpop"}"#)
        #expect(try #require(await answer(row, proofs: LoginFixtures.prover()).asGrant).tokenType == "dpop")
    }

    // Retry-After

    @Test(
        arguments: [
            ("0", Duration.zero), ("120", .seconds(120)), ("999999", Unavailability.longestRetryAfter),
            ("99999999999999999999999", Unavailability.longestRetryAfter),
            ("Tue, 14 Nov 2023 22:13:50 GMT", .seconds(30)), ("Tuesday, 14-Nov-23 22:13:50 GMT", .seconds(30)),
            ("Tue Nov 14 22:13:50 2023", .seconds(30)), ("Tue, 14 Nov 2023 22:00:00 GMT", .zero),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Unavailability.longestRetryAfter),
            ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil), ("1, 2", nil), ("Tue, 14 Nov 2023 22:13:50 PST", nil),
        ] as [(String, Duration?)])
    func waitsAsLongAsTheServerWants(_ text: String, _ expected: Duration?) async throws {
        let row = Row(text, 503, "", [.retryAfter: text])
        #expect(await answer(row).asUnavailability == Unavailability(.server(status: 503), retryAfter: expected))
    }

    /// The device is five minutes behind; the server wants ten seconds.
    @Test func measuresAMomentByTheClockOfTheServer() async throws {
        let fields: HTTPFields = [
            .date: "Tue, 14 Nov 2023 22:18:20 GMT", .retryAfter: "Tue, 14 Nov 2023 22:18:30 GMT",
        ]
        #expect(await answer(Row("date", 429, "", fields)).asUnavailability?.retryAfter == .seconds(10))
    }

    // Descriptions

    @Test func showsADescriptionThatIsSafeToShow() async throws {
        let row = Row("description", 400, #"{"error":"invalid_grant","error_description":"it\n\"is\" über"}"#)
        #expect(await answer(row).asRefusal?.description == "it''is' ''ber")
        let long = Row("long", 400, #"{"error":"a","error_description":"\#(String(repeating: "x", count: 5000))"}"#)
        #expect(await answer(long).asRefusal?.description?.utf8.count == 1024)
    }

    @Test func showsNoDescriptionThatQuotesTheToken() async throws {
        let row = Row("quote", 400, #"{"error":"invalid_grant","error_description":"refresh-1 is over"}"#)
        let refusal = try #require(await answer(row).asRefusal)
        #expect(refusal.endsSession && refusal.description == nil)
    }
}

import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct LegacyPasswordLoginTests {
    private let server = ScriptedServer()

    private func run() async throws -> CompletedLogin {
        try await LegacyPasswordLogin(LoginFixtures.tokens(server)).run(
            userName: "alice", password: Secret(utf8: "wonderland"), scope: Scope(parsing: "openid read"))
    }

    @Test func signsIn() async throws {
        server.enqueue(.json(LoginFixtures.grant))
        #expect(try await LoginFixtures.text(of: run().grant.refreshToken) == "refresh-2")
        #expect(server.requests[0].form["username"] == "alice" && server.requests[0].form["scope"] == "openid read")
    }

    @Test(arguments: [
        (
            ScriptedReply.json(#"{"error":"invalid_grant"}"#, status: 400),
            LoginError.refused(TokenRefusal(code: "invalid_grant"))
        ),
        (
            .json(#"{"error":"unsupported_grant_type"}"#, status: 400),
            .refused(TokenRefusal(code: "unsupported_grant_type"))
        ),
        (.status(500), .unavailable(Unavailability(.server(status: 500)))),
        (.json(#"{"access_token":"a","token_type":"Bearer","id_token":"a.b.c"}"#), .badIDToken(.malformed)),
    ])
    func saysWhyNot(_ reply: ScriptedReply, _ expected: LoginError) async throws {
        server.enqueue(reply)
        await #expect(throws: expected) { _ = try await run() }
    }

    @Test func quotesNoPassword() async throws {
        server.enqueue(.json(#"{"error":"invalid_grant","error_description":"wonderland is wrong"}"#, status: 400))
        await #expect(throws: LoginError.refused(TokenRefusal(code: "invalid_grant"))) { _ = try await run() }
    }
}

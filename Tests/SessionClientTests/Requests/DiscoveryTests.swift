import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct DiscoveryTests {
    private static let document = #"""
        {"issuer":"https://id.example/tenant","token_endpoint":"https://id.example/tenant/token",
         "authorization_endpoint":"https://login.example/authorize?tenant=1",
         "device_authorization_endpoint":"https://id.example/device","revocation_endpoint":"https://id.example/revoke",
         "end_session_endpoint":"https://id.example/logout","userinfo_endpoint":"https://id.example/me",
         "dpop_signing_alg_values_supported":["ES256","PS256"],"code_challenge_methods_supported":["plain","S256"],
         "authorization_response_iss_parameter_supported":true,"jwks_uri":null,"check_session_iframe":7,"something_new":{"a":[1]}}
        """#

    private func describe(
        _ server: ScriptedServer, _ issuer: String = "https://id.example/tenant"
    ) async throws -> ServerDescription {
        let discovery = Discovery(outbound: server, clock: ManualClock(startingAt: LoginFixtures.now))
        return try await discovery.describe(Issuer(issuer))
    }

    private func error(_ replies: [ScriptedReply]) async -> DiscoveryError? {
        let server = ScriptedServer()
        for reply in replies { server.enqueue(reply) }
        do {
            _ = try await describe(server)
            return nil
        } catch { return error as? DiscoveryError }
    }

    @Test func readsWhatAClientNeeds() async throws {
        let server = ScriptedServer { _ in .json(Self.document) }
        let found = try await describe(server)
        #expect(server.requests.map(\.url) == ["https://id.example/tenant/.well-known/openid-configuration"])
        #expect(server.requests[0].head.method == .get)
        #expect(found.tokenEndpoint.url == "https://id.example/tenant/token")
        #expect(found.authorizationEndpoint?.url == "https://login.example/authorize?tenant=1")
        #expect(found.deviceAuthorizationEndpoint?.url == "https://id.example/device")
        #expect(found.revocationEndpoint?.url == "https://id.example/revoke")
        #expect(found.endSessionEndpoint?.url == "https://id.example/logout")
        #expect(found.userinfoEndpoint?.url == "https://id.example/me")
        #expect(found.takesProofs)
        #expect(found.codeChallengeMethods == ["plain", "S256"])
        #expect(found.namesIssuerInResponses)
    }

    @Test(arguments: [
        ScriptedReply.status(404), .status(301), .text("<!doctype html>"), .text("[]"), .text(#"{"issuer":"#),
        .status(204),
    ])
    func looksInTheOtherPlaceWhereThereIsNoDocument(_ first: ScriptedReply) async throws {
        let server = ScriptedServer()
        server.enqueue(first, .json(Self.document))
        _ = try await describe(server)
        #expect(
            server.requests.map(\.url) == [
                "https://id.example/tenant/.well-known/openid-configuration",
                "https://id.example/.well-known/oauth-authorization-server/tenant",
            ])
    }

    /// django-oauth-toolkit names its revocation endpoint in the other document alone: without it a sign-out would end nothing.
    @Test func takesFromTheOtherDocumentWhatIsMissingInTheFirst() async throws {
        let server = ScriptedServer()
        server.enqueue(
            .json(Self.document(without: "revocation_endpoint", "device_authorization_endpoint")),
            .json(Self.document.replacing("https://id.example/tenant/token", with: "https://id.example/other")))
        let found = try await describe(server)
        #expect(found.revocationEndpoint?.url == "https://id.example/revoke")
        #expect(found.deviceAuthorizationEndpoint?.url == "https://id.example/device")
        // What the first one says stands.
        #expect(found.tokenEndpoint.url == "https://id.example/tenant/token")
        #expect(server.requests.count == 2)
    }

    /// RFC 8414 section 3.3: of the document of another server nothing is used.
    @Test(arguments: [
        ScriptedReply.status(404), .status(503), .text("<!doctype html>"),
        .json(document.replacing("\"https://id.example/tenant\"", with: "\"https://evil.example\"")),
        .json(document.replacing("https://id.example/revoke", with: "http://id.example/revoke")),
    ])
    func doesWithoutTheOtherDocument(_ second: ScriptedReply) async throws {
        let server = ScriptedServer()
        server.enqueue(.json(Self.document(without: "revocation_endpoint")), second)
        let found = try await describe(server)
        #expect(found.revocationEndpoint == nil)
        #expect(found.tokenEndpoint.url == "https://id.example/tenant/token")
    }

    private static func document(without members: String...) -> String {
        members.reduce(document) { $0.replacing("\"\($1)\":", with: "\"no_\($1)\":") }
    }

    @Test func asksAnIssuerWithoutAPathAtItsRoot() async throws {
        let server = ScriptedServer()
        server.enqueue(.status(404), .status(404))
        await #expect(throws: DiscoveryError.self) { _ = try await describe(server, "https://id.example/") }
        #expect(
            server.requests.map(\.url) == [
                "https://id.example/.well-known/openid-configuration",
                "https://id.example/.well-known/oauth-authorization-server",
            ])
    }

    @Test(arguments: [
        "https://id.example/tenant/", "https://id.example", "https://ID.example/tenant", "https://evil.example",
    ])
    func refusesTheDocumentOfAnotherIssuer(_ other: String) async throws {
        let document = Self.document.replacing("https://id.example/tenant\"", with: other + "\"")
        // A good document in the other place does not help.
        #expect(
            await error([.json(document), .json(Self.document)])
                == .otherIssuer(asked: "https://id.example/tenant"))
    }

    @Test(arguments: ["http://id.example/token", "http://127.0.0.1.evil.example/", "http://10.0.0.1/token"])
    func refusesAnEndpointInTheClear(_ url: String) async throws {
        let document = Self.document.replacing("https://id.example/tenant/token", with: url)
        #expect(await error([.json(document)]) == .malformed(member: "token_endpoint", .badURL(.notEncrypted)))
    }

    @Test(arguments: ["http://127.0.0.1:8080/token", "http://[::1]:8080/token", "http://localhost:8080/token"])
    func takesAnEndpointOfThisMachineInTheClear(_ url: String) async throws {
        let document = Self.document.replacing("https://id.example/tenant/token", with: url)
        let server = ScriptedServer { _ in .json(document) }
        #expect(try await describe(server).tokenEndpoint.url == url)
    }

    @Test func doesNotAskAnIssuerInTheClear() async throws {
        let server = ScriptedServer { _ in .json(Self.document) }
        await #expect(throws: DiscoveryError.unusableIssuer(.notEncrypted)) {
            _ = try await describe(server, "http://id.example/tenant")
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (#""issuer":"https://id.example/tenant""#, #""issuer":7"#, "issuer"),
        (#""token_endpoint":"https://id.example/tenant/token""#, #""x":1"#, "token_endpoint"),
        (#""https://id.example/tenant/token""#, "null", "token_endpoint"),
        (#""https://id.example/tenant/token""#, #""/token""#, "token_endpoint"),
        (#""https://id.example/tenant/token""#, #""https://id.example/token#x""#, "token_endpoint"),
        (#""https://id.example/tenant/token""#, #""ftp://id.example/token""#, "token_endpoint"),
        (#""https://id.example/revoke""#, "[]", "revocation_endpoint"),
        (#""https://id.example/logout""#, #""javascript:alert(1)""#, "end_session_endpoint"),
        (#"["ES256","PS256"]"#, #""ES256""#, "dpop_signing_alg_values_supported"),
        (#"["plain","S256"]"#, "[1]", "code_challenge_methods_supported"),
        ("true", #""true""#, "authorization_response_iss_parameter_supported"),
    ])
    func namesTheMemberThatIsWrong(_ good: String, _ bad: String, _ member: String) async throws {
        let found = await error([.json(Self.document.replacing(good, with: bad))])
        guard case .malformed(let name, _)? = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(name == member)
        #expect("\(found!)".contains(member))
    }

    @Test func takesNullForWhatTheServerHasNot() async throws {
        let document = Self.document.replacing(#""https://id.example/revoke""#, with: "null").replacing(
            "true", with: "null")
        let server = ScriptedServer { _ in .json(document) }
        let found = try await describe(server)
        #expect(found.revocationEndpoint == nil && !found.namesIssuerInResponses)
    }

    @Test func refusesAMemberSaidTwice() async throws {
        let document = #"{"issuer":"https://id.example/tenant",\#(Self.document.dropFirst())"#
        guard case .noDocument(.notJSON(let fault))? = await error([.json(document), .status(404)]) else {
            Issue.record("taken")
            return
        }
        #expect(fault.kind == .duplicateName)
    }

    @Test func readsNoMoreThanThereIsToSay() async throws {
        let long = Self.document + String(repeating: " ", count: ServerDescription.maximumByteCount)
        #expect(
            await error([.json(long), .status(404)])
                == .noDocument(.tooLong(byteCount: ServerDescription.maximumByteCount)))
    }

    @Test func tellsAServerThatCannotFromOneThatHasNothing() async throws {
        #expect(
            await error([.status(503, [.retryAfter: "7"])])
                == .unavailable(Unavailability(.server(status: 503), retryAfter: .seconds(7))))
        #expect(await error([.failure(.unreachable)]) == .unreachable(.unreachable))
        #expect(await error([.failure(.cancelled)]) == .unreachable(.cancelled))
        let nothing = await error([.status(404), .status(404)])
        guard case .notFound(let urls, 404)? = nothing else {
            Issue.record("\(String(describing: nothing))")
            return
        }
        #expect(urls.count == 2)
    }
}

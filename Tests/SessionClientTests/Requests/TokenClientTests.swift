import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct TokenClientTests {
    private let server = ScriptedServer { _ in .json(LoginFixtures.grant) }

    @Test func saysWhoItIsWhereItHasNoSecret() async throws {
        let tokens = LoginFixtures.tokens(server, client: ClientIdentity("native app"))
        _ = await tokens.refresh(Secret(utf8: "refresh+1/="), scope: try Scope(parsing: "read write"))
        let request = server.requests[0]
        #expect(request.head.method == .post)
        #expect(request.url == "https://id.example/token")
        #expect(request[.contentType] == "application/x-www-form-urlencoded")
        #expect(request[.authorization] == nil && request[.dpop] == nil)
        #expect(
            request.bodyText
                == "grant_type=refresh_token&refresh_token=refresh%2B1%2F%3D&scope=read+write&client_id=native+app")
    }

    @Test func encodesIdentifierAndSecretBeforeBase64() async throws {
        let client = ClientIdentity("my:app", authentication: .basic(Secret(utf8: "p+ä %")))
        _ = await LoginFixtures.tokens(server, client: client).refresh(Secret(utf8: "r"))
        let request = server.requests[0]
        #expect(request[.authorization] == "Basic " + Base64.encode(Array("my%3Aapp:p%2B%C3%A4+%25".utf8)))
        // RFC 6749 section 2.3: one way of authentication, not two.
        #expect(request.form["client_id"] == nil && request.form["client_secret"] == nil)
    }

    @Test func readsAsAServerReadsIt() async throws {
        let client = ClientIdentity("my:app", authentication: .basic(Secret(utf8: "p+w %&=~")))
        _ = await LoginFixtures.tokens(server, client: client).refresh(Secret(utf8: "r"))
        let read = try BasicCredentials(authorization: try #require(server.requests[0][.authorization]))
        #expect(read.clientID == "my:app" && LoginFixtures.text(of: read.secret) == "p+w %&=~")
    }

    @Test func putsTheSecretIntoTheBodyWhereThatIsAgreed() async throws {
        let client = ClientIdentity("app", authentication: .post(Secret(utf8: "s&cret")))
        _ = await LoginFixtures.tokens(server, client: client).refresh(Secret(utf8: "r"))
        let request = server.requests[0]
        #expect(request[.authorization] == nil)
        #expect(request.form["client_id"] == "app" && request.form["client_secret"] == "s&cret")
    }

    @Test func asksForEachGrantInItsWords() async throws {
        let tokens = LoginFixtures.tokens(server)
        let verifier = try #require(CodeVerifier(String(repeating: "v", count: 43)))
        _ = await tokens.redeem(
            code: Secret(utf8: "code-1"), verifier: verifier, redirectURI: LoginFixtures.loopback,
            resources: ["https://a.example", "https://b.example"])
        _ = await tokens.device(code: Secret(utf8: "device-1"))
        _ = await tokens.password(userName: "alice", password: Secret(utf8: "wonder land"))
        let forms = server.requests.map(\.form)
        #expect(forms[0]["grant_type"] == "authorization_code" && forms[0]["code"] == "code-1")
        #expect(forms[0]["redirect_uri"] == "http://127.0.0.1:4711/callback")
        #expect(forms[0]["code_verifier"] == String(repeating: "v", count: 43))
        #expect(forms[0][values: "resource"] == ["https://a.example", "https://b.example"])
        #expect(forms[1]["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code")
        #expect(forms[1]["device_code"] == "device-1")
        #expect(forms[2]["grant_type"] == "password" && forms[2]["password"] == "wonder land")
        #expect(
            forms.allSatisfy { $0.firstRepeatedName(except: ["resource"]) == nil && $0["client_id"] == "native-app" })
    }

    @Test func asksOnceWhateverTheAnswer() async throws {
        for reply in [ScriptedReply.status(500), .status(429), .failure(.unreachable), .text("x"), .status(302)] {
            let server = ScriptedServer { _ in reply }
            _ = await LoginFixtures.tokens(server).refresh(Secret(utf8: "r"))
            #expect(server.requests.count == 1)
        }
    }

    // RFC 9449 section 8: nonces of the server.

    private static let wantsNonce = ScriptedReply.json(
        #"{"error":"use_dpop_nonce"}"#, status: 400, [.dpopNonce: "nonce-1"])

    private func nonce(of request: ScriptedRequest) throws -> String? {
        try ProofText(try #require(request[.dpop])).claims["nonce"]?.string
    }

    @Test func asksOnceMoreWithTheNonceThatIsWanted() async throws {
        server.enqueue(Self.wantsNonce)
        let tokens = LoginFixtures.tokens(server, proofs: try LoginFixtures.prover())
        #expect(await tokens.refresh(Secret(utf8: "r")).asGrant != nil)
        #expect(server.requests.count == 2)
        #expect(try nonce(of: server.requests[0]) == nil)
        #expect(try nonce(of: server.requests[1]) == "nonce-1")
        #expect(server.requests[0].bodyText == server.requests[1].bodyText)
        // A proof is good once.
        let identifiers = try server.requests.map { try ProofText(try #require($0[.dpop])).claims["jti"]?.string }
        #expect(identifiers[0] != identifiers[1])
    }

    @Test func asksNoThirdTime() async throws {
        server.enqueue(Self.wantsNonce, Self.wantsNonce, Self.wantsNonce)
        let tokens = LoginFixtures.tokens(server, proofs: try LoginFixtures.prover())
        let refusal = try #require(await tokens.refresh(Secret(utf8: "r")).asRefusal)
        #expect(refusal.code == "use_dpop_nonce" && !refusal.endsSession)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        ScriptedReply.json(#"{"error":"use_dpop_nonce"}"#, status: 400),
        .json(#"{"error":"use_dpop_nonce"}"#, status: 400, [.dpopNonce: "no space"]),
        .json(#"{"error":"invalid_grant"}"#, status: 400, [.dpopNonce: "nonce-1"]),
        .json(#"{"error":"use_dpop_nonce"}"#, status: 500, [.dpopNonce: "nonce-1"]),
    ])
    func doesNotAskAgainWithoutNeedAndNonce(_ reply: ScriptedReply) async throws {
        server.enqueue(reply)
        let tokens = LoginFixtures.tokens(server, proofs: try LoginFixtures.prover())
        #expect(await tokens.refresh(Secret(utf8: "r")).asGrant == nil)
        #expect(server.requests.count == 1)
    }

    @Test func doesNotAskAgainWhereItMakesNoProofs() async throws {
        server.enqueue(Self.wantsNonce)
        #expect(await LoginFixtures.tokens(server).refresh(Secret(utf8: "r")).asRefusal?.code == "use_dpop_nonce")
        #expect(server.requests.count == 1)
    }

    @Test func remembersTheNonceOfAnyAnswer() async throws {
        server.enqueue(.json(LoginFixtures.grant, [.dpopNonce: "nonce-2"]), .status(503, [.dpopNonce: "nonce-3"]))
        let tokens = LoginFixtures.tokens(server, proofs: try LoginFixtures.prover())
        for _ in 0..<3 { _ = await tokens.refresh(Secret(utf8: "r")) }
        #expect(try server.requests.map { try nonce(of: $0) } == [nil, "nonce-2", "nonce-3"])
    }

    // RFC 7009

    @Test func givesATokenBack() async throws {
        server.enqueue(.status(200))
        #expect(await LoginFixtures.tokens(server).revoke(Secret(utf8: "refresh-1")) == .revoked)
        let request = server.requests[0]
        #expect(request.url == "https://id.example/revoke")
        #expect(request.bodyText == "token=refresh-1&token_type_hint=refresh_token&client_id=native-app")
    }

    @Test(arguments: [
        (
            ScriptedReply.status(503, [.retryAfter: "3"]),
            RevocationAnswer.unavailable(Unavailability(.server(status: 503), retryAfter: .seconds(3)))
        ),
        (.failure(.unreachable), .unavailable(Unavailability(.offline))),
        (.failure(.cancelled), .unavailable(Unavailability(.cancelled))),
        (.text("<html>", status: 400), .unavailable(Unavailability(.unreadable))),
        (.status(302), .unavailable(Unavailability(.unreadable))),
        (.status(204), .unavailable(Unavailability(.unreadable))),
        (
            .json(#"{"error":"unsupported_token_type"}"#, status: 400),
            .refused(TokenRefusal(code: "unsupported_token_type"))
        ),
        (.json(#"{"error":"invalid_client"}"#, status: 401), .refused(TokenRefusal(code: "invalid_client"))),
    ])
    func doesNotTakeATokenForRevokedThatMayNotBe(_ reply: ScriptedReply, _ expected: RevocationAnswer) async throws {
        server.enqueue(reply)
        #expect(await LoginFixtures.tokens(server).revoke(Secret(utf8: "refresh-1")) == expected)
    }

    @Test func saysThatThereIsNowhereToGiveItBack() async throws {
        let tokens = LoginFixtures.tokens(server, server: LoginFixtures.server { $0.revocationEndpoint = nil })
        #expect(await tokens.revoke(Secret(utf8: "refresh-1")) == .unsupported)
        #expect(server.requests.isEmpty)
    }
}

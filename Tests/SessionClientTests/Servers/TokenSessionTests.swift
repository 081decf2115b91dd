import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// A session whose tokens the app has in its hands: what goes to the server, and with which proof.
@Suite struct TokenSessionTests {
    private let server = ScriptedServer()
    private let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/things")

    private var tokens: TokenSessionServer { TokenSessionServer(LoginFixtures.tokens(server)) }

    private func credential(_ key: DPoPKey? = nil, type: String = "Bearer") throws -> Credential {
        Credential(
            generation: 1, accessToken: Secret(utf8: "a1"), tokenType: type, refreshToken: Secret(utf8: "r1"),
            dpopKey: try key?.pem())
    }

    @Test func aRefreshPresentsTheRefreshToken() async throws {
        server.enqueue(.json(#"{"access_token":"a2","refresh_token":"r2"}"#))
        // RFC 6749 section 6: of the type that the token before had.
        #expect(await tokens.refresh(try credential()).asGrant?.tokenType == "Bearer")
        #expect(server.requests[0].form["refresh_token"] == "r1" && server.requests[0][.dpop] == nil)
    }

    /// RFC 7009 section 2.1.
    @Test func aRevocationPresentsItToo() async throws {
        await tokens.revoke(try credential())
        #expect(server.requests.map(\.url) == ["https://id.example/revoke"])
        #expect(server.requests[0].form["token"] == "r1")
        #expect(server.requests[0].form["token_type_hint"] == "refresh_token")
    }

    @Test func withoutARefreshTokenNobodyIsAskedForANewOne() async throws {
        var credential = try credential()
        credential.refreshToken = nil
        #expect(await tokens.refresh(credential).asRefusal?.endsSession == false)
        #expect(server.requests.isEmpty)
    }

    /// A sign-out leaves nothing good, of a session without a refresh token either.
    @Test func withoutARefreshTokenTheAccessTokenIsGivenBack() async throws {
        var credential = try credential()
        credential.refreshToken = nil
        await tokens.revoke(credential)
        #expect(server.requests.map(\.url) == ["https://id.example/revoke"])
        #expect(server.requests[0].form["token"] == "a1")
        #expect(server.requests[0].form["token_type_hint"] == "access_token")
    }

    /// RFC 9449 section 5: a refresh of a public client is bound to the key of its tokens.
    @Test func aRefreshIsProvenWithTheKeyOfTheSession() async throws {
        let (first, second) = (try DPoPKey.generate(), try DPoPKey.generate())
        let tokens = tokens
        for key in [first, second, first] {
            server.enqueue(.json(#"{"access_token":"a2","token_type":"DPoP","refresh_token":"r2"}"#))
            #expect(await tokens.refresh(try credential(key, type: "DPoP")).asGrant != nil)
        }
        let proofs = try server.requests.map { try ProofText(try #require($0[.dpop])) }
        #expect(proofs.map(\.thumbprint) == [first.thumbprint, second.thumbprint, first.thumbprint])
    }

    @Test func aKeyThatCannotBeReadEndsNoSession() async throws {
        var credential = try credential()
        credential.dpopKey = Secret(utf8: "no key")
        #expect(await tokens.refresh(credential).asRefusal?.endsSession == false)
        var request = request
        #expect(throws: SessionError.self) { try tokens.authorise(&request, with: credential, at: LoginFixtures.now) }
        #expect(server.requests.isEmpty && request.headerFields[.authorization] == nil)
    }

    /// RFC 9449 section 9: once more with the nonce, with the same token.
    @Test func aResourceThatWantsANonceGetsIt() async throws {
        let (tokens, key) = (tokens, try DPoPKey.generate())
        let credential = try credential(key, type: "DPoP")
        let wants = HTTPResponse(
            status: .unauthorized,
            headerFields: [.wwwAuthenticate: #"DPoP error="use_dpop_nonce""#, .dpopNonce: "n-1"])
        var request = request
        try tokens.authorise(&request, with: credential, at: LoginFixtures.now)
        #expect(tokens.hears(wants, to: request, with: credential))
        try tokens.authorise(&request, with: credential, at: LoginFixtures.now)
        let proof = try ProofText(try #require(request.headerFields[.dpop]))
        #expect(proof.claims["nonce"] == "n-1" && request.headerFields[.authorization] == "DPoP a1")
        // What has no key hears nothing.
        #expect(!tokens.hears(wants, to: request, with: try self.credential()))
    }
}

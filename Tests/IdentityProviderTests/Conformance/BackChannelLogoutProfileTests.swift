import HTTPMessages
import JOSE
import OAuth
import Primitives
import Testing

/// The modules of the foundation's back-channel logout profile.
@Suite struct BackChannelLogoutProfileTests {
    static let uri = "https://client.example/backchannel_logout"
    static let event = "http://schemas.openid.net/event/backchannel-logout"
    static let metadata: JSONObject = [
        "backchannel_logout_uri": .string(uri), "backchannel_logout_session_required": true,
    ]

    @Test func discoveryEndpointVerification() async throws {
        let document = try await RelyingParty.start().idp.discovered()
        #expect(document["end_session_endpoint"]?.string != nil)
        #expect(document["backchannel_logout_supported"] == true)
        #expect(document["backchannel_logout_session_supported"] == true)
    }

    @Test(arguments: [ConformanceProfile.basic, .dynamic])
    func rpInitiated(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile, metadata: Self.metadata)
        let tokens = try await rp.signIn()
        let page = try await rp.requestLogout(tokens)
        try await check(rp.server.requests, tokens, rp)
        try await rp.expectReturn(page)
    }

    /// OpenID Connect Back-Channel Logout sections 2.4 and 2.5.
    private func check(
        _ requests: [RelyingPartyServer.Request], _ tokens: RelyingPartyTokens, _ rp: RelyingParty
    ) async throws {
        #expect(requests.count == 1)
        let request = try #require(requests.first)
        #expect(request.method == .post && request.url == Self.uri)
        #expect(request.fields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.form.map(\.name) == ["logout_token"])
        let token = try await rp.verified(try #require(request.form["logout_token"]), type: .exactly("logout+jwt"))
        #expect(token.algorithm.name == tokens.header.algorithmName)
        let claims = token.claims
        #expect(claims.audience == [rp.id])
        #expect(claims["nonce"] == nil)
        #expect(claims["sub"] == tokens.claims["sub"])
        #expect(claims["sid"] == tokens.claims["sid"] && claims["sid"] != nil)
        #expect(claims["events"] == .object([Self.event: [:]]))
        #expect(claims.tokenID?.isEmpty == false)
        // Section 4: preferably at most two minutes.
        let issued = try #require(claims.issuedAt)
        #expect(try #require(claims.expires) - issued <= .seconds(120))
    }

    /// A client is told of its own users and of no others.
    @Test func tellsNobodyElse() async throws {
        let rp = try await RelyingParty.start(metadata: Self.metadata)
        let other = try await RelyingParty.join(rp.idp, .basic, id: "other", metadata: Self.metadata)
        _ = try await other.signIn(as: "bob")
        _ = try await rp.requestLogout(await rp.signIn())
        let told = rp.server.requests.compactMap { $0.form["logout_token"] }
        #expect(told.count == 1)
        #expect(try await rp.verified(told[0], type: .exactly("logout+jwt")).claims.subject == "alice")
        try await other.expectSignedIn()
    }
}

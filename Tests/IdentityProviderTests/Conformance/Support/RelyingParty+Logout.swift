import OAuth
import Primitives
import Testing

extension RelyingParty {
    /// Sends the user to the logout endpoint that the metadata names, with `changes` in the place of the parameters.
    func requestLogout(
        _ tokens: RelyingPartyTokens, _ changes: [String: String?] = [:]
    ) async throws -> BrowserPage {
        var parameters: [String: String] = [
            "id_token_hint": tokens.idToken, "post_logout_redirect_uri": Self.postLogoutURI, "state": Self.state,
        ]
        for (name, value) in changes { parameters[name] = value }
        let endpoint = try #require(await idp.discovered()["end_session_endpoint"]?.string)
        let query = FormParameters(parameters.map { ($0.key, $0.value) }).encoded
        return try await browser.open(endpoint.dropFirst(ProviderUnderTest.issuer.count) + "?" + query)
    }

    /// The user has been signed out, and comes back with nothing but the state.
    func expectReturn(
        _ page: BrowserPage, state: String? = RelyingParty.state, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let location = try #require(page.location, "\(page.status) \(page.text)", sourceLocation: sourceLocation)
        #expect(
            location.hasPrefix(Self.postLogoutURI + (state == nil ? "" : "?")), sourceLocation: sourceLocation)
        #expect(page.parameters == (state.map { ["state": $0] } ?? [:]), sourceLocation: sourceLocation)
        try await expectSignedOut(sourceLocation: sourceLocation)
    }

    /// Nobody is signed in with this browser.
    func expectSignedOut(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let error = try error(of: await authorize(["prompt": "none"]), sourceLocation: sourceLocation)
        #expect(error == "login_required", sourceLocation: sourceLocation)
    }

    func expectSignedIn(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        _ = try code(of: await authorize(["prompt": "none"]), sourceLocation: sourceLocation)
    }

    /// The provider asks the user, who says yes; then nobody is signed in, and the client is told nothing.
    func expectQuestion(_ page: BrowserPage, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(page.location == nil, sourceLocation: sourceLocation)
        #expect(page.status == 200 && page.isHTML, sourceLocation: sourceLocation)
        // Nothing has happened yet.
        try await expectSignedIn(sourceLocation: sourceLocation)
        let answered = try await browser.submit(page, ["decision": "logout"])
        #expect(answered.location == nil, sourceLocation: sourceLocation)
        #expect(answered.status == 200 && answered.isHTML, sourceLocation: sourceLocation)
        try await expectSignedOut(sourceLocation: sourceLocation)
    }

    /// The provider tells the user what is wrong, and does nothing.
    func expectNothingDone(_ page: BrowserPage, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        expectPageForUser(page, sourceLocation: sourceLocation)
        try await expectSignedIn(sourceLocation: sourceLocation)
    }
}

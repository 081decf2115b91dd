import HTTPMessages
import OAuth
import Testing

extension RelyingParty {
    typealias Parameters = [(name: String, value: String)]

    /// An authentication request, with `changes` in the place of its own parameters; `nil` takes one away.
    func query(_ changes: [String: String?] = [:]) -> Parameters {
        var parameters: Parameters = [
            ("client_id", id), ("redirect_uri", Self.redirectURI), ("response_type", "code"), ("scope", "openid"),
            ("state", Self.state), ("nonce", Self.nonce),
        ]
        if let mode = profile.responseMode { parameters.append(("response_mode", mode.rawValue)) }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            parameters.removeAll { $0.name == name }
            if let value { parameters.append((name, value)) }
        }
        return parameters
    }

    /// Sends the user to the provider.
    func authorize(_ parameters: Parameters) async throws -> BrowserPage {
        try await browser.open("/authorize?" + FormParameters(parameters).encoded)
    }

    func authorize(_ changes: [String: String?] = [:]) async throws -> BrowserPage {
        try await authorize(query(changes))
    }

    /// The user says who he is.
    func logIn(_ page: BrowserPage, as user: String = "alice") async throws -> BrowserPage {
        try await browser.submit(expectingLogin(page), ["username": user, "password": user])
    }

    /// The page where the user says who he is, which it must be.
    @discardableResult
    func expectingLogin(
        _ page: BrowserPage, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> BrowserPage {
        try #require(page.location == nil, "\(page.parameters)", sourceLocation: sourceLocation)
        #expect(page.status == 200, sourceLocation: sourceLocation)
        #expect(page.name == "/login" && page.isHTML, "\(page.name) \(page.text)", sourceLocation: sourceLocation)
        return page
    }

    /// The code of an answer, from a user who has to log in.
    func code(
        _ changes: [String: String?] = [:], as user: String = "alice",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try code(of: await logIn(authorize(changes), as: user), sourceLocation: sourceLocation)
    }

    /// The code of a positive answer (RFC 6749 section 4.1.2), which has nothing besides.
    func code(of page: BrowserPage, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let parameters = try answer(in: page, sourceLocation: sourceLocation)
        #expect(
            Set(parameters.keys) == ["code", "state", "iss"], "\(parameters)", sourceLocation: sourceLocation)
        return try #require(parameters["code"], sourceLocation: sourceLocation)
    }

    /// The error of a negative answer (RFC 6749 section 4.1.2.1), which carries nothing that could be used.
    func error(of page: BrowserPage, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let parameters = try answer(in: page, sourceLocation: sourceLocation)
        #expect(
            Set(parameters.keys).isSubset(of: ["error", "error_description", "error_uri", "state", "iss"]),
            "\(parameters)", sourceLocation: sourceLocation)
        for value in [parameters["error"], parameters["error_description"]].compactMap(\.self) {
            // RFC 6749 sections A.7 and A.8.
            #expect(
                value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C },
                sourceLocation: sourceLocation)
        }
        return try #require(parameters["error"], sourceLocation: sourceLocation)
    }

    /// The parameters of an answer, which came the way it had to, to the place where it had to, and is this client's.
    private func answer(
        in page: BrowserPage, sourceLocation: SourceLocation
    ) throws -> [String: String] {
        if profile.responseMode == .formPost {
            try checkForm(page, sourceLocation: sourceLocation)
        } else {
            let location = try #require(
                page.location, "\(page.status) \(page.name) \(page.text)", sourceLocation: sourceLocation)
            // RFC 9700 section 4.12: not by 307, which would send a password along.
            #expect([302, 303].contains(page.status), sourceLocation: sourceLocation)
            #expect(location.hasPrefix(Self.redirectURI + "?"), "\(location)", sourceLocation: sourceLocation)
            #expect(!location.contains("#"), sourceLocation: sourceLocation)
        }
        #expect(page.answer.field("Cache-Control")?.contains("no-store") == true, sourceLocation: sourceLocation)
        let parameters = page.parameters
        #expect(parameters["state"] == Self.state, sourceLocation: sourceLocation)
        #expect(parameters["iss"] == ProviderUnderTest.issuer, sourceLocation: sourceLocation)
        return parameters
    }

    /// OAuth 2.0 Form Post Response Mode section 2: hidden fields, posted to the redirect URI, and nothing in any URL.
    private func checkForm(_ page: BrowserPage, sourceLocation: SourceLocation) throws {
        #expect(page.location == nil, sourceLocation: sourceLocation)
        #expect(page.status == 200 && page.isHTML, sourceLocation: sourceLocation)
        let form = try #require(page.form, "\(page.name) \(page.text)", sourceLocation: sourceLocation)
        #expect(form.action == Self.redirectURI, sourceLocation: sourceLocation)
        #expect(form.fields.allSatisfy { $0.isHidden }, sourceLocation: sourceLocation)
        #expect(page.text.contains("method=\"post\""), sourceLocation: sourceLocation)
    }

    /// A page for the user, because nobody else may hear of it: nothing was sent to the client.
    func expectPageForUser(
        _ page: BrowserPage, status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(page.location == nil, sourceLocation: sourceLocation)
        #expect(page.status == status && page.isHTML, sourceLocation: sourceLocation)
        #expect(page.form?.action.hasPrefix("http") != true, sourceLocation: sourceLocation)
    }
}

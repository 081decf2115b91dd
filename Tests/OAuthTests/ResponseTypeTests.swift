import OAuth
import Testing

@Suite struct ResponseTypeTests {
    @Test(arguments: [
        ("code", "code"), ("token", "token"), ("id_token", "id_token"), ("id_token code", "code id_token"),
        ("token code", "code token"), ("token id_token", "id_token token"),
        ("token id_token code", "code id_token token"), ("code id_token token", "code id_token token"),
    ])
    func readsInAnyOrderAndWritesInThatOfTheRegistry(text: String, canonical: String) throws {
        #expect(try ResponseType(parsing: text).text == canonical)
    }

    @Test(arguments: [
        "none", "code none", "none none", "Code", "CODE", "codes", "cod", "password", "id-token", "code\tid_token",
        "code\n", "code,token", "\u{441}ode", "code\u{0}", String(repeating: "x", count: 10_000),
        String(repeating: "code ", count: 10_000),
    ])
    func refusesWhatIsNotSupported(text: String) {
        #expect(throws: OAuthError(.unsupportedResponseType, "")) { try ResponseType(parsing: text) }
    }

    @Test(arguments: ["", " ", " code", "code ", "code  token", "code code", "code token code"])
    func refusesWhatIsMalformed(text: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try ResponseType(parsing: text) }
    }

    @Test(arguments: [
        ("code", ResponseMode.query), ("token", .fragment), ("id_token", .fragment), ("code token", .fragment),
        ("code id_token", .fragment), ("id_token token", .fragment), ("code id_token token", .fragment),
    ])
    func eachTypeHasItsStandardMode(text: String, mode: ResponseMode) throws {
        #expect(try ResponseMode(parsing: nil, for: ResponseType(parsing: text)) == mode)
    }

    /// OAuth 2.0 Multiple Response Type Encoding Practices sections 3 and 5.
    @Test(arguments: ["token", "id_token", "code token", "code id_token", "id_token token", "code id_token token"])
    func refusesTokensInTheQuery(text: String) throws {
        let type = try ResponseType(parsing: text)
        #expect(throws: OAuthError(.invalidRequest, "")) { try ResponseMode(parsing: "query", for: type) }
        #expect(try ResponseMode(parsing: "fragment", for: type) == .fragment)
        #expect(try ResponseMode(parsing: "form_post", for: type) == .formPost)
    }

    @Test(arguments: ["query", "fragment", "form_post"])
    func aCodeTravelsInEveryMode(mode: String) throws {
        #expect(try ResponseMode(parsing: mode, for: .code).rawValue == mode)
    }

    @Test(arguments: ["", "Query", "form-post", "query.jwt", "web_message", "query ", "qu\u{65}\u{301}ry"])
    func refusesAnUnknownMode(mode: String) {
        #expect(throws: OAuthError(.invalidRequest, "")) { try ResponseMode(parsing: mode, for: .code) }
    }
}

import OAuth
import Testing

@Suite struct IssuerTests {
    @Test(arguments: [
        ("https://id.example", "", "https://id.example/token"), ("https://id.example/", "", "https://id.example/token"),
        ("http://127.0.0.1:8080", "", "http://127.0.0.1:8080/token"),
        ("http://[::1]:8080/t/a", "/t/a", "http://[::1]:8080/t/a/token"),
        ("https://id.example/t/", "/t", "https://id.example/t/token"),
        ("https://id.example/a~b:c@d", "/a~b:c@d", "https://id.example/a~b:c@d/token"),
    ])
    func isKeptAsGivenAndLeadsToItsEndpoints(text: String, basePath: String, token: String) throws {
        let issuer = try Issuer(text)
        #expect(issuer.identifier == text)
        #expect(issuer.basePath == basePath)
        #expect(issuer.url(of: "/token") == token)
    }

    @Test(arguments: [
        ("", IssuerError.notHTTP), ("ftp://id.example", .notHTTP), ("id.example", .notHTTP),
        ("HTTPS://id.example", .notHTTP), ("https:/id.example", .notHTTP),
        ("https://id.example?x", .hasQueryOrFragment), ("https://id.example/#", .hasQueryOrFragment),
        ("https://", .badAuthority), ("https:///path", .badAuthority), ("https://user@id.example", .badAuthority),
        ("https://id.example:", .badAuthority), ("https://id.example:0", .badAuthority),
        ("https://id.example:65536", .badAuthority), ("https://id.example:+1", .badAuthority),
        ("https://id example", .badAuthority), ("https://[::1", .badAuthority), ("https://[::1]x", .badAuthority),
        ("https://[abc]", .badAuthority), ("https://%69d.example", .badAuthority),
        ("https://id.example/a//b", .badPath), ("https://id.example//", .badPath),
        ("https://id.example/./a", .badPath), ("https://id.example/a/..", .badPath),
        ("https://id.example/%61", .badPath), ("https://id.example/a b", .badPath), ("https://id.example/é", .badPath),
    ])
    func refusesWhatIsNoIssuer(text: String, error: IssuerError) {
        #expect(throws: error) { try Issuer(text) }
    }

    @Test func withoutAPathItsMetadataIsAtTheWellKnownNames() throws {
        #expect(
            try Issuer("https://id.example/").metadataPaths == [
                "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
            ])
    }

    /// OpenID Connect Discovery section 4.1 appends, RFC 8414 section 3.1 inserts.
    @Test func withAPathItsMetadataIsBehindAndBeforeIt() throws {
        #expect(
            try Issuer("https://id.example/t/a").metadataPaths == [
                "/t/a/.well-known/openid-configuration", "/.well-known/openid-configuration/t/a",
                "/t/a/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/t/a",
            ])
    }

    @Test(arguments: [
        (false, "localhost:8080", "http://localhost:8080"), (false, "LocalHost:80", "http://localhost"),
        (true, "id.example:443", "https://id.example"), (true, "id.example:80", "https://id.example:80"),
        (false, "[::1]:8080", "http://[::1]:8080"), (false, "my_host", "http://my_host"),
    ])
    func followsAnAuthority(isEncrypted: Bool, authority: String, issuer: String) throws {
        let authority = try #require(Authority(authority))
        #expect(Issuer(isEncrypted: isEncrypted, authority: authority).identifier == issuer)
    }

    @Test(arguments: [
        "", ":80", "a b", "a/b", "a?b", "a#b", "user@host", "a\\b", "a\"b", "<script>", "host:port", "host:80:80",
        "host:-1",
        "[::1", "::1", "[]", "[::1]80", "[::g]", "[:::]", "[1:2]", "[::1%25lo]", "[::1]:", "host:", "host:0", "a%41",
        "a!b",
        "\u{212A}id", "hôst", "a,b", "host:00000000080000",
        String(repeating: "a", count: 256),
    ])
    func refusesWhatIsNoAuthority(text: String) {
        #expect(Authority(text) == nil)
    }
}

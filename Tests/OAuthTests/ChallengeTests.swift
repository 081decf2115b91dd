import OAuth
import Testing

@Suite struct ChallengeTests {
    /// RFC 6750 section 3.1: who sent nothing is told no error.
    @Test func withoutAnErrorItIsTheSchemeAndWhatHelps() {
        #expect(Challenge(.bearer).text == "Bearer")
        #expect(Challenge(.basic, realm: "token").text == "Basic realm=\"token\"")
        #expect(Challenge(.dpop, algorithms: ["ES256", "PS256"]).text == "DPoP algs=\"ES256 PS256\"")
    }

    @Test func saysWhatWasWrong() throws {
        let error = OAuthError(.insufficientScope, "this needs more", cause: "hunter2")
        let text = Challenge(.bearer, realm: "api", error: error, scope: try Scope(parsing: "read write")).text
        #expect(
            text
                == #"Bearer realm="api", error="insufficient_scope", error_description="this needs more", scope="read write""#
        )
    }

    @Test(arguments: [
        ("a\"b", #"Bearer realm="a\"b""#), ("a\\", #"Bearer realm="a\\""#), ("a\r\nX: y", "Bearer realm=\"a''X: y\""),
        ("é\u{0}\u{7F}", "Bearer realm=\"'''\""), ("\", error=\"x", #"Bearer realm="\", error=\"x""#),
        ("", "Bearer realm=\"\""),
    ])
    func noTextEndsItsQuotes(realm: String, text: String) {
        #expect(Challenge(.bearer, realm: realm).text == text)
    }

    @Test func leavesOutWhatIsEmpty() {
        #expect(
            Challenge(.bearer, error: OAuthError(.invalidToken, ""), scope: .empty).text
                == "Bearer error=\"invalid_token\"")
    }
}

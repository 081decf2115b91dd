import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// What a developer reads.
@Suite struct LoginErrorTests {
    @Test(arguments: [
        (
            LoginError.unavailable(Unavailability(.server(status: 503))),
            "the server gave no answer: it cannot now (status 503)"
        ),
        (
            .unavailable(Unavailability(.unreadable)),
            "the server gave no answer: what came is no answer of a token endpoint"
        ),
        (
            .refused(TokenRefusal(code: "invalid_scope", description: "read")),
            "the server refused the login: invalid_scope (read)"
        ),
        (.refused(TokenRefusal(code: "invalid_grant")), "the server refused the login: invalid_grant"),
        (.badIDToken(.otherNonce), "the ID token is not good: nonce is missing or another"),
        (
            .foreignAnswer(.otherIssuer),
            "the answer in the browser is not that of this login: it comes from another issuer (RFC 9207)"
        ),
    ])
    func saysWhatHappened(_ error: LoginError, _ text: String) {
        #expect("\(error)" == text)
    }

    @Test(arguments: [
        (DiscoveryError.unavailable(Unavailability(.server(status: 429))), "status 429"),
        (.unreachable(.notTrusted), "cannot be trusted"),
        (.otherIssuer(asked: "https://id.example"), "https://id.example"),
        (.notFound(urls: ["https://a/x", "https://a/y"], status: 404), "https://a/x nor at https://a/y (status 404)"),
        (.unusableIssuer(.notEncrypted), "https"), (.noDocument(.tooLong(byteCount: 7)), "7 bytes"),
    ])
    func saysWhatIsWrongWithTheServer(_ error: DiscoveryError, _ part: String) {
        #expect("\(error)".contains(part))
    }
}

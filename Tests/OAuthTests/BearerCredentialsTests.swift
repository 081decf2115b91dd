import OAuth
import Testing

@Suite struct BearerCredentialsTests {
    @Test(arguments: [
        ("Bearer mF_9.B5f-4.1JqM", BearerCredentials.Scheme.bearer, "mF_9.B5f-4.1JqM"), ("bearer a", .bearer, "a"),
        ("BEARER   a~+/==", .bearer, "a~+/=="), ("DPoP eyJ.x.y", .dpop, "eyJ.x.y"), ("dpop a=", .dpop, "a="),
    ])
    func reads(value: String, scheme: BearerCredentials.Scheme, token: String) throws {
        let credentials = try BearerCredentials(authorization: value)
        #expect(credentials.scheme == scheme)
        #expect(credentials.token == token)
    }

    @Test(arguments: [
        ("", BearerCredentialsError.otherScheme), ("Basic YTpi", .otherScheme), ("Bearera", .otherScheme),
        ("Beare a", .otherScheme), (" Bearer a", .otherScheme), ("Bearer\ta", .otherScheme), ("Bearer,a", .otherScheme),
        ("D\u{30}oP a", .otherScheme), ("\u{2}earer a", .otherScheme), ("Bearer:a", .otherScheme),
        ("Bearer", .missingToken), ("Bearer ", .missingToken), ("DPoP    ", .missingToken),
        // RFC 6750 section 2.1: b64token, and nothing else.
        ("Bearer a b", .malformedToken), ("Bearer a ", .malformedToken), ("Bearer =", .malformedToken),
        ("Bearer a=b", .malformedToken), ("Bearer a,b", .malformedToken), ("Bearer a, Bearer b", .malformedToken),
        ("Bearer \"a\"", .malformedToken), ("Bearer a\n", .malformedToken), ("Bearer a\u{0}", .malformedToken),
        ("Bearer é", .malformedToken), ("Bearer token=a", .malformedToken), ("Bearer \ta", .malformedToken),
        ("Bearer <a>", .malformedToken), ("Bearer a%20", .malformedToken), ("DPoP a:b", .malformedToken),
        ("Bearer " + String(repeating: "a", count: BearerCredentials.maximumByteCount), .tooLong),
    ])
    func refuses(value: String, error: BearerCredentialsError) {
        #expect(throws: error) { try BearerCredentials(authorization: value) }
    }

    @Test func printsNoToken() throws {
        let credentials = try BearerCredentials(authorization: "Bearer hunter2")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("hunter2")) }
    }
}

import OAuth
import Testing

@Suite struct OAuthErrorTests {
    @Test(arguments: [
        (OAuthErrorCode.invalidRequest, "invalid_request", 400), (.invalidClient, "invalid_client", 401),
        (.invalidGrant, "invalid_grant", 400), (.unauthorizedClient, "unauthorized_client", 400),
        (.unsupportedGrantType, "unsupported_grant_type", 400), (.invalidScope, "invalid_scope", 400),
        (.serverError, "server_error", 500), (.temporarilyUnavailable, "temporarily_unavailable", 503),
    ])
    func codesAreThoseOfTheStandard(code: OAuthErrorCode, wire: String, status: Int) {
        #expect(code.rawValue == wire)
        #expect(code.status == status)
    }

    /// RFC 6749 section 5.2: %x20-21 / %x23-5B / %x5D-7E.
    @Test func aDescriptionKeepsToTheCharactersOfTheStandard() {
        let every = String(String.UnicodeScalarView((0...0x17F).compactMap(Unicode.Scalar.init)))
        let description = OAuthError(.invalidRequest, every).publicDescription
        for byte in description.utf8 {
            #expect((0x20...0x21).contains(byte) || (0x23...0x5B).contains(byte) || (0x5D...0x7E).contains(byte))
        }
        #expect(description.unicodeScalars.count == every.unicodeScalars.count)
        #expect(description.contains("#$%&'()*+,-./0123456789:;<=>?@ABC"))
    }

    @Test func aPlainDescriptionStaysAsItIs() {
        #expect(OAuthError(.invalidScope, "may ask for: read write").publicDescription == "may ask for: read write")
    }

    @Test func twoErrorsAreTheSameWhenTheirCodesAre() {
        #expect(OAuthError(.invalidClient, "one", cause: "this") == OAuthError(.invalidClient, "two"))
        #expect(OAuthError(.invalidClient, "one") != OAuthError(.invalidGrant, "one"))
    }
}

import OAuth
import Primitives
import Testing

@Suite struct BasicCredentialsTests {
    private func header(_ text: String) -> String { "Basic " + Base64.encode(Array(text.utf8)) }

    @Test(arguments: [
        ("service:secret", "service", "secret"),
        // A trap that other servers fell into: form-encoded before Base64.
        ("bench%2Dclient:bench%2Dsecret", "bench-client", "bench-secret"),
        ("a%3Ab:c%3Ad", "a:b", "c:d"), ("a:b:c", "a", "b:c"), ("a+b:c+d", "a b", "c d"), ("a:%2B%25", "a", "+%"),
        ("a:", "a", ""),
    ])
    func decodes(text: String, clientID: String, secret: String) throws {
        let credentials = try BasicCredentials(authorization: header(text))
        #expect(credentials.clientID == clientID)
        #expect(credentials.secret == Secret(utf8: secret))
    }

    @Test(arguments: ["basic", "BASIC", "BaSiC"])
    func theSchemeHasNoCase(scheme: String) throws {
        let value = scheme + " " + Base64.encode(Array("a:b".utf8))
        #expect(BasicCredentials.isScheme(of: value))
        #expect(try BasicCredentials(authorization: value).clientID == "a")
        #expect(try BasicCredentials(authorization: scheme + "   " + Base64.encode(Array("a:b".utf8))).clientID == "a")
    }

    @Test(arguments: [
        ("Bearer YTpi", BasicCredentialsError.otherScheme), ("", .otherScheme), ("Basi YTpi", .otherScheme),
        ("Basics YTpi", .otherScheme), ("Basic\tYTpi", .otherScheme), (" Basic YTpi", .otherScheme),
        ("Basic", .missingCredentials), ("Basic ", .missingCredentials), ("Basic   ", .missingCredentials),
        ("Basic !!!!", .badBase64), ("Basic YTp", .badBase64), ("Basic YTpiYw", .badBase64),
        ("Basic YTpi YTpi", .badBase64), ("Basic YTpi ", .badBase64), ("Basic YTpi, Basic YTpi", .badBase64),
        ("Basic YTpj_-8=", .badBase64), ("Basic YTpiYx==", .badBase64),
    ])
    func refusesAMalformedHeader(value: String, error: BasicCredentialsError) {
        #expect(throws: error) { try BasicCredentials(authorization: value) }
    }

    @Test(arguments: [
        ("nocolon", BasicCredentialsError.missingColon), ("a%3Ab", .missingColon), ("", .missingCredentials),
        (":secret", .emptyIdentifier), (":", .emptyIdentifier),
        ("a%:b", .badPercentEncoding), ("a:b%2", .badPercentEncoding), ("a:%zz", .badPercentEncoding),
        ("a\u{0}:b", .forbiddenCharacter), ("a:b\n", .forbiddenCharacter), ("a:b%00", .forbiddenCharacter),
        ("a%0A:b", .forbiddenCharacter), ("a:%7F", .forbiddenCharacter), ("é:b", .forbiddenCharacter),
        ("a:%C3%A9", .forbiddenCharacter), ("a:%FF", .forbiddenCharacter),
    ])
    func refusesMalformedContent(text: String, error: BasicCredentialsError) {
        #expect(throws: error) { try BasicCredentials(authorization: header(text)) }
    }

    @Test func refusesWhatIsTooLong() {
        let text = "a:" + String(repeating: "b", count: BasicCredentials.maximumByteCount)
        #expect(throws: BasicCredentialsError.tooLong) { try BasicCredentials(authorization: header(text)) }
    }

    @Test func printsNoSecret() throws {
        let credentials = try BasicCredentials(authorization: header("service:hunter2"))
        #expect(!"\(credentials)".contains("hunter2"))
    }
}

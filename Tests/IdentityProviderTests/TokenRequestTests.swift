import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct TokenRequestTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await ProviderUnderTest() }

    private func refusal(_ form: String, basic: String? = "service:secret") async -> String {
        let answer = await idp.token(form, basic: basic)
        #expect(answer.json?["access_token"] == nil)
        return "\(answer.status) \(answer.error ?? "-")"
    }

    /// RFC 6749 sections 5.1 and 5.2.
    @Test(arguments: ["grant_type=client_credentials", "grant_type=none", "", "grant_type=%"])
    func nothingIsToBeStored(form: String) async {
        let answer = await idp.token(form, basic: "service:secret")
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.field("Pragma") == "no-cache")
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("X-Content-Type-Options") == "nosniff")
    }

    @Test(arguments: ["", "scope=read", "grant_type=", "grant_type", "GRANT_TYPE=client_credentials", "&"])
    func refusesARequestWithoutGrantType(form: String) async {
        #expect(await refusal(form) == "400 invalid_request")
    }

    @Test(arguments: [
        "client_credential", "CLIENT_CREDENTIALS", "client_credentials+", "refresh-token", "%3Cb%3E",
    ])
    func refusesAGrantThatIsNotOffered(type: String) async {
        let answer = await idp.token("grant_type=\(type)", basic: "service:secret")
        #expect(answer.status == 400)
        #expect(answer.error == "unsupported_grant_type")
        #expect(answer.errorDescription.hasPrefix("unsupported grant_type; this provider offers "))
    }

    @Test func refusesAClientThatMayNotUseTheGrant() async {
        #expect(await refusal("grant_type=client_credentials", basic: "idle:secret") == "400 unauthorized_client")
    }

    /// RFC 6749 section 3.2: not more than once, whichever, with whatever value.
    @Test(arguments: [
        "grant_type=client_credentials&grant_type=client_credentials", "grant_type=client_credentials&grant_type=",
        "grant_type=client_credentials&scope=read&scope=read", "grant_type=client_credentials&%73cope=a&scope=b",
        "grant_type=client_credentials&x=1&x=1", "grant_type=client_credentials&client_id=service&client_id=service",
    ])
    func refusesARepeatedParameter(form: String) async {
        #expect(await refusal(form) == "400 invalid_request")
    }

    /// RFC 6749 section 3.2: unrecognised parameters MUST be ignored.
    @Test func ignoresUnknownParameters() async {
        let answer = await idp.token("grant_type=client_credentials&foo=bar&resource=", basic: "service:secret")
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        "grant_type=client_credentials&scope=%FF", "grant_type=client_credentials&scope=a%00b",
        "grant_type=client_credentials\u{0}", "grant_type=client_credentials%",
        "grant_type=client_credentials&scope=%zz",
        "grant_type=client_credentials\n", "=x&grant_type=client_credentials",
        "grant_type=client_credentials&x=" + String(repeating: "a", count: FormLimits.standard.valueByteCount + 1),
        "grant_type=client_credentials&" + String(repeating: "a", count: FormLimits.standard.nameByteCount + 1) + "=x",
        "grant_type=client_credentials" + (0..<FormLimits.standard.parameterCount).map { "&a\($0)=" }.joined(),
    ])
    func refusesAMalformedForm(form: String) async {
        #expect(await refusal(form) == "400 invalid_request")
    }

    @Test(arguments: [
        "application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencode",
        "application/x-www-form-urlencoded; charset=iso-8859-1", "application/x-www-form-urlencoded, text/plain", "",
        "application/x-www-form-urlencoded; charset=utf-8, text/plain",
        "application/x-www-form-urlencoded; a=b, text/plain",
    ])
    func refusesABodyThatIsNotSaidToBeAForm(contentType: String) async {
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret", contentType: contentType)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
        #expect(answer.errorDescription.contains("application/x-www-form-urlencoded"))
    }

    @Test func refusesABodyOfUnsaidType() async {
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret", contentType: nil)
        #expect(answer.error == "invalid_request")
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded;charset=UTF-8", "Application/X-WWW-Form-URLEncoded",
        "application/x-www-form-urlencoded ; charset=\"utf-8\"", "application/x-www-form-urlencoded; foo=bar",
    ])
    func takesAFormHoweverItIsSpelled(contentType: String) async {
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret", contentType: contentType)
        #expect(answer.status == 200)
    }

    /// RFC 6749 section 2.3.1: the credentials MUST NOT be included in the request URI.
    @Test(arguments: [
        "/token?client_id=service&client_secret=secret", "/token?grant_type=client_credentials", "/token?",
        "/token?client_secret=secret",
    ])
    func refusesParametersInTheURL(path: String) async {
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret", path: path)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_request")
    }

    @Test(arguments: [
        "+", "+read", "read+", "read++write", "re%22ad", "re%5Cad", "%C3%A9", "read%09write", "read%0Awrite",
    ])
    func refusesAMalformedScope(scope: String) async {
        #expect(await refusal("grant_type=client_credentials&scope=\(scope)") == "400 invalid_scope")
    }

    @Test(arguments: ["delete", "read+delete", "READ", "rea", "read+write+delete"])
    func refusesAScopeThatTheClientMayNotHave(scope: String) async {
        let answer = await idp.token("grant_type=client_credentials&scope=\(scope)", basic: "reader:secret")
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_scope")
        #expect(answer.errorDescription == "this client may ask for: read write")
    }

    @Test(arguments: [
        ("", "read"), ("&scope=", "read"), ("&scope=write", "write"), ("&scope=write+read", "write read"),
    ])
    func givesTheScopeAskedForOrElseTheDefault(parameter: String, scope: String) async throws {
        let answer = await idp.token("grant_type=client_credentials\(parameter)", basic: "reader:secret")
        #expect(answer.json?["scope"]?.string == scope)
        #expect(try await idp.verified(try answer.text("access_token")).claims["scope"]?.string == scope)
    }

    /// Neither secrets nor anything else that was sent comes back.
    @Test(arguments: [
        "grant_type=<script>", "grant_type=client_credentials&scope=<script>%22", "<script>=1&<script>=2",
        "grant_type=client_credentials&client_id=<script>&client_secret=<script>", "x=<script>%",
        "grant_type=client_credentials&client_secret=<script>",
    ])
    func saysNothingBackThatWasSent(form: String) async {
        let answer = await idp.token(form)
        #expect(answer.status >= 400)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("<script"))
    }

    /// RFC 6749 section 5.2: %x20-21 / %x23-5B / %x5D-7E.
    @Test(arguments: [
        "", "grant_type=x", "grant_type=client_credentials&scope=+", "a=1&a=1", "%", "grant_type=client_credentials",
    ])
    func describesErrorsInTheCharactersOfTheStandard(form: String) async {
        let answer = await idp.token(form)
        #expect(!answer.errorDescription.isEmpty)
        #expect(answer.errorDescription.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E && $0 != 0x22 && $0 != 0x5C })
        #expect(Set(answer.json?.object?.names ?? []) == ["error", "error_description"])
    }
}

import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct ClientAuthenticationTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await ProviderUnderTest() }

    private func expectRefusal(_ answer: Answer, _ error: String, _ status: Int) {
        #expect(answer.status == status)
        #expect(answer.error == error)
        #expect(answer.json?["access_token"] == nil)
        // RFC 6749 section 5.2, and RFC 9110 section 11.6.1.
        #expect((answer.field("WWW-Authenticate")?.hasPrefix("Basic ") ?? false) == (status == 401))
    }

    @Test(arguments: [
        "service:secret", "%73ervice:%73ecret", "odd%3Aid:p%2Bq%25r+s%26t%3Du%3Av", "odd%3Aid:p%2Bq%25r s&t=u:v",
    ])
    func basicIsFormDecoded(credentials: String) async {
        #expect(await idp.token("grant_type=client_credentials", basic: credentials).status == 200)
    }

    @Test(arguments: [
        "client_id=service&client_secret=secret", "client_secret=s%65cret&client_id=service",
        "client_id=odd:id&client_secret=p%2Bq%25r+s%26t=u:v",
    ])
    func postIsFormDecoded(credentials: String) async {
        #expect(await idp.token("grant_type=client_credentials&\(credentials)").status == 200)
    }

    @Test func basicMayBeNamedInTheBodyToo() async {
        let answer = await idp.token("grant_type=client_credentials&client_id=service", basic: "service:secret")
        #expect(answer.status == 200)
    }

    @Test func refusesABodyThatNamesAnotherClient() async {
        let answer = await idp.token("grant_type=client_credentials&client_id=reader", basic: "service:secret")
        expectRefusal(answer, "invalid_request", 400)
    }

    /// RFC 6749 section 2.3: not more than one method in each request, even when both are right.
    @Test(arguments: [
        "client_id=service&client_secret=secret", "client_secret=secret", "client_secret=wrong",
    ])
    func refusesTwoMethodsAtOnce(credentials: String) async {
        let answer = await idp.token("grant_type=client_credentials&\(credentials)", basic: "service:secret")
        expectRefusal(answer, "invalid_request", 400)
    }

    @Test(arguments: [
        "service:wrong", "service:secre", "service:secret1", "service:", "service:SECRET", "service:secret%20",
        "nobody:secret", "Service:secret", "service%20:secret", "reader:", "odd%3Aid:p+q%25r+s%26t%3Du%3Av",
    ])
    func refusesAnUnknownClientOrWrongSecretInBasic(credentials: String) async {
        expectRefusal(await idp.token("grant_type=client_credentials", basic: credentials), "invalid_client", 401)
    }

    @Test(arguments: [
        "client_id=service&client_secret=wrong", "client_id=nobody&client_secret=secret",
        "client_id=service&client_secret=secret%20", "client_id=service&client_secret=secre", "client_secret=secret",
        "client_id=&client_secret=secret", "client_id=service&client_secret=", "client_id=service", "",
        "client_id=s%C3%A9rvice&client_secret=secret", "client_id=service&client_secret=secret%0A",
    ])
    func refusesAnUnknownClientOrWrongSecretInTheBody(credentials: String) async {
        expectRefusal(await idp.token("grant_type=client_credentials&\(credentials)"), "invalid_client", 401)
    }

    /// Who asks must not learn which clients there are.
    @Test func saysTheSameOfAnUnknownClientAndOfAWrongSecret() async {
        let form = "grant_type=client_credentials"
        #expect(await idp.token(form, basic: "service:x").body == idp.token(form, basic: "nobody:x").body)
        let posted = form + "&client_secret=x&client_id="
        #expect(await idp.token(posted + "service").body == idp.token(posted + "nobody").body)
    }

    @Test(arguments: [
        "Basic", "Basic ", "Basic !!!", "Basic c2VydmljZTpzZWNyZXQ", "Basic c2VydmljZQ==", "Basic OnNlY3JldA==",
        "Basic c2VydmljZTpzZWNyZXQ= x", "Basic YTpiCg==", "Basic c2VydmljZTolMg==", "Basic c2VydmljZTolMDA=",
        "Basic c2VydmljZTpzZWNyZXQ=, Basic c2VydmljZTpzZWNyZXQ=",
    ])
    func refusesMalformedBasic(authorization: String) async {
        let answer = await idp.token("grant_type=client_credentials", authorization: authorization)
        expectRefusal(answer, "invalid_client", 401)
    }

    @Test(arguments: ["Bearer c2VydmljZTpzZWNyZXQ=", "Digest username=service", "c2VydmljZTpzZWNyZXQ=", "Negotiate"])
    func refusesAnotherScheme(authorization: String) async {
        let answer = await idp.token("grant_type=client_credentials", authorization: authorization)
        expectRefusal(answer, "invalid_client", 401)
        #expect(answer.errorDescription.contains("client_secret_basic"))
    }

    @Test func refusesASecondAuthorizationHeader() async {
        var fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        for _ in 0..<2 { fields.append(name: .authorization, value: "Basic c2VydmljZTpzZWNyZXQ=") }
        let body = Array("grant_type=client_credentials".utf8)
        expectRefusal(await idp.respond(.post, "/token", fields, body: body), "invalid_request", 400)
    }

    /// The Kelvin sign is canonically equivalent to K, which is what Unicode calls equal and a protocol does not.
    @Test(arguments: [
        "client_id=%E2%84%AA&client_secret=secret", "client_id=K&client_secret=%E2%84%AA",
        "client_id=%E2%84%AA&client_secret=%E2%84%AA",
    ])
    func aLookalikeIsAnother(credentials: String) async throws {
        let idp = try await ProviderUnderTest(
            clients: [
                Client(id: "K", secret: Secret(utf8: "secret"), grants: ["client_credentials"])
            ])
        expectRefusal(await idp.token("grant_type=client_credentials&\(credentials)"), "invalid_client", 401)
        let answer = await idp.token("grant_type=client_credentials&client_id=%E2%84%AA", basic: "K:secret")
        expectRefusal(answer, "invalid_request", 400)
    }

    @Test func aHundredClientsAreToldApart() async throws {
        let clients = try (0..<100).map {
            try Client(id: "c\($0)", secret: Secret(utf8: "s\($0)"), grants: ["client_credentials"])
        }
        let idp = try await ProviderUnderTest(clients: clients)
        for number in 0..<100 {
            #expect(await idp.token("grant_type=client_credentials", basic: "c\(number):s\(number)").status == 200)
            #expect(await idp.token("grant_type=client_credentials", basic: "c\(number):s\(99 - number)").status == 401)
        }
    }
}

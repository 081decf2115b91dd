import IdentityProvider
import OAuth
import Primitives
import Testing

/// RFC 8628 sections 3.1 and 3.2.
@Suite struct DeviceAuthorizationTests {
    let provider: GrantsProvider

    init() async throws { provider = try await GrantsProvider() }

    private func start(_ parameters: [(String, String)] = [], as client: String = "app") async -> Answer {
        await provider.post("/device_authorization", parameters, as: client)
    }

    @Test func saysEverythingThatADeviceNeeds() async throws {
        let answer = await start([("scope", "openid")])
        #expect(answer.status == 200)
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(
            Set(answer.json?.object?.names ?? []) == [
                "device_code", "user_code", "verification_uri", "verification_uri_complete", "expires_in", "interval",
            ])
        let userCode = try answer.text("user_code")
        #expect(try answer.text("verification_uri") == "\(ProviderUnderTest.issuer)/device")
        #expect(
            try answer.text("verification_uri_complete") == "\(ProviderUnderTest.issuer)/device?user_code=\(userCode)")
        #expect(answer.json?["expires_in"] == 600)
        #expect(answer.json?["interval"] == 5)
        // Section 5.2: 128 bits at least.
        #expect(try answer.text("device_code").utf8.count >= 4 + 43)
        #expect(UserCode(typed: userCode) != nil)
    }

    @Test func livesAsLongAsConfigured() async throws {
        let short = try await GrantsProvider {
            $0.lifetimes.deviceCode = .seconds(7)
            $0.lifetimes.devicePollInterval = .seconds(1)
        }
        let answer = await short.post("/device_authorization", [], as: "app")
        #expect(answer.json?["expires_in"] == 7)
        #expect(answer.json?["interval"] == 1)
    }

    @Test func eachDeviceHasCodesOfItsOwn() async throws {
        var codes: Set<String> = []
        for _ in 0..<20 {
            let answer = await start()
            codes.insert(try answer.text("device_code"))
            codes.insert(try answer.text("user_code"))
        }
        #expect(codes.count == 40)
    }

    /// Section 3.1: clients authenticate as at the token endpoint.
    @Test(arguments: [
        ("service", "401 invalid_client"), ("service:wrong", "401 invalid_client"), ("nobody", "401 invalid_client"),
        ("", "401 invalid_client"), ("idle:secret", "400 unauthorized_client"), ("service:secret", "200 -"),
    ])
    func refusesAClientThatDoesNotProveItselfOrMayNot(client: String, expected: String) async {
        #expect(GrantsProvider.summary(await start(as: client)) == expected)
    }

    @Test(arguments: ["+", "read\"", "delete"])
    func refusesAScopeThatTheClientMayNotHave(scope: String) async {
        let answer = await start([("scope", scope)], as: "narrow:secret")
        #expect(GrantsProvider.summary(answer) == "400 invalid_scope")
    }

    @Test(arguments: ["x", "https://other.example", "https://api.example#x"])
    func refusesAResourceThatTheClientMayNotHave(resource: String) async {
        let answer = await start([("resource", resource)], as: "narrow:secret")
        #expect(GrantsProvider.summary(answer) == "400 invalid_target")
    }

    @Test func refusesARepeatedParameter() async {
        #expect(
            GrantsProvider.summary(await start([("scope", "read"), ("scope", "read")])) == "400 invalid_request")
    }

    @Test func refusesEveryOtherMethodAndParametersInTheURL() async {
        #expect(await provider.idp.get("/device_authorization").status == 405)
        let answer = await provider.idp.token("client_id=app", path: "/device_authorization?client_id=app")
        #expect(GrantsProvider.summary(answer) == "400 invalid_request")
    }

    @Test func isAdvertised() async {
        let document = await provider.idp.get("/.well-known/openid-configuration").json
        #expect(
            document?["device_authorization_endpoint"]?.string == "\(ProviderUnderTest.issuer)/device_authorization")
        #expect(document?["grant_types_supported"]?.array?.contains(.string(GrantsProvider.deviceGrant)) == true)
    }
}

import IdentityProvider
import JOSE
import Primitives
import Testing

/// What can be changed while the provider runs.
@Suite struct SettingsControlTests {
    private let form = "grant_type=client_credentials"

    @Test func tellsAll() async throws {
        let control = try await ControlUnderTest()
        let settings = try await control.json("GET", "/settings")
        #expect(settings["access_tokens"] == ["alg": "ES256", "lifetime": 300, "audience": nil])
        #expect(settings["rotation"] == "strict")
        #expect(settings["allow"] == [])
    }

    @Test func takesBackWhatItTells() async throws {
        let control = try await ControlUnderTest()
        let settings = try await control.json("GET", "/settings")
        #expect(try await control.json("PATCH", "/settings", settings) == settings)
    }

    @Test func changesWhatIsGivenAndNothingElse() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = ["access_tokens": ["lifetime": "1m30s", "audience": "api"], "allow": ["any_client"]]
        let settings = try await control.json("PATCH", "/settings", body)
        #expect(settings["access_tokens"] == ["alg": "ES256", "lifetime": 90, "audience": ["api"]])
        let answer = await control.provider.token(form, basic: "service:secret")
        #expect(answer.json?["expires_in"] == 90)
        // Taken as it comes.
        #expect(await control.provider.token(form, basic: "stranger:any").json?["expires_in"] == 90)
    }

    @Test func signsWithAnotherAlgorithmFromNowOn() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PATCH", "/settings", ["access_tokens": ["alg": "EdDSA"]])
        let token = try await control.provider.accessToken()
        #expect(try UnverifiedJWS(compact: token).header.algorithm == .edDSA)
        _ = try await control.provider.verified(token)
    }

    @Test func saysInTheMetadataWhatHasChanged() async throws {
        let control = try await ControlUnderTest()
        _ = await control.provider.get("/.well-known/openid-configuration")
        _ = try await control.json("PATCH", "/settings", ["metadata": ["issuer": "https://other.example"]])
        let metadata = await control.provider.get("/.well-known/openid-configuration")
        #expect(metadata.json?["issuer"] == "https://other.example")
    }

    @Test func keepsTheTokenThatItNeverTells() async throws {
        let control = try await ControlUnderTest()
        let settings = try await control.json("PATCH", "/settings", ["registration": ["token": "of-the-registration"]])
        #expect(settings["registration"] == ["token": nil])
        _ = try await control.json("PATCH", "/settings", ["registration": ["token": nil]])
        guard case .token(let token) = control.context.configuration.registration else {
            Issue.record("the policy has changed")
            return
        }
        #expect(token.matches(Secret(utf8: "of-the-registration")))
    }

    @Test(
        arguments: [
            (["rotation": "never"], "rotation"), (["rotations": "strict"], "rotations"),
            (["rotation": nil], "rotation"),
            (["lifetimes": ["login": 0]], "lifetimes.login"), (["lifetimes": ["login": 1.5]], "lifetimes.login"),
            (["lifetimes": ["logn": 1]], "lifetimes.logn"), (["lifetimes": 5], "lifetimes"),
            (["access_tokens": ["alg": "none"]], "access_tokens.alg"),
            (["access_tokens": ["audience": []]], "access_tokens.audience"), (["allow": ["all"]], "allow[0]"),
            (["registration": ["token": ""]], "registration.token"), (["registration": "some"], "registration"),
            (["sign_in": ["failures_allowed": 0]], "sign_in.failures_allowed"), (["acr_values": [""]], "acr_values"),
        ] as [(JSON, String)])
    func refusesWhatIsWrongAndChangesNothing(_ wrong: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let before = try await control.json("GET", "/settings")
        var body = try #require(wrong.object)
        if body["access_tokens"] == nil { body["access_tokens"] = ["lifetime": 7] }
        let answer = await control.call("PATCH", "/settings", .object(body))
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
        #expect(try await control.json("GET", "/settings") == before)
    }
}

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
        #expect(settings["access_tokens"] == ["alg": "ES256", "lifetime": 300, "audience": nil, "format": "jwt"])
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
        #expect(settings["access_tokens"] == ["alg": "ES256", "lifetime": 90, "audience": "api", "format": "jwt"])
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

    /// What is refused is not what was said to be taken.
    @Test(
        arguments: [
            ["registration": ["token": nil]], ["registration": ["token": ["env": "HOME"]]],
            ["registration": ["token": ""]],
        ] as [JSON])
    func saysWhatASecretMayBeHere(_ body: JSON) async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PATCH", "/settings", ["registration": "open"])
        let answer = await control.call("PATCH", "/settings", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == "registration.token")
        #expect(answer.errorDescription.contains("the secret itself"), "\(answer.errorDescription)")
        #expect(!answer.errorDescription.contains("object"), "\(answer.errorDescription)")
        #expect(try await control.json("GET", "/settings")["registration"] == "open")
    }

    /// The members of a configuration file, and no others.
    @Test func hasEveryMemberOfTheConfiguration() async throws {
        let control = try await ControlUnderTest()
        let told = try #require(try await control.json("GET", "/settings").object)
        let schema = ConfigurationSchema.json
        let members = try #require(schema["properties"]?.object)
        let elsewhere = [
            "$schema", "issuer", "outbound_ca", "users", "standard_users", "clients", "standard_clients", "tenants",
        ]
        #expect(told.names.sorted() == members.names.filter { !elsewhere.contains($0) }.sorted())
        for (name, value) in told {
            guard let section = members[name]?["properties"]?.object, name != "registration" else { continue }
            #expect(value.object?.names.sorted() == section.names.sorted())
        }
    }

    @Test func changesWhatOnlyTheFileKnewOnce() async throws {
        let control = try await ControlUnderTest()
        let change: JSON = [
            "access_tokens": ["format": "opaque"], "lifetimes": ["device_poll_interval": "7s"],
            "require_pushed_authorization_requests": true, "access_token_revocation": "family",
            "claims": [["set": ["role": "admin"]]], "pairwise_salt": "grains",
        ]
        let settings = try await control.json("PATCH", "/settings", change)
        #expect(settings["lifetimes"]?["device_poll_interval"] == 7)
        #expect(settings["require_pushed_authorization_requests"] == true)
        #expect(settings["access_token_revocation"] == "family")
        #expect(settings["claims"]?.array?.first?["set"] == ["role": "admin"])
        #expect(settings["pairwise_salt"] == .null)
        #expect(control.context.configuration.pairwiseSalt.withBytes { Array($0) } == Array("grains".utf8))
        let token = try #require(await control.provider.token(form, basic: "service:secret").json?["access_token"])
        #expect((try? UnverifiedJWS(compact: token.string ?? "")) == nil)
    }

    @Test func nullIsTheIssuerAgain() async throws {
        let control = try await ControlUnderTest()
        _ = try await control.json("PATCH", "/settings", ["access_tokens": ["audience": ["a", "b"]]])
        let settings = try await control.json("PATCH", "/settings", ["access_tokens": ["audience": nil]])
        #expect(settings["access_tokens"]?["audience"] == .null)
        #expect(control.context.configuration.accessTokens.audience == .issuer)
    }

    /// Each by its name and with the reason.
    @Test(
        arguments: [
            ("cors_origins", "any", "starts"), ("recorded_requests", 5, "starts"), ("control", "off", "control API"),
            ("issuer", "https://a.example", "name it"), ("outbound_ca", "ca.pem", "starts"),
            ("users", [], "/_pawl/users"),
            ("standard_users", true, "/_pawl/users"), ("clients", [], "/_pawl/clients"),
            ("standard_clients", true, "/_pawl/clients"), ("tenants", [:], "/_pawl/tenants"),
        ] as [(String, JSON, String)])
    func refusesWhatStaysAsItWasMade(_ name: String, _ value: JSON, _ reason: String) async throws {
        let control = try await ControlUnderTest()
        let before = try await control.json("GET", "/settings")
        let answer = await control.call("PATCH", "/settings", .object([name: value, "rotation": "reuse"]))
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(name))
        #expect(answer.errorDescription.contains(reason))
        #expect(try await control.json("GET", "/settings") == before)
    }

    @Test func aTenantMayBeMadeWithWhatStays() async throws {
        let control = try await ControlUnderTest()
        let settings: JSON = ["cors_origins": "any", "recorded_requests": 0]
        #expect(await control.call("PUT", "/tenants/a", ["settings": settings]).status == 201)
        let made = try await control.provider.provider.tenant(try #require(TenantName("a")))
        #expect(made.context.configuration.crossOrigin == .any)
        #expect(made.context.configuration.recordedRequests == 0)
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
            (["sign_in": ["failures_allowed": 0]], "sign_in.failures_allowed"), (["acr_values": [""]], "acr_values[0]"),
            (["acr_values": []], "acr_values"), (["pairwise_salt": ["env": "HOME"]], "pairwise_salt"),
            (["pairwise_salt": ["file": "/etc/hostname"]], "pairwise_salt"),
            (["require_pushed_authorization_requests": "yes"], "require_pushed_authorization_requests"),
            (["access_tokens": ["format": "paper"]], "access_tokens.format"),
            (["claims": [["set": ["iss": "x"]]]], "claims[0].set.iss"),
            (["trusted_issuers": [["issuer": "https://a.example"]]], "trusted_issuers[0]"),
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

    // MARK: The algorithm of ID tokens

    private func following() async throws -> ControlUnderTest {
        let control = try await ControlUnderTest()
        _ = try await control.json("PATCH", "/settings", ["id_tokens": ["alg": nil]])
        return control
    }

    @Test func idTokensFollowTheAlgorithmOfAccessTokens() async throws {
        let control = try await following()
        let algorithms: [(JSON, SignatureAlgorithm)] = [("EdDSA", .edDSA), ("PS256", .ps256)]
        for (algorithm, expected) in algorithms {
            let settings = try await control.json("PATCH", "/settings", ["access_tokens": ["alg": algorithm]])
            #expect(settings["id_tokens"]?["alg"] == .null)
            #expect(control.context.configuration.idTokens.algorithm == expected)
        }
        let session = try await control.newSession(scope: "openid")
        let token = try #require(session.json["id_token"]?.string)
        #expect(try UnverifiedJWS(compact: token).header.algorithm == .ps256)
    }

    /// What was said stays, until null takes it back.
    @Test func idTokensKeepTheAlgorithmThatWasSaid() async throws {
        let control = try await following()
        let both: JSON = ["access_tokens": ["alg": "EdDSA"], "id_tokens": ["alg": "ES256"]]
        _ = try await control.json("PATCH", "/settings", both)
        #expect(control.context.configuration.idTokens.algorithm == .es256)
        let told = try await control.json("PATCH", "/settings", ["access_tokens": ["alg": "PS256"]])
        #expect(told["id_tokens"]?["alg"] == "ES256")
        #expect(control.context.configuration.idTokens.algorithm == .es256)
        _ = try await control.json("PATCH", "/settings", ["id_tokens": ["alg": nil]])
        #expect(control.context.configuration.idTokens.algorithm == .ps256)
    }

    @Test(arguments: [true, false]) func idTokensOfATenantFollowToo(isInSettings: Bool) async throws {
        let control = try await following()
        let settings: JSON = ["access_tokens": ["alg": "EdDSA"], "id_tokens": ["alg": nil]]
        let body: JSON = isInSettings ? ["settings": settings] : settings
        let answer = await control.call("PUT", "/tenants/a", body)
        #expect(answer.status == 201)
        let name = try #require(TenantName("a"))
        let made = try await control.provider.provider.tenant(name)
        #expect(made.context.configuration.idTokens.algorithm == .edDSA)
    }

    @Test(arguments: ["none", "", 7, [:]] as [JSON])
    func refusesAnAlgorithmOfIDTokensThatIsNone(algorithm: JSON) async throws {
        let control = try await following()
        let answer = await control.call("PATCH", "/settings", ["id_tokens": ["alg": algorithm]])
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == "id_tokens.alg")
    }
}

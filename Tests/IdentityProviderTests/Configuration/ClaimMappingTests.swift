import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ClaimMappingTests {
    private func provider(_ rules: JSON) async throws -> ProviderUnderTest {
        let rules = try ClaimRules(parsing: rules)
        return try await ProviderUnderTest(clients: StandardClients.all(), users: StandardUsers.all()) {
            $0.claimRules = rules
        }
    }

    /// The payload alone: who signed it is checked elsewhere.
    private static func claims(_ token: String) throws -> JSONObject {
        let payload = try Base64URL.decode(String(try #require(token.split(separator: ".").dropFirst().first)))
        return try #require(try JSON(parsing: payload.span).object)
    }

    /// The claims of both tokens that a user's client gets.
    private func tokens(
        of idp: ProviderUnderTest, user: String = "alice", scope: String = "openid", claims: JSONObject = [:],
        form: String = ""
    ) async throws -> (access: JSONObject, identity: JSONObject) {
        let answer = try await UserSession(
            of: idp, client: "service", user: user, scope: Scope(parsing: scope), loginClaims: claims
        ).refresh(form)
        return (try Self.claims(answer.text("access_token")), try Self.claims(answer.text("id_token")))
    }

    @Test func rulesReachEveryToken() async throws {
        let idp = try await provider([["set": ["role": "{user.preferred_username}@{client.id}"]]])
        let (access, identity) = try await tokens(of: idp)
        #expect(access["role"]?.string == "alice@service")
        #expect(identity["role"]?.string == "alice@service")
        let own = try await Self.claims(idp.accessToken())
        // A client that acts for itself has no user: what needs one is left out.
        #expect(own["role"] == nil)
    }

    @Test func rulesHoldWhereTheySay() async throws {
        let idp = try await provider([
            ["set": ["a": 1], "in": ["access_token"]], ["set": ["i": 1], "in": ["id_token"]],
            ["set": ["u": 1], "in": ["userinfo"]],
        ])
        let (access, identity) = try await tokens(of: idp)
        #expect(access["a"] == 1 && access["i"] == nil && access["u"] == nil)
        #expect(identity["i"] == 1 && identity["a"] == nil && identity["u"] == nil)
    }

    @Test func rulesSeeScopeGrantClientAndUser() async throws {
        let idp = try await provider([
            ["when": ["scope": "admin"], "set": ["by_scope": true]],
            ["when": ["grant": "client_credentials"], "set": ["by_grant": true]],
            ["when": ["client": ["not": "service"]], "set": ["by_other_client": true]],
            ["when": ["user.groups": "admin"], "set": ["by_user": true]],
            ["when": ["tenant": ["not": ""]], "set": ["by_tenant": "{tenant}"]],
        ])
        let (access, _) = try await tokens(of: idp, scope: "openid admin")
        #expect(access["by_scope"] == true)
        #expect(access["by_grant"] == nil)
        #expect(access["by_other_client"] == nil)
        #expect(access["by_user"] == true)
        #expect(access["by_tenant"] == nil)
        #expect(try await tokens(of: idp, user: "minji").access["by_user"] == nil)
        let own = try await Self.claims(idp.accessToken())
        #expect(own["by_grant"] == true)
        #expect(own["by_scope"] == nil)
    }

    @Test func rulesSeeTheTenant() async throws {
        let idp = try await provider([["set": ["t": "{tenant}"]]])
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret", path: "/t/one/token")
        let claims = try Self.claims(answer.text("access_token"))
        #expect(claims["t"] == "one")
    }

    @Test func rulesSeeTheRequest() async throws {
        let idp = try await provider([["set": ["purpose": "{request.purpose}"]]])
        let own = try await Self.claims(idp.accessToken("grant_type=client_credentials&purpose=test"))
        #expect(own["purpose"] == "test")
        #expect(try await Self.claims(idp.accessToken())["purpose"] == nil)
        #expect(try await tokens(of: idp, form: "&purpose=more").access["purpose"] == "more")
    }

    @Test func rulesRemoveWhatUserAndClientBring() async throws {
        let idp = try await provider([["remove": ["groups", "email"]]])
        let (access, identity) = try await tokens(of: idp, scope: "openid email")
        #expect(access["groups"] == nil)
        #expect(identity["groups"] == nil)
        #expect(identity["email"] == nil)
        #expect(identity["email_verified"] == true)
    }

    @Test func whatWasChosenForALoginCountsMore() async throws {
        let idp = try await provider([["set": ["role": "rule", "seen": "{user.role}"]]])
        let (access, _) = try await tokens(of: idp, claims: ["role": "login"])
        #expect(access["role"] == "login")
        #expect(access["seen"] == "login")
    }

    /// OpenID Connect Core section 2 leaves to the provider what they mean.
    @Test func rulesDecideWhatALoginHasEarned() async throws {
        let idp = try await provider([["set": ["acr": "urn:example:gold", "amr": ["hwk"]]]])
        let (access, identity) = try await tokens(of: idp)
        #expect(access["acr"] == "urn:example:gold")
        #expect(identity["acr"] == "urn:example:gold")
        #expect(identity["amr"] == ["hwk"])
    }

    @Test(arguments: ClaimRules.protectedClaims.sorted()) func refusesARuleForAClaimOfTheProtocol(name: String) throws {
        let lines = try ConfigurationUnderTest.errors(#"{"claims":[{"set":{"\#(name)":"x"}}]}"#)
        #expect(lines.count == 1)
        #expect(lines[0].contains("claims[0].set.\(name): belongs to the protocol"))
    }
}

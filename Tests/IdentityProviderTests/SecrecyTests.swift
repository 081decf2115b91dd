import IdentityProvider
import JOSE
import Observability
import Primitives
import TestSupport
import Testing

@Suite struct SecrecyTests {
    @Test func theLogNamesClientKeyAndTokenButHoldsNeitherSecretNorToken() async throws {
        let idp = try await ProviderUnderTest()
        let token = try await idp.accessToken()
        let claims = try await idp.verified(token)
        let line = try #require(idp.log.lines.last)
        let record = try JSON(parsing: line)
        #expect(record["message"] == "token.issued")
        #expect(record["client"] == "service")
        #expect(record["request"] == "r-1")
        #expect(record["kid"]?.string == claims.keyID)
        #expect(record["jti"]?.string == claims.claims.tokenID)
        let signature = try #require(token.split(separator: ".").last)
        #expect(!line.contains(signature))
        #expect(!line.contains("secret"))
    }

    @Test(arguments: [
        "grant_type=client_credentials&client_id=service&client_secret=hunter2",
        "grant_type=hunter2", "grant_type=client_credentials&client_id=hunter2&client_secret=hunter2",
        "hunter2=hunter2&hunter2", "hunter2", "client_secret=hunter2%",
        "grant_type=client_credentials&client_secret=hunter2",
        "grant_type=client_credentials&client_id=service&client_secret=secret&scope=hunter2%00",
    ])
    func aRefusalIsLoggedWithoutWhatWasSent(form: String) async throws {
        let idp = try await ProviderUnderTest()
        let answer = await idp.token(form)
        #expect(answer.status >= 400)
        let record = try JSON(parsing: try #require(idp.log.lines.last))
        #expect(record["message"] == "token.refused")
        #expect(record["error"]?.string == answer.error)
        #expect(!idp.log.lines.joined().contains("hunter2"))
    }

    @Test func theLogTellsAnUnknownClientFromAWrongSecret() async throws {
        let idp = try await ProviderUnderTest()
        _ = await idp.token("grant_type=client_credentials", basic: "service:x")
        #expect(try JSON(parsing: try #require(idp.log.lines.last))["reason"] == "wrong secret")
        _ = await idp.token("grant_type=client_credentials", basic: "nobody:x")
        #expect(try JSON(parsing: try #require(idp.log.lines.last))["reason"] == "unknown client")
    }

    @Test func tokensAndRefusalsAreCounted() async throws {
        let idp = try await ProviderUnderTest()
        for _ in 0..<3 { _ = try await idp.accessToken() }
        _ = await idp.token("grant_type=client_credentials", basic: "service:x")
        _ = await idp.token("grant_type=client_credentials", basic: "nobody:x")
        let text = idp.metrics.prometheusText()
        #expect(text.contains(#"pawl_access_tokens_issued_total{client="service",grant="client_credentials"} 3"#))
        #expect(text.contains(#"pawl_token_requests_refused_total{error="invalid_client"} 2"#))
        #expect(!text.contains("nobody"))
    }
}

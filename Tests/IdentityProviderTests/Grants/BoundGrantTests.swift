import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Grants whose tokens are bound to a key: RFC 9449 section 5.
@Suite struct BoundGrantTests {
    let provider: GrantsProvider
    let holder: ProofClient
    let stranger: ProofClient

    init() async throws {
        provider = try await GrantsProvider()
        holder = try ProofClient(at: provider.now)
        stranger = try ProofClient(at: provider.now)
    }

    private func ask(
        _ parameters: [(String, String)], as client: String = "app", by proof: ProofClient?, _ jti: String
    ) async throws -> Answer {
        let isPublic = !client.contains(":")
        let all = parameters + (isPublic ? [("client_id", client)] : [])
        return await provider.idp.token(
            FormParameters(all.map { (name: $0.0, value: $0.1) }).encoded,
            proofs: try proof.map { [try $0.proof(jti)] } ?? [],
            basic: isPublic ? nil : client)
    }

    private func boundTokens() async throws -> (access: String, refresh: String) {
        let answer = try await ask(
            [("grant_type", "password"), ("username", "alice"), ("password", "alice"), ("scope", "read")], by: holder,
            "first")
        #expect(answer.json?["token_type"] == "DPoP")
        return (try answer.text("access_token"), try answer.text("refresh_token"))
    }

    /// The refresh token of a public client is bound; whoever has another key, or none, spends nothing.
    @Test func aPublicClientRefreshesWithItsKeyAlone() async throws {
        let (_, refresh) = try await boundTokens()
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        #expect(GrantsProvider.summary(try await ask(form, by: nil, "a")) == "400 invalid_grant")
        #expect(GrantsProvider.summary(try await ask(form, by: stranger, "b")) == "400 invalid_grant")
        let answer = try await ask(form, by: holder, "c")
        #expect(answer.status == 200)
        let claims = try await provider.claims(try answer.text("access_token"))
        #expect(claims.members["cnf"] == ["jkt": .string(holder.thumbprint)])
    }

    /// A developer who forgot the proof must not look for a spent token; a stranger's token of nobody stays one.
    @Test func saysThatTheRefreshTokenIsBoundAndWhatWasShown() async throws {
        let (_, refresh) = try await boundTokens()
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        #expect(
            try await ask(form, by: nil, "a").errorDescription
                == "the refresh token is bound to a DPoP key, and the request came without a DPoP proof")
        let other = try await ask(form, by: stranger, "b")
        #expect(
            other.errorDescription
                == "the refresh token is bound to a DPoP key, and the request came with a proof by another key")
        #expect(!String(decoding: other.body, as: UTF8.self).contains(holder.thumbprint))
        // Of a token that is no good, and to another client, nothing is said.
        let wrong = [("grant_type", "refresh_token"), ("refresh_token", refresh + "x")]
        #expect(try await ask(wrong, by: nil, "c").errorDescription.contains("bound") == false)
        #expect(try await ask(form, as: "service:secret", by: nil, "d").errorDescription.contains("bound") == false)
    }

    @Test func anExchangeOfABoundTokenWantsItsKey() async throws {
        let (access, refresh) = try await boundTokens()
        for (token, type) in [(access, ExchangeFixture.accessToken), (refresh, ExchangeFixture.refreshToken)] {
            let form = [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", token), ("subject_token_type", type),
            ]
            #expect(GrantsProvider.summary(try await ask(form, by: nil, "a")) == "400 invalid_request")
            #expect(
                GrantsProvider.summary(try await ask(form, by: stranger, "b\(type.count)")) == "400 invalid_request")
            let answer = try await ask(form, by: holder, "c\(type.count)")
            #expect(answer.json?["token_type"] == "DPoP")
            let claims = try await provider.claims(try answer.text("access_token"))
            #expect(claims.members["cnf"] == ["jkt": .string(holder.thumbprint)])
        }
    }

    @Test func theSecondSessionIsBoundAsTheFirst() async throws {
        let (_, refresh) = try await boundTokens()
        let second = try await ask(
            [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", refresh),
                ("subject_token_type", ExchangeFixture.refreshToken),
                ("requested_token_type", ExchangeFixture.refreshToken),
            ], by: holder, "a")
        #expect(second.json?["token_type"] == "N_A")
        let form = [("grant_type", "refresh_token"), ("refresh_token", try second.text("access_token"))]
        #expect(GrantsProvider.summary(try await ask(form, by: nil, "b")) == "400 invalid_grant")
        #expect(try await ask(form, by: holder, "c").status == 200)
    }

    @Test func aDeviceIsBoundToTheKeyThatItPollsWith() async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        let answer = try await ask(
            [("grant_type", GrantsProvider.deviceGrant), ("device_code", flow.deviceCode)], by: holder, "a")
        let form = [("grant_type", "refresh_token"), ("refresh_token", try answer.text("refresh_token"))]
        #expect(GrantsProvider.summary(try await ask(form, by: nil, "b")) == "400 invalid_grant")
        #expect(try await ask(form, by: holder, "c").status == 200)
    }

    /// RFC 9449 section 5: a confidential client is bound by its own proof, and its refresh tokens are not bound to a key.
    @Test func aConfidentialClientMayChangeItsKey() async throws {
        let answer = try await ask(
            [("grant_type", "password"), ("username", "alice"), ("password", "alice")], as: "service:secret",
            by: holder, "a")
        let form = [("grant_type", "refresh_token"), ("refresh_token", try answer.text("refresh_token"))]
        #expect(try await ask(form, as: "service:secret", by: stranger, "b").status == 200)
    }

    /// An access token that was exchanged follows from what another client was given: its end is not this one's to bring.
    @Test func revokingWhatWasExchangedEndsNothingElse() async throws {
        let (family, refresh) = try await provider.family()
        let access = try await provider.refresh(refresh).text("access_token")
        let exchanged = try await provider.token(
            [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", access),
                ("subject_token_type", ExchangeFixture.accessToken),
            ], as: "other:secret"
        ).text("access_token")
        let answer = await provider.post("/revoke", [("token", exchanged)], as: "other:secret")
        #expect(answer.status == 200)
        #expect(try await !provider.isActive(exchanged))
        #expect(try await provider.isActive(access))
        #expect(try await provider.context.store.family(family.id)?.ended == nil)
    }
}

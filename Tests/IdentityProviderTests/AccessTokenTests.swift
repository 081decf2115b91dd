import Crypto
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct AccessTokenTests {
    /// RFC 9068 section 2.2.
    @Test func holdsWhatTheProfileRequires() async throws {
        let idp = try await ProviderUnderTest()
        let answer = await idp.token("grant_type=client_credentials&scope=read+write", basic: "service:secret")
        #expect(answer.status == 200)
        #expect(answer.json?["token_type"] == "Bearer")
        #expect(answer.json?["expires_in"] == 300)
        #expect(answer.json?["scope"] == "read write")
        #expect(answer.json?.object?.count == 4)

        let token = try await idp.verified(try answer.text("access_token"))
        #expect(token.header.type == "at+jwt")
        #expect(token.claims.issuer == ProviderUnderTest.issuer)
        #expect(token.claims.subject == "service")
        #expect(token.claims.audience == [ProviderUnderTest.issuer])
        #expect(token.claims.issuedAt == idp.clock.now())
        #expect(token.claims.expires == idp.clock.now() + .seconds(300))
        #expect(token.claims["client_id"] == "service")
        #expect(token.claims["scope"] == "read write")
        #expect(token.claims.members.count == 8)
    }

    @Test func eachHasAnIdentifierOfItsOwn() async throws {
        let idp = try await ProviderUnderTest()
        var identifiers: Set<String> = []
        for _ in 0..<50 {
            let token = try await idp.verified(try await idp.accessToken())
            let identifier = try #require(token.claims.tokenID)
            #expect(try Base64URL.decode(String(identifier.prefix { $0 != "~" })).count == 16)
            identifiers.insert(identifier)
        }
        #expect(identifiers.count == 50)
    }

    @Test func withoutScopeThereIsNoScope() async throws {
        let idp = try await ProviderUnderTest()
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret")
        #expect(answer.json?["scope"] == nil)
        #expect(try await idp.verified(try answer.text("access_token")).claims["scope"] == nil)
    }

    @Test(arguments: [1, 2, 3600, 3_155_760_000] as [Int64])
    func livesAsLongAsConfigured(seconds: Int64) async throws {
        let idp = try await ProviderUnderTest(lifetime: .seconds(seconds))
        let token = try await idp.accessToken()
        idp.clock.advance(by: .milliseconds(seconds * 1000 - 1))
        _ = try await idp.verified(token)
        idp.clock.advance(by: .milliseconds(1))
        await #expect(throws: JWTError.expired) { try await idp.verified(token) }
    }

    @Test func isForTheAudienceThatIsConfigured() async throws {
        let one = try await ProviderUnderTest(audience: .fixed(["https://api.example"]))
        let single = try await one.verified(try await one.accessToken(), audience: "https://api.example")
        #expect(single.claims["aud"] == "https://api.example")

        let two = try await ProviderUnderTest(audience: .fixed(["https://a.example", "https://b.example"]))
        let several = try await two.verified(try await two.accessToken(), audience: "https://b.example")
        #expect(several.claims["aud"] == ["https://a.example", "https://b.example"])
    }

    private static let rsa = Result { try PrivateKey.generate(.rsa(bits: 2048)) }

    static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        guard algorithm.rawValue.hasPrefix("RS") || algorithm.rawValue.hasPrefix("PS") else {
            return try .generate(algorithm)
        }
        return try SigningKey(JWK(.privateKey(rsa.get())), algorithm: algorithm)
    }

    @Test(arguments: SignatureAlgorithm.allCases.filter { !$0.isSymmetric })
    func isSignedWithAnyAlgorithmAndVerifiedByThePublishedKey(algorithm: SignatureAlgorithm) async throws {
        let idp = try await ProviderUnderTest(key: Self.key(algorithm))
        let token = try await idp.verified(try await idp.accessToken())
        #expect(token.algorithm == algorithm)
        let published = try JWKSet(parsing: await idp.get("/jwks.json").body.span)
        #expect(published.keys.map(\.keyID) == [token.keyID])
        #expect(published.keys.map(\.algorithm) == [algorithm.rawValue])
    }

    @Test(arguments: SignatureAlgorithm.allCases.filter(\.isSymmetric))
    func signedWithASharedSecretIsVerifiedByThatAlone(algorithm: SignatureAlgorithm) async throws {
        let key = try Self.key(algorithm)
        let idp = try await ProviderUnderTest(key: key)
        let token = try await idp.accessToken()
        #expect(await idp.get("/jwks.json").json == ["keys": []])
        await #expect(throws: JWTError.self) { try await idp.verified(token) }
        let policy = JWTPolicy.accessToken(issuer: ProviderUnderTest.issuer, audience: ProviderUnderTest.issuer)
        _ = try policy.verify(token, keys: VerificationKeySet([key.verificationKey]), at: idp.clock.now())
    }

    @Test func isWorthNothingAtAnotherProvider() async throws {
        let idp = try await ProviderUnderTest()
        let other = try await ProviderUnderTest()
        let token = try await idp.accessToken()
        await #expect(throws: JWTError.self) { try await other.verified(token) }
    }
}

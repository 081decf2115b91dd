import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

/// A signature is verified once; whether its token is good is judged each time.
@Suite struct KnownAccessTokenTests {
    @Test func aTokenThatComesAgainIsNotVerifiedAgain() async throws {
        let batches = CountedBatches()
        let idp = try await ProviderUnderTest.withResources(batches: batches)
        let tokens = [try await idp.authorise(scope: "openid"), try await idp.authorise(scope: "openid")]
        let before = batches.count
        for _ in 0..<3 {
            for token in tokens {
                #expect(await idp.isGood(token.accessToken) == true)
                #expect(await idp.userInfo(token.accessToken).json?["sub"] == "alice")
            }
        }
        #expect(batches.count == before + tokens.count)
    }

    @Test func whatFailsIsVerifiedEachTime() async throws {
        let batches = CountedBatches()
        let idp = try await ProviderUnderTest.withResources(batches: batches)
        let foreign = try await ProviderUnderTest.withResources().authorise().accessToken
        for count in 1...3 {
            #expect(await idp.isGood(foreign) == false)
            #expect(batches.count == count)
        }
    }

    /// Every part of it counts.
    @Test(arguments: [0, 1, 2]) func anotherTokenIsNotTakenForAKnownOne(part: Int) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.accessToken()
        #expect(await idp.isGood(token) == true)
        var parts = token.split(separator: ".").map(Array.init)
        for index in [0, parts[part].count / 2, parts[part].count - 2] {
            let former = parts[part][index]
            parts[part][index] = former == "A" ? "B" : "A"
            #expect(await idp.isGood(parts.map { String($0) }.joined(separator: ".")) == false)
            parts[part][index] = former
        }
        for other in [token + "=", token + "A", token + ".", "A" + token, String(token.dropLast())] {
            #expect(await idp.isGood(other) == false)
        }
        #expect(await idp.isGood(token) == true)
    }

    @Test func isNoGoodOnceItsKeyIsWithdrawn() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(scope: "openid")
        #expect(await idp.isGood(tokens.accessToken) == true)
        let keyID = try #require(try await idp.verified(tokens.accessToken).keyID)
        try idp.keyRing.withdraw(keyID, succeededBy: .generate(.es256), at: idp.clock.now())
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.userInfo(tokens.accessToken).status == 401)
    }

    @Test func isGoodUnderAKeyThatRetires() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.accessToken()
        #expect(await idp.isGood(token) == true)
        try idp.keyRing.rotate(to: .generate(.es256), at: idp.clock.now())
        #expect(await idp.isGood(token) == true)
    }

    @Test func isJudgedByItsTimeEachTime() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let made = idp.clock.now()
        let token = try await idp.accessToken()
        for (seconds, isGood) in [(0, true), (300, false), (299, true), (-1, false), (0, true)] as [(Int64, Bool)] {
            idp.clock.set(to: made + .seconds(seconds))
            #expect(await idp.isGood(token) == isGood, "after \(seconds) s")
        }
    }

    @Test func isNoGoodOnceItIsRevokedOrItsFamilyHasEnded() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let (revoked, ended) = (try await idp.authorise(), try await idp.authorise())
        for tokens in [revoked, ended] { #expect(await idp.isGood(tokens.accessToken) == true) }
        _ = await idp.revoke(revoked.accessToken)
        _ = await idp.revoke(ended.refreshToken)
        for tokens in [revoked, ended] { #expect(await idp.isGood(tokens.accessToken) == false) }
    }

    /// Two tenants have keys of their own, and know nothing of each other's tokens.
    @Test func isKnownToItsTenantAlone() async throws {
        let idp = try await ProviderUnderTest()
        let form = "grant_type=client_credentials"
        let token = try await idp.token(form, basic: "service:secret", path: "/t/a/token").text("access_token")
        for (path, isGood) in [("/t/a", true), ("/t/b", false), ("", false), ("/t/a", true)] {
            let answer = await idp.token("token=\(token)", basic: "service:secret", path: path + "/introspect")
            #expect(answer.json?["active"] == .bool(isGood), "\(path)")
        }
    }
}

/// The same without a provider around it.
@Suite struct AccessTokenVerifierTests {
    private let now = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private let key: SigningKey
    private let verifier: AccessTokenVerifier

    init() throws {
        key = try .generate(.es256)
        verifier = AccessTokenVerifier(keys: VerificationKeySet([key.verificationKey]), maximumCount: 2)
    }

    private func token(
        _ identifier: String, type: String? = "at+jwt", by other: SigningKey? = nil,
        changing change: (inout JSONObject) -> Void = { _ in }
    ) throws -> String {
        let issued = now.secondsSinceEpoch
        var claims: JSONObject = [
            "sub": "alice", "jti": .string(identifier), "client_id": "app", "iat": .number(JSONNumber(issued)),
            "exp": .number(JSONNumber(issued + 300)),
        ]
        change(&claims)
        return try JWTSigner(key: other ?? key, type: type).sign(claims)
    }

    @Test func knowsWhatItHasVerified() throws {
        let text = try token("a")
        let digest = TokenDigest(of: text)
        #expect(verifier.token(known: digest) == nil)
        let verified = try #require(verifier.verify(text, digest: digest, at: now))
        #expect(verified.facts.identifier == "a")
        #expect(verifier.token(known: digest) === verified)
        #expect(verifier.token(known: TokenDigest(of: try token("b"))) == nil)
    }

    @Test func keepsNoMoreThanItIsToldTo() throws {
        let digests = try ["a", "b", "c"].map { identifier in
            let text = try token(identifier)
            let digest = TokenDigest(of: text)
            #expect(verifier.verify(text, digest: digest, at: now) != nil)
            return digest
        }
        #expect(digests.map { verifier.token(known: $0)?.facts.identifier } == [nil, "b", "c"])
    }

    @Test func keepsNothingThatIsNotAnAccessTokenOfOurs() throws {
        var refused = ["", "a.b.c", try token("a") + "A", try token("a", by: .generate(.es256))]
        // Of the same name as the one that is trusted.
        refused.append(try token("a", by: SigningKey.generate(.es256, keyID: key.keyID)))
        refused.append(try token("a", type: "JWT"))
        refused.append(try token("a", type: nil))
        for name in ["exp", "iat", "sub", "jti", "client_id"] { refused.append(try token("a") { $0[name] = nil }) }
        for text in refused {
            let digest = TokenDigest(of: text)
            #expect(verifier.verify(text, digest: digest, at: now) == nil)
            #expect(verifier.token(known: digest) == nil)
        }
    }

    /// For thirty days it is told apart from what never was a token.
    @Test func saysHowATokenStandsToItsTime() throws {
        let text = try token("a")
        let verified = try #require(verifier.verify(text, digest: TokenDigest(of: text), at: now))
        let expiry = now + .seconds(300)
        let forgotten = expiry + .seconds(30 * 86_400)
        #expect(verified.standing(at: now - .milliseconds(1)) == nil)
        #expect(verified.standing(at: now) == .good)
        #expect(verified.standing(at: expiry - .milliseconds(1)) == .good)
        #expect(verified.standing(at: expiry) == .expired)
        #expect(verified.standing(at: forgotten - .milliseconds(1)) == .expired)
        #expect(verified.standing(at: forgotten) == nil)
        #expect(verifier.verify(text, digest: TokenDigest(of: text), at: forgotten) == nil)
    }

    /// What nobody will ask about again takes nobody's place.
    @Test func keepsNothingThatIsOutOfItsTime() throws {
        let text = try token("a")
        let digest = TokenDigest(of: text)
        for moment in [now - .milliseconds(1), now + .seconds(300)] {
            #expect(verifier.verify(text, digest: digest, at: moment) != nil)
            #expect(verifier.token(known: digest) == nil)
        }
        #expect(verifier.verify(text, digest: digest, at: now) != nil)
        #expect(verifier.token(known: digest) != nil)
    }

    @Test func aTokenThatIsNotGoodYetIsNoTokenYet() throws {
        let start = now + .seconds(100)
        let text = try token("a") { $0["nbf"] = .number(JSONNumber(start.secondsSinceEpoch)) }
        let verified = try #require(verifier.verify(text, digest: TokenDigest(of: text), at: now))
        #expect(verified.standing(at: start - .milliseconds(1)) == nil)
        #expect(verified.standing(at: start) == .good)
    }
}

import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What RFC 9449 section 4.3 has a server check, each by a proof that is wrong in this alone.
@Suite struct DPoPProofTests {
    let idp: ProviderUnderTest
    let client: ProofClient

    init() async throws {
        idp = try await ProviderUnderTest()
        client = try ProofClient(at: idp.clock.now())
    }

    private func expectRefusal(_ answer: Answer, _ error: String = "invalid_dpop_proof") {
        #expect(answer.status == 400)
        #expect(answer.error == error)
        #expect(answer.json?["access_token"] == nil)
    }

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .edDSA, .rs256, .ps256])
    func bindsATokenToTheKeyOfTheProof(algorithm: SignatureAlgorithm) async throws {
        let client = try ProofClient(algorithm, at: idp.clock.now())
        let answer = await idp.token(proof: try client.proof())
        #expect(answer.status == 200)
        #expect(answer.json?["token_type"] == "DPoP")
        let token = try await idp.verified(answer.text("access_token"))
        #expect(token.claims["cnf"] == ["jkt": .string(client.thumbprint)])
        #expect(answer.field("DPoP-Nonce") == nil)
    }

    @Test func withoutAProofATokenIsForWhoeverHasIt() async throws {
        let answer = await idp.token("grant_type=client_credentials", basic: "service:secret")
        #expect(answer.json?["token_type"] == "Bearer")
        #expect(try await idp.verified(answer.text("access_token")).claims["cnf"] == nil)
    }

    /// Rule 1.
    @Test func refusesTwoProofs() async throws {
        let proofs = [try client.proof("p-1"), try client.proof("p-2")]
        expectRefusal(await idp.token("grant_type=client_credentials", proofs: proofs))
        expectRefusal(await idp.token(proof: proofs.joined(separator: ", ")))
        // Neither was spent.
        #expect(await idp.token(proof: proofs[0]).status == 200)
    }

    /// Rule 2.
    @Test(arguments: ["", "x", "a.b", "a.b.c", "..", "e30.e30.AA", "{}", "DPoP"])
    func refusesWhatIsNoToken(text: String) async {
        expectRefusal(await idp.token(proof: text))
    }

    @Test func refusesAProofThatIsTooLong() async throws {
        expectRefusal(
            await idp.token(proof: try client.proof("p-1", ["more": .string(String(repeating: "a", count: 9000))])))
        let header: JSONObject = ["more": .string(String(repeating: "a", count: 5000))]
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: header)))
    }

    /// Rule 3.
    @Test(arguments: ["jti", "htm", "htu", "iat"]) func refusesAProofWithoutAClaim(name: String) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", [name: .null])))
        expectRefusal(await idp.token(proof: try client.proof("p-1", [name: .array([])])))
        expectRefusal(await idp.token(proof: try client.proof("p-1", [name: true])))
    }

    /// Rule 4; RFC 8725 section 3.11.
    @Test(
        arguments: [
            .null, "JWT", "at+jwt", "dpop", "dpop+jwtx", "client-authentication+jwt", "application/x/dpop+jwt", 7,
        ] as [JSON])
    func refusesAProofOfAnotherType(type: JSON) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["typ": type])))
    }

    /// Rule 5.
    @Test(arguments: [.null, "none", "None", "ES257", "es256", "HS256", "RS256", "ES384", 7] as [JSON])
    func refusesAnotherAlgorithm(algorithm: JSON) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["alg": algorithm])))
    }

    @Test func refusesASecretForAKey() async throws {
        let secret = try SigningKey.generate(.hs256)
        let proof = try client.proof(
            "p-1", header: ["alg": "HS256", "jwk": try #require(JWK(secret.jwk.material).json(.includingPrivate))],
            signedBy: secret)
        expectRefusal(await idp.token(proof: proof))
    }

    /// RFC 8725 section 2.1: the public key of the header as the secret of an HMAC.
    @Test func refusesACodeThatIsMadeWithThePublicKey() async throws {
        let text = try #require(client.key.publicJWK?.bareJSON).text()
        let secret = try SigningKey(JWK(.symmetric(Secret(utf8: text))), algorithm: .hs256)
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["alg": "HS256"], signedBy: secret)))
    }

    /// Rule 6.
    @Test func refusesASignatureByAnotherKey() async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", signedBy: .generate(.es256))))
    }

    @Test func refusesAProofWithAnyBitTurnedOver() async throws {
        let proof = try client.proof()
        for segment in 0...2 {
            for position in stride(from: 0, to: 200, by: 9) {
                let forged = proof.withBitFlipped(inSegment: segment, at: position)
                #expect(await idp.token(proof: forged).error == "invalid_dpop_proof", "\(segment) \(position)")
            }
        }
        #expect(await idp.token(proof: proof).status == 200)
    }

    @Test(arguments: [.null, "key", [], [:], ["kty": "EC"], ["kty": "EC", "crv": "P-256"], ["kty": "oct"]] as [JSON])
    func refusesAHeaderWithoutAUsableKey(key: JSON) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["jwk": key])))
    }

    /// Rule 7.
    @Test(arguments: [SignatureAlgorithm.es256, .edDSA, .rs256])
    func refusesAPrivateKeyInTheHeader(algorithm: SignatureAlgorithm) async throws {
        let client = try ProofClient(algorithm, at: idp.clock.now())
        let whole = try #require(JWK(client.key.jwk.material).json(.includingPrivate))
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["jwk": whole])))
    }

    @Test func refusesAKeyThatIsForSomethingElse() async throws {
        var key = try #require(client.key.publicJWK?.bareJSON?.object)
        key["use"] = "enc"
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["jwk": .object(key)])))
    }

    /// Rule 8: letter by letter.
    @Test(arguments: ["GET", "post", "Post", "POST ", "", "PUT"]) func refusesAnotherMethod(method: String) async throws
    {
        expectRefusal(await idp.token(proof: try client.proof("p-1", ["htm": .string(method)])))
    }

    /// Rule 9.
    @Test(arguments: [
        "", "/token", "http://localhost:8080", "http://localhost:8080/", "http://localhost:8080/token/",
        "http://localhost:8080/Token", "https://localhost:8080/token", "http://localhost/token",
        "http://localhost:8081/token", "http://127.0.0.1:8080/token", "http://evil.example/token",
        "http://localhost:8080@evil.example/token", "http://user@localhost:8080/token",
        "http://localhost:8080/t/a/token", "http://localhost:8080/to%2Fken", "ftp://localhost:8080/token",
        "http://localhost:8080/token\u{212A}", "http://localhost:8080/token ", "urn:token",
    ])
    func refusesAnotherURL(url: String) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", ["htu": .string(url)])))
    }

    /// Rule 9: without query and fragment, and as RFC 3986 sections 6.2.2 and 6.2.3 make URLs alike.
    @Test(arguments: [
        "http://localhost:8080/token?x=1", "http://localhost:8080/token#f", "http://localhost:8080/token?x#f",
        "HTTP://LOCALHOST:8080/token", "http://localhost:8080/%74oken", "http://localhost:8080/./token",
        "http://localhost:8080/x/../token",
    ])
    func takesTheSameURLInAnotherSpelling(url: String) async throws {
        #expect(await idp.token(proof: try client.proof("p-1", ["htu": .string(url)])).status == 200)
    }

    @Test func takesEachNameOfAProviderThatFollowsTheHost() async throws {
        for (name, proofURL, status) in [
            ("id.example", "http://id.example/token", 200), ("id.example", "http://id.example:80/token", 200),
            ("id.example", ProofClient.tokenURL, 400), ("id.example:81", "http://id.example/token", 400),
        ] {
            let proof = try client.proof("p-\(proofURL)\(name)", ["htu": .string(proofURL)])
            let answer = await idp.respond(
                .post, "/token",
                [
                    .contentType: "application/x-www-form-urlencoded", .dpop: proof,
                    .authorization: "Basic c2VydmljZTpzZWNyZXQ=",
                ], body: Array("grant_type=client_credentials".utf8), host: name)
            #expect(answer.status == status, "\(name) \(proofURL)")
        }
    }

    @Test func aTenantHasAURLOfItsOwn() async throws {
        for (url, status) in [(ProofClient.tokenURL, 400), ("http://localhost:8080/t/a/token", 200)] {
            let proof = try client.proof("p-1", ["htu": .string(url)])
            let answer = await idp.token(
                "grant_type=client_credentials", basic: "service:secret", path: "/t/a/token", also: [.dpop: proof])
            #expect(answer.status == status)
        }
    }

    @Test func behindAFixedNameBothNamesAreTaken() async throws {
        let idp = try await ProviderUnderTest(issuer: .fixed(Issuer("https://id.example")))
        for (url, status) in [
            ("https://id.example/token", 200), (ProofClient.tokenURL, 200), ("http://id.example/token", 400),
        ] {
            #expect(await idp.token(proof: try client.proof(url, ["htu": .string(url)])).status == status)
        }
    }

    /// Rule 11, at the very edges of the window.
    @Test(arguments: [(-61, false), (-60, true), (-59, true), (0, true), (59, true), (60, true), (61, false)])
    func knowsTheWindowOfTime(offset: Int64, isTaken: Bool) async throws {
        let issuedAt = JSON.integer(idp.clock.now().secondsSinceEpoch + offset)
        let answer = await idp.token(proof: try client.proof("p-1", ["iat": issuedAt]))
        #expect((answer.status == 200) == isTaken)
        if !isTaken { expectRefusal(answer) }
    }

    @Test(arguments: [-1, 253_402_300_800] as [Int64]) func refusesATimeThatIsNone(seconds: Int64) async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", ["iat": .integer(seconds)])))
    }

    /// RFC 7519 section 4.1.4: an expiry that is there counts.
    @Test func refusesAProofThatSaysItHasExpired() async throws {
        let expiry = JSON.integer(idp.clock.now().secondsSinceEpoch - 60)
        expectRefusal(await idp.token(proof: try client.proof("p-1", ["exp": expiry])))
    }

    /// Section 11.1: what is remembered has a limit.
    @Test func refusesAnEmptyOrEndlessIdentifier() async throws {
        expectRefusal(await idp.token(proof: try client.proof("")))
        expectRefusal(await idp.token(proof: try client.proof(String(repeating: "x", count: 257))))
        #expect(await idp.token(proof: try client.proof(String(repeating: "x", count: 256))).status == 200)
    }

    /// RFC 7515 section 4.1.11.
    @Test func refusesAnExtensionThatItDoesNotKnow() async throws {
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["crit": ["x"], "x": 1])))
        expectRefusal(await idp.token(proof: try client.proof("p-1", header: ["crit": ["b64"], "b64": false])))
    }
}

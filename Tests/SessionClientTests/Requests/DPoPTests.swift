import Crypto
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct DPoPTests {
    private let nonces = DPoPNonces()
    private let clock = ManualClock(startingAt: LoginFixtures.now)
    private let key: DPoPKey
    private let prover: DPoPProver

    init() throws {
        key = try .generate()
        prover = DPoPProver(key: key, nonces: nonces, clock: clock, random: SystemRandom())
    }

    private func request(_ authority: String = "api.example", path: String = "/notes?x=1#y") -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)
    }

    private func proof(_ request: HTTPRequest) throws -> ProofText {
        try ProofText(try #require(request.headerFields[.dpop]))
    }

    // RFC 9449 section 4.3, number by number.

    @Test func passesTheChecksOfTheStandard() throws {
        let token = Secret(utf8: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        var sent = request()
        try prover.prove(&sent, accessToken: token)
        // 1: not more than one DPoP field, also where one was there.
        try prover.authorise(&sent, with: token)
        #expect(sent.headerFields[values: .dpop].count == 1)
        // 2: a single, well-formed JWT.
        let proof = try proof(sent)
        // 3: all required claims of section 4.2.
        #expect(Set(proof.claims.object!.names) == ["jti", "htm", "htu", "iat", "ath"])
        #expect(proof.header.object!.names.count == 3)
        // 4: typ is dpop+jwt.
        #expect(proof.header["typ"] == "dpop+jwt")
        // 5: alg is an asymmetric algorithm.
        #expect(proof.header["alg"] == "ES256")
        // 6: the signature verifies with the key in jwk.
        #expect(proof.isSigned)
        // 7: jwk holds no private key.
        #expect(Set(proof.header["jwk"]!.object!.names) == ["kty", "crv", "x", "y"])
        // 8: htm matches the method.
        #expect(proof.claims["htm"] == "GET")
        // 9: htu matches the URL, without query and fragment.
        #expect(proof.claims["htu"] == "https://api.example/notes")
        // 10: there was no nonce.
        #expect(proof.claims.object?.contains("nonce") == false)
        // 11: iat is now.
        #expect(proof.claims["iat"] == 1_700_000_000)
        // 12: ath is the hash of the token; the token and the hash are those of section 7.1.
        #expect(proof.claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(sent.headerFields[.authorization] == "DPoP Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        #expect(proof.thumbprint == key.thumbprint)
    }

    @Test func makesEachProofAnew() throws {
        var identifiers: Set<String> = []
        for _ in 0..<100 {
            var sent = request()
            try prover.prove(&sent)
            let identifier = try #require(proof(sent).claims["jti"]?.string)
            // Section 4.2: at least 96 bits of chance.
            #expect(try Base64URL.decode(identifier).count >= 12)
            identifiers.insert(identifier)
        }
        #expect(identifiers.count == 100)
    }

    @Test func hasNoHashWithoutAToken() throws {
        var sent = request()
        try prover.prove(&sent)
        #expect(try proof(sent).claims.object?.contains("ath") == false)
    }

    @Test(arguments: [
        ("HTTPS", "API.example:443", "/a%20b/C?d", "https://api.example/a%20b/C"),
        ("http", "127.0.0.1:8080", "/", "http://127.0.0.1:8080/"),
        ("https", "api.example:8443", "/x#f?g", "https://api.example:8443/x"),
        ("http", "[::1]:80", "?q", "http://[::1]/"),
    ])
    func writesTheURLAsItIsCompared(_ scheme: String, _ authority: String, _ path: String, _ expected: String) throws {
        var sent = HTTPRequest(method: .post, scheme: scheme, authority: authority, path: path)
        try prover.prove(&sent)
        #expect(try proof(sent).claims["htu"]?.string == expected)
        #expect(TargetURL(expected) == TargetURL("\(scheme)://\(authority)\(path)"))
    }

    // Nonces

    private func response(_ fields: HTTPFields, status: HTTPResponse.Status = .ok) -> HTTPResponse {
        HTTPResponse(status: status, headerFields: fields)
    }

    @Test func givesEachServerItsOwnNonce() throws {
        prover.remember(response([.dpopNonce: "one"]), to: request("API.example:443"))
        prover.remember(response([.dpopNonce: "two"]), to: request("other.example"))
        for (authority, nonce) in [("api.example", "one"), ("other.example", "two"), ("third.example", nil)] {
            var sent = request(authority)
            try prover.prove(&sent)
            #expect(try proof(sent).claims["nonce"]?.string == nonce)
        }
        var inTheClear = HTTPRequest(method: .get, scheme: "http", authority: "api.example", path: "/")
        try prover.prove(&inTheClear)
        #expect(try proof(inTheClear).claims.object?.contains("nonce") == false)
    }

    @Test(arguments: ["", "a b", "a\"b", "a\\b", "ä", String(repeating: "n", count: 2000)])
    func takesNoNonceThatIsNone(_ nonce: String) throws {
        #expect(!prover.remember(response([.dpopNonce: nonce]), to: request()))
        var sent = request()
        try prover.prove(&sent)
        #expect(try proof(sent).claims.object?.contains("nonce") == false)
    }

    @Test func takesNoneOfTwoNonces() {
        var fields: HTTPFields = [.dpopNonce: "one"]
        fields.append(name: .dpopNonce, value: "two")
        #expect(!prover.remember(response(fields), to: request()))
    }

    @Test func forgetsTheOldestOfManyServers() throws {
        for number in 0..<65 {
            prover.remember(response([.dpopNonce: "n\(number)"]), to: request("s\(number).example"))
        }
        var oldest = request("s0.example")
        var next = request("s1.example")
        try prover.prove(&oldest)
        try prover.prove(&next)
        #expect(try proof(oldest).claims.object?.contains("nonce") == false)
        #expect(try proof(next).claims["nonce"]?.string == "n1")
    }

    @Test(arguments: [
        #"DPoP error="use_dpop_nonce", error_description="x""#,
        #"Bearer realm="a, b", dpop algs="ES256", error=use_dpop_nonce"#,
        #"DPoP realm="a\"b", ERROR = "use_dpop_nonce""#,
    ])
    func seesWhatAResourceWants(_ challenge: String) {
        #expect(
            prover.asksForNonce(response([.wwwAuthenticate: challenge, .dpopNonce: "n"], status: .unauthorized)))
        #expect(!prover.asksForNonce(response([.wwwAuthenticate: challenge, .dpopNonce: "n"], status: .forbidden)))
        #expect(!prover.asksForNonce(response([.wwwAuthenticate: challenge], status: .unauthorized)))
    }

    @Test(arguments: [
        #"Bearer error="use_dpop_nonce""#, #"DPoP error="invalid_token""#, #"DPoP realm="error=use_dpop_nonce""#,
        #"DPoP error="use_dpop_nonce"#, #"DPoP error="invalid_token", error="use_dpop_nonce""#, "error=use_dpop_nonce",
        "",
        #"DPoP algs="ES256", Bearer error="use_dpop_nonce""#,
    ])
    func doesNotTakeOtherChallengesForIt(_ challenge: String) {
        #expect(
            !prover.asksForNonce(response([.wwwAuthenticate: challenge, .dpopNonce: "n"], status: .unauthorized)))
    }

    // Keys

    @Test func comesBackFromARecord() throws {
        let pem = try key.pem()
        #expect(try DPoPKey(pem: pem).thumbprint == key.thumbprint)
        #expect(try DPoPKey.generate() != key)
        #expect(try #require(LoginFixtures.text(of: pem)).hasPrefix("-----BEGIN PRIVATE KEY-----"))
    }

    @Test func takesNoKeyOfAnotherKind() throws {
        for kind in [KeyKind.ec(.p384), .ed25519] {
            let pem = try PrivateKey.generate(kind).pem()
            #expect(throws: CryptoError.self) { _ = try DPoPKey(pem: pem) }
        }
        #expect(throws: CryptoError.self) { _ = try DPoPKey(pem: Secret(utf8: "")) }
    }

    @Test func printsNoPrivateKey() throws {
        var dumped = ""
        dump(prover, to: &dumped)
        let body = try #require(LoginFixtures.text(of: try key.pem())).split(separator: "\n")[1]
        #expect(!dumped.contains(body) && "\(key)" == "DPoPKey(\(key.thumbprint))")
    }
}

import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What a token request got.
struct RelyingPartyTokens {
    let answer: Answer
    let accessToken: String
    let refreshToken: String?
    let idToken: String
    let claims: JWTClaims
    let header: JOSEHeader
}

extension RelyingParty {
    /// Redeems a code, which must be possible.
    func redeem(
        _ code: String, nonce: String? = RelyingParty.nonce, _ changes: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RelyingPartyTokens {
        try await tokens(
            in: await exchange(code, changes), nonce: nonce, sourceLocation: sourceLocation)
    }

    /// Presents a code.
    func exchange(_ code: String, _ changes: [String: String?] = [:]) async throws -> Answer {
        var form: [String: String] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
        ]
        for (name, value) in changes { form[name] = value }
        return try await send(form)
    }

    func refresh(_ token: String, _ changes: [String: String?] = [:]) async throws -> Answer {
        var form = ["grant_type": "refresh_token", "refresh_token": token]
        for (name, value) in changes { form[name] = value }
        return try await send(form)
    }

    /// A whole flow with a login.
    func signIn(
        _ changes: [String: String?] = [:], as user: String = "alice",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RelyingPartyTokens {
        let code = try await code(changes, as: user, sourceLocation: sourceLocation)
        return try await redeem(code, sourceLocation: sourceLocation)
    }

    /// A refresh whose ID token says something else than it would.
    func refreshed(_ tokens: RelyingPartyTokens, overriding claims: JSONObject) async throws -> Answer {
        var override = TokenOverride()
        override.idTokenClaims = claims
        idp.context.overrides.add(override)
        let answer = try await refresh(try #require(tokens.refreshToken))
        #expect(answer.status == 200)
        return answer
    }

    /// Posts a form, and proves who the client is, in its own way.
    func send(_ form: [String: String], to path: String = "/token") async throws -> Answer {
        let signed = try self.signed(form)
        return await idp.token(signed.form, authorization: signed.authorization, path: path)
    }

    /// The body of a request, and its `Authorization`.
    func signed(_ form: [String: String]) throws -> (form: String, authorization: String?) {
        var form = form
        var authorization: String?
        switch profile.authenticationMethod {
        case "client_secret_post":
            form["client_id"] = id
            form["client_secret"] = secret
        case "private_key_jwt":
            form["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
            form["client_assertion"] = try form["client_assertion"] ?? assertion(for: ProviderUnderTest.issuer)
        case "none":
            form["client_id"] = id
        default:
            // RFC 6749 section 2.3.1: form-encoded, each by itself, before they are put together.
            let pair = [id, try #require(secret)].map { FormParameters([("v", $0)]).encoded.dropFirst(2) }
            authorization = "Basic " + Base64.encode(Array(pair.joined(separator: ":").utf8))
        }
        let pairs = form.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return (FormParameters(pairs).encoded, authorization)
    }

    /// RFC 7523 section 2.2.
    func assertion(for audience: String) throws -> String {
        let key = try #require(key)
        let now = idp.clock.now().secondsSinceEpoch
        let claims: JSONObject = [
            "iss": .string(id), "sub": .string(id), "aud": .string(audience),
            "jti": .string(SystemRandom().identifier()), "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 60)),
        ]
        return try JWSSigner(key: key).compact(JSON.object(claims).serialised())
    }

    /// The tokens of a positive answer (RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3).
    func tokens(
        in answer: Answer, nonce: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RelyingPartyTokens {
        try #require(
            answer.status == 200, "\(answer.error ?? "-"): \(answer.errorDescription)", sourceLocation: sourceLocation)
        #expect(answer.field("Content-Type")?.hasPrefix("application/json") == true, sourceLocation: sourceLocation)
        #expect(answer.field("Cache-Control")?.contains("no-store") == true, sourceLocation: sourceLocation)
        #expect(answer.field("Pragma") == "no-cache", sourceLocation: sourceLocation)
        #expect(answer.json?["error"] == nil, sourceLocation: sourceLocation)
        #expect(try answer.text("token_type").lowercased() == "bearer", sourceLocation: sourceLocation)
        #expect((answer.json?["expires_in"]?.int64 ?? 0) > 0, sourceLocation: sourceLocation)
        let accessToken = try answer.text("access_token")
        // RFC 6749 sections A.12 and A.17.
        #expect(accessToken.utf8.allSatisfy { (0x20...0x7E).contains($0) }, sourceLocation: sourceLocation)
        let refreshToken = answer.json?["refresh_token"]?.string
        #expect(
            refreshToken?.utf8.allSatisfy { (0x20...0x7E).contains($0) } ?? true, sourceLocation: sourceLocation)
        let idToken = try answer.text("id_token")
        let verified = try await verified(idToken, sourceLocation: sourceLocation)
        try check(verified, nonce: nonce, accessToken: accessToken, sourceLocation: sourceLocation)
        return RelyingPartyTokens(
            answer: answer, accessToken: accessToken, refreshToken: refreshToken, idToken: idToken,
            claims: verified.claims, header: verified.header)
    }

    /// Verifies a token of the provider with the published key that it names, and with that alone.
    func verified(
        _ token: String, type: JWTPolicy.TokenType = .exactly("JWT"),
        requiring claims: [String] = ["iss", "aud", "iat"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> VerifiedJWT {
        let header = try UnverifiedJWS(compact: token).header
        let keyID = try #require(header.keyID, "no kid", sourceLocation: sourceLocation)
        let named = try JWKSet(parsing: await idp.get("/jwks.json").body.span).keys.filter { $0.keyID == keyID }
        // RFC 7517 section 4.5: distinct keys have distinct names.
        #expect(named.count == 1, sourceLocation: sourceLocation)
        return try JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([id]), type: type,
            requiredClaims: claims
        ).verify(token, keys: VerificationKeySet(JWKSet(named)), at: idp.clock.now())
    }

    /// OpenID Connect Core section 3.1.3.7, and what section 2 says of each claim.
    private func check(
        _ token: VerifiedJWT, nonce: String?, accessToken: String, sourceLocation: SourceLocation
    ) throws {
        let claims = token.claims
        let now = idp.clock.now()
        #expect(claims.audience == [id], sourceLocation: sourceLocation)
        #expect(claims["azp"].map { $0 == .string(id) } ?? true, sourceLocation: sourceLocation)
        let subject = try #require(claims.subject, sourceLocation: sourceLocation)
        #expect((1...255).contains(subject.utf8.count) && subject.utf8.allSatisfy { $0 < 0x80 })
        #expect(try #require(claims.expires) > now, sourceLocation: sourceLocation)
        let issued = try #require(claims.issuedAt)
        #expect(issued <= now && now - issued <= .seconds(300), sourceLocation: sourceLocation)
        #expect(claims["nonce"]?.string == nonce, sourceLocation: sourceLocation)
        if let hash = claims["at_hash"]?.string {
            #expect(hash == Self.halfHash(of: accessToken, for: token.algorithm), sourceLocation: sourceLocation)
        }
    }

    /// Section 3.1.3.6.
    static func halfHash(of text: String, for algorithm: SignatureAlgorithm) -> String {
        let hash: HashFunction =
            switch algorithm {
            case .es384, .rs384, .ps384, .hs384: .sha384
            case .es512, .rs512, .ps512, .hs512, .edDSA: .sha512
            default: .sha256
            }
        let digest = hash.digest(Array(text.utf8).span)
        return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    }
}

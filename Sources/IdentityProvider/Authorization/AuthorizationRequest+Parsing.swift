import OAuth
import Primitives

extension AuthorizationRequest {
    /// Reads a request. What needs a clock or a key is asked for.
    ///
    /// - Parameters:
    ///   - target: where the answer goes, which was found out before.
    ///   - reachable: the context classes that a login may reach here.
    ///   - hintedSubject: whom an `id_token_hint` names. Asked once the rest is known to be right.
    convenience init(
        _ form: FormParameters, of client: Client, target: ResponseTarget, legacy: Set<LegacyFeature>,
        reaching reachable: [String], hintedSubject: (_ hint: String, Prompt) throws(OAuthError) -> String
    ) throws(OAuthError) {
        try Self.checkForm(form)
        let type = try Self.responseType(form, of: client)
        _ = try ResponseMode(parsing: form["response_mode"], for: type)
        let scope = try Self.scope(form, of: client, type)
        let resources = try ResourceIndicator.all(of: form).map(\.text)
        let challenge = try Self.challenge(form, of: client, type, legacy)
        let proofKeyThumbprint = try Self.proofKeyThumbprint(form)
        let nonce = try Self.nonce(form, type)
        let prompt = try form["prompt"].map { text throws(OAuthError) in try Prompt(parsing: text) } ?? []
        let maximumAge =
            try form["max_age"].map { text throws(OAuthError) in try MaxAge(parsing: text) }
            ?? client.metadata.defaultMaximumAge.map { MaxAge(seconds: $0.inSeconds) }
        let contextClasses =
            try form["acr_values"].map { text throws(OAuthError) in
                try SpaceSeparatedList(parsing: text, of: "acr_values").values
            } ?? client.metadata.defaultACRValues
        let uiLocales = try form["ui_locales"].map { text throws(OAuthError) in
            try SpaceSeparatedList(parsing: text, of: "ui_locales").values.joined(separator: " ")
        }
        let display = try form["display"].map { text throws(OAuthError) in try Display(parsing: text) } ?? .page
        let claims = try form["claims"].map { text throws(OAuthError) in try ClaimsRequest(parsing: text) }
        try Self.check(type, suits: client, scope)
        try Self.check(claims, reaches: reachable)
        let idTokenHint = form["id_token_hint"]
        self.init(
            clientID: client.id, clientStay: client.stay, target: target, responseType: type, scope: scope,
            resources: resources, challenge: challenge, proofKeyThumbprint: proofKeyThumbprint, nonce: nonce,
            prompt: prompt, maximumAge: maximumAge,
            loginHint: form["login_hint"].flatMap { $0.utf8.count <= User.maximumNameByteCount ? $0 : nil },
            idTokenHint: idTokenHint,
            hintedSubject: try idTokenHint.map { hint throws(OAuthError) in try hintedSubject(hint, prompt) },
            contextClasses: contextClasses, uiLocales: uiLocales, display: display, claims: claims)
    }

    /// What no request may have.
    private static func checkForm(_ form: FormParameters) throws(OAuthError) {
        // RFC 6749 section 3.1: parameters MUST NOT be included more than once; RFC 8707 section 2 excepts its own.
        guard form.firstRepeatedName(except: ["resource"]) == nil else {
            throw OAuthError(.invalidRequest, "a parameter is there more than once")
        }
        guard form["state"].map({ $0.utf8.count <= ResponseTarget.maximumStateByteCount }) ?? true else {
            throw OAuthError(.invalidRequest, "state is longer than \(ResponseTarget.maximumStateByteCount) bytes")
        }
        let byteCount = form.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard byteCount <= maximumByteCount else {
            throw OAuthError(.invalidRequest, "the request is longer than \(maximumByteCount) bytes")
        }
        // OpenID Connect Core section 7.2.1; this provider issues no tokens to itself.
        guard form["registration"] == nil else {
            throw OAuthError(.registrationNotSupported, "registration is for self-issued providers")
        }
    }

    /// A request is kept while its user thinks, and anybody can make one.
    private static let maximumByteCount = 16_384

    /// RFC 6749 section 4.1.2.1: what the client has not registered, it may not use.
    private static func responseType(_ form: FormParameters, of client: Client) throws(OAuthError) -> ResponseType {
        guard let text = form["response_type"] else {
            throw OAuthError(.invalidRequest, "response_type is missing")
        }
        let type = try ResponseType(parsing: text)
        guard client.metadata.responseTypes.contains(type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use this response_type")
        }
        guard !type.contains(.code) || client.mayUse(AuthorizationCodeGrant.type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use the grant authorization_code")
        }
        return type
    }

    /// OpenID Connect Core section 11: `offline_access` MUST be ignored where no code results.
    private static func scope(
        _ form: FormParameters, of client: Client, _ type: ResponseType
    ) throws(OAuthError) -> Scope {
        let scope = try client.scope(for: form["scope"])
        return type.contains(.code) ? scope : scope.filter { $0 != "offline_access" }
    }

    private static func challenge(
        _ form: FormParameters, of client: Client, _ type: ResponseType, _ legacy: Set<LegacyFeature>
    ) throws(OAuthError) -> CodeChallenge? {
        guard type.contains(.code) else { return nil }
        guard let text = form["code_challenge"] else {
            guard form["code_challenge_method"] == nil else {
                throw OAuthError(.invalidRequest, "code_challenge_method is there without code_challenge")
            }
            // RFC 9700 section 2.1.1: public clients MUST use PKCE.
            guard !client.mustUsePKCE else {
                throw OAuthError(.invalidRequest, "code_challenge is missing; this client has to use PKCE (RFC 7636)")
            }
            return nil
        }
        let challenge = try CodeChallenge(parsing: text, method: form["code_challenge_method"])
        // RFC 9700 section 2.1.1: methods that do not expose the verifier in the authorization request.
        guard challenge.method == .s256 || legacy.contains(.plainChallenge) else {
            throw OAuthError(.invalidRequest, "code_challenge_method is S256; plain is off")
        }
        return challenge
    }

    /// RFC 9449 section 10: the thumbprint (RFC 7638) of a key by SHA-256, which is 43 characters in Base64URL.
    private static func proofKeyThumbprint(_ form: FormParameters) throws(OAuthError) -> String? {
        guard let text = form["dpop_jkt"] else { return nil }
        guard let bytes = try? Base64URL.decode(text), bytes.count == 32 else {
            throw OAuthError(.invalidRequest, "dpop_jkt is the SHA-256 thumbprint of a key in Base64URL")
        }
        return text
    }

    /// OpenID Connect Core sections 3.2.2.1 and 3.3.2.11: REQUIRED where the redirect carries an ID token.
    private static func nonce(_ form: FormParameters, _ type: ResponseType) throws(OAuthError) -> String? {
        let nonce = form["nonce"]
        guard nonce != nil || !type.contains(.idToken) else {
            throw OAuthError(.invalidRequest, "nonce is missing; this response_type requires it")
        }
        guard (nonce?.utf8.count ?? 0) <= maximumNonceByteCount else {
            throw OAuthError(.invalidRequest, "nonce is longer than \(maximumNonceByteCount) bytes")
        }
        return nonce
    }

    /// It comes back in every ID token.
    private static let maximumNonceByteCount = 1024

    /// OpenID Connect Core section 5.5.1.1: what is essential and cannot be reached is an attempt that failed.
    private static func check(_ claims: ClaimsRequest?, reaches reachable: [String]) throws(OAuthError) {
        let required = claims?.requiredContextClasses ?? []
        guard required.isEmpty || required.contains(where: { one in reachable.contains { sameText($0, one) } }) else {
            throw OAuthError(
                .unmetAuthenticationRequirements, "none of the context classes that acr has to be can be reached here")
        }
    }

    private static func check(
        _ type: ResponseType, suits client: Client, _ scope: Scope
    ) throws(OAuthError) {
        // OpenID Connect Core section 3.1.2.1: without `openid` it is no OpenID request, and has no ID token.
        guard scope.contains("openid") || !type.contains(.idToken) else {
            throw OAuthError(.invalidRequest, "response_type id_token needs the scope openid")
        }
        // A token from the redirect is bound to no key.
        guard
            !type.contains(.token)
                || !(client.metadata.requiresDPoP || client.metadata.requiresCertificateBinding)
        else {
            throw OAuthError(
                .unauthorizedClient, "this client takes bound tokens only, and this response_type has none")
        }
    }
}

extension Client {
    /// RFC 9700 section 2.1.1. One that nobody registered is taken as it comes.
    var mustUsePKCE: Bool { metadata.requiresPKCE || (isPublic && origin != .assumed) }
}

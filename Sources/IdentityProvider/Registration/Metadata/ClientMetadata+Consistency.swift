import JOSE
import OAuth
import Primitives

/// What follows from members that are not there, and what must not be there together.
extension ClientMetadata {
    mutating func settle(_ present: PresentMembers, by rules: ClientMetadataRules) throws(ClientMetadataError) {
        try settleGrants(present)
        try settleAuthentication(present, by: rules)
        try settlePKCE(present)
        // OpenID Connect Registration section 2: left out, it is RS256, whatever the provider uses otherwise.
        if rules.source == .registration, idTokenAlgorithm == nil { idTokenAlgorithm = .rs256 }
        // RFC 7591 section 5: nobody has vouched for a client that registers itself, so that its users are asked.
        if rules.source == .registration { consent = .remembered }
        try checkRedirects(present, by: rules)
        try checkKeys(present)
        try checkSubjects(present, by: rules)
        try checkLogout(present, by: rules)
        try checkCookieSession(present)
    }

    /// RFC 7591 section 2: left out, they are `authorization_code` and `code`. Section 2.1: each response type belongs to
    /// grants, and a client cannot have one without the other.
    private mutating func settleGrants(_ present: PresentMembers) throws(ClientMetadataError) {
        if !present.contains("grant_types") {
            if !present.contains("response_types") { responseTypes = [.code] }
            grants =
                responseTypes.contains { $0.contains(.code) } || responseTypes.isEmpty ? ["authorization_code"] : []
            if responseTypes.contains(where: \.returnsTokens) { grants.insert("implicit") }
        } else if !present.contains("response_types") {
            responseTypes = grants.contains("authorization_code") ? [.code] : []
        }
        for type in responseTypes {
            guard !type.contains(.code) || grants.contains("authorization_code") else {
                throw present.error("response_types", "\(type) needs authorization_code among grant_types")
            }
            guard !type.returnsTokens || grants.contains("implicit") else {
                throw present.error("response_types", "\(type) needs implicit among grant_types")
            }
        }
        guard !grants.contains("authorization_code") || responseTypes.contains(where: { $0.contains(.code) }) else {
            throw present.error("response_types", "holds none with code, which the grant authorization_code needs")
        }
        guard !grants.contains("implicit") || !responseTypes.isEmpty else {
            throw present.error("response_types", "must name what the implicit grant is to give")
        }
    }

    private mutating func settleAuthentication(
        _ present: PresentMembers, by rules: ClientMetadataRules
    ) throws(ClientMetadataError) {
        let hasKeys = keys != nil || keysURI != nil
        if authenticationMethod == nil {
            switch rules.source {
            // RFC 7591 section 2: left out, it is client_secret_basic.
            case .registration: authenticationMethod = "client_secret_basic"
            case .configuration:
                let hasCredentials = present.contains("client_secret") || hasKeys || certificateSubject != nil
                if !hasCredentials { authenticationMethod = "none" }
            }
        }
        let member = "token_endpoint_auth_method"
        switch authenticationMethod {
        case "none":
            guard rules.source == .registration || !present.contains("client_secret") else {
                throw present.error(member, "is none, and there is a client_secret")
            }
            // RFC 6749 section 4.4: for confidential clients only.
            guard !grants.contains(ClientCredentialsGrant.type) else {
                throw present.error("grant_types", "a client that does not authenticate cannot use client_credentials")
            }
        case "private_key_jwt", "self_signed_tls_client_auth":
            guard hasKeys else { throw present.error(member, "needs jwks or jwks_uri") }
        case "tls_client_auth":
            guard certificateSubject != nil else {
                throw present.error(
                    member, "needs one of the tls_client_auth_subject_dn and tls_client_auth_san members")
            }
        case .some:
            guard rules.source == .registration || present.contains("client_secret") else {
                throw present.error(member, "needs client_secret")
            }
        case nil: break
        }
        guard certificateSubject == nil || [nil, "tls_client_auth"].contains(authenticationMethod) else {
            throw present.error(member, "is not tls_client_auth, which the subject of a certificate is for")
        }
        try checkAuthenticationAlgorithm(present)
    }

    /// OpenID Connect Registration section 2: a signature by a key, or by the secret.
    private func checkAuthenticationAlgorithm(_ present: PresentMembers) throws(ClientMetadataError) {
        guard let algorithm = authenticationAlgorithm else { return }
        let member = "token_endpoint_auth_signing_alg"
        if authenticationMethod == "private_key_jwt", algorithm.isSymmetric {
            throw present.error(member, "signs with a secret, and private_key_jwt with a key")
        }
        if authenticationMethod == "client_secret_jwt", !algorithm.isSymmetric {
            throw present.error(member, "signs with a key, and client_secret_jwt with the secret")
        }
    }

    /// RFC 9700 section 2.1.1: public clients MUST use PKCE; of others it is asked when they say so.
    private mutating func settlePKCE(_ present: PresentMembers) throws(ClientMetadataError) {
        let isPublic = authenticationMethod == "none"
        guard present.contains("require_pkce") else {
            requiresPKCE = isPublic
            return
        }
        guard requiresPKCE || !isPublic else {
            throw present.error("require_pkce", "a client that does not authenticate always has to use PKCE")
        }
    }

    private func checkRedirects(
        _ present: PresentMembers, by rules: ClientMetadataRules
    ) throws(ClientMetadataError) {
        // RFC 7591 section 2: clients that use flows with redirection MUST register where to.
        guard !redirectURIs.isEmpty || grants.isDisjoint(with: ["authorization_code", "implicit"]) else {
            throw present.error(
                "redirect_uris", "is missing, and grant_types (authorization_code if left out) needs it", .redirectURI)
        }
        guard rules.redirects == .secure, kind == .web else { return }
        // OpenID Connect Registration section 2: schemes of their own are for native applications.
        for (index, uri) in redirectURIs.enumerated() where uri.kind == .privateUse {
            throw ClientMetadataError(
                "has a scheme of its own, which is for clients whose application_type is native",
                at: present.path["redirect_uris"][index], kind: .redirectURI)
        }
    }

    private func checkKeys(_ present: PresentMembers) throws(ClientMetadataError) {
        // RFC 7591 section 2: jwks and jwks_uri MUST NOT both be there.
        guard keys == nil || keysURI == nil else { throw present.error("jwks_uri", "is there beside jwks") }
        for (member, algorithm) in algorithmsOfSecret where authenticationMethod == "none" {
            throw present.error(member, "\(algorithm) needs a secret, and a client that does not authenticate has none")
        }
    }

    /// OpenID Connect Core section 10.1: whatever is signed with the secret of the client.
    var algorithmsOfSecret: [(member: String, algorithm: SignatureAlgorithm)] {
        [
            ("id_token_signed_response_alg", idTokenAlgorithm), ("userinfo_signed_response_alg", userInfoAlgorithm),
            ("request_object_signing_alg", requestObjectAlgorithm),
            (
                "token_endpoint_auth_signing_alg",
                authenticationMethod == "client_secret_jwt" ? authenticationAlgorithm : nil
            ),
        ].compactMap { member, algorithm in
            algorithm.flatMap { $0.isSymmetric ? (member, $0) : nil }
        }
    }

    /// OpenID Connect Core section 8.1: with several hosts, a document has to say that they belong together.
    private func checkSubjects(
        _ present: PresentMembers, by rules: ClientMetadataRules
    ) throws(ClientMetadataError) {
        guard rules.source == .registration, subjectType == .pairwise, sectorIdentifierURI == nil else { return }
        guard Set(redirectURIs.map { ExactText($0.host ?? $0.text) }).count <= 1 else {
            throw present.error(
                "sector_identifier_uri", "is missing: the redirect URIs of a pairwise client lead to several hosts")
        }
    }

    /// OpenID Connect Front-Channel Logout section 2: the same scheme, host and port as a redirect URI.
    private func checkLogout(
        _ present: PresentMembers, by rules: ClientMetadataRules
    ) throws(ClientMetadataError) {
        guard rules.redirects == .secure, let uri = frontChannelLogoutURI.flatMap(WebAddress.init) else { return }
        guard redirectURIs.contains(where: uri.isSameOrigin) else {
            throw present.error("frontchannel_logout_uri", "must have the scheme, host and port of a redirect URI")
        }
    }

    /// Cookies are sent by a browser, which keeps no secret and signs no proof.
    private func checkCookieSession(_ present: PresentMembers) throws(ClientMetadataError) {
        guard cookieSession != nil else { return }
        guard authenticationMethod == "none" else {
            throw present.error(
                CookieSessionSettings.memberName,
                "is for a client that does not authenticate: a browser cannot keep a secret")
        }
        guard !requiresDPoP, !requiresCertificateBinding else {
            throw present.error(
                CookieSessionSettings.memberName, "is for tokens that are bound to no key: cookies come without a proof"
            )
        }
    }
}

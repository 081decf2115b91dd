import JOSE
import OAuth
import Primitives

/// A client: the metadata of RFC 7591 and its extensions, with its identifier and its secret.
extension ConfigurationShape {
    static let client = named(
        "client", taggedRecord(credentials + metadata + refusedMembers, tagged: taggedName, text(.plain)))

    private static let credentials: [ConfigurationField] = [
        ConfigurationField("client_id", text(.identifier), "By which it goes.", isRequired: true),
        ConfigurationField("client_secret", secret, "Without it, and without keys, it is a public client."),
    ]

    static let rotation = named("rotation", text(.rotation))

    private static let texts = list(text(.plain), count: 0...ClientMetadataValue.maximumCount)
    private static let algorithm = named("algorithm", choice(SignatureAlgorithm.allCases.map(\.rawValue)))

    /// RFC 7591 section 2.2: `client_name#ko`.
    private static let taggedName = ConfigurationText(
        expectation: "a name with a language", byteCount: 1...64,
        pattern: "^(client_name|client_uri|logo_uri|policy_uri|tos_uri)#[A-Za-z0-9-]{1,35}$"
    ) { ClientMetadata.baseOfTaggedName($0) != nil }

    private static func field(
        _ name: String, _ shape: ConfigurationShape, _ help: String
    ) -> ConfigurationField { ConfigurationField(name, shape, help) }

    private static func words<Value: RawRepresentable<String> & CaseIterable>(_: Value.Type) -> ConfigurationShape {
        choice(Value.allCases.map(\.rawValue))
    }

    private static let metadata: [ConfigurationField] = forEveryone + ofGrants + ofTokens + ofProof + ofSessions

    private static let forEveryone: [ConfigurationField] = [
        field("client_name", text(.plain), "What users see."),
        field("application_type", words(ClientMetadata.Kind.self), "web or native."),
        field("redirect_uris", texts, "Where users are sent back to. On loopback addresses any port fits."),
        field("post_logout_redirect_uris", texts, "Where users are sent after a logout."),
        field("client_uri", text(.plain), "Its home page."),
        field("logo_uri", text(.plain), "Its logo."),
        field("policy_uri", text(.plain), "Its privacy policy."),
        field("tos_uri", text(.plain), "Its terms of service."),
        field("contacts", texts, "Who is responsible for it."),
        field("software_id", text(.plain), "Given back as it came."),
        field("software_version", text(.plain), "Given back as it came."),
    ]

    private static let ofGrants: [ConfigurationField] = [
        field(
            "grant_types",
            list(
                choice(StandardClients.everyGrant(with: Set(LegacyFeature.allCases)).sorted()),
                count: 0...ClientMetadataValue.maximumCount),
            "Grants that it may use. Left out: authorization_code. password and implicit need the legacy feature."),
        field(
            "response_types", texts, "Response types that it may use. Left out: code. Others need the legacy feature."),
        field(
            "scope", text(ConfigurationText(expectation: "scopes with one space between two", byteCount: 0...2048)),
            "What it may ask for, with spaces between. Left out: anything."),
        field(
            "default_scope",
            text(ConfigurationText(expectation: "scopes with one space between two", byteCount: 0...2048)),
            "What it gets when it asks for nothing."),
        field("consent", words(ClientMetadata.Consent.self), "Whether users are asked: implied means never."),
        field("require_pkce", flag, "Public clients always have to use PKCE."),
        field("require_pushed_authorization_requests", flag, "RFC 9126."),
        field("require_signed_request_object", flag, "RFC 9101."),
        field("request_object_signing_alg", algorithm, "The algorithm of its request objects."),
        field("request_uris", texts, "Where its request objects may be."),
        field("default_max_age", integer(0...ProviderConfiguration.maximumTokenLifetimeSeconds), "In seconds."),
        field("require_auth_time", flag, "Whether auth_time is always in its ID tokens."),
        field("default_acr_values", texts, "The acr that it wants, unless it says so."),
        field("initiate_login_uri", text(.plain), "Where others begin a login."),
    ]

    private static let ofTokens: [ConfigurationField] = [
        field("access_token_format", words(ClientMetadata.AccessTokenFormat.self), "jwt (RFC 9068) or opaque."),
        field("access_token_signed_response_alg", algorithm, "Left out: that of the provider."),
        field("access_token_lifetime", named("duration", duration), "Left out: that of the provider."),
        field("access_token_audience", texts, "The aud of its access tokens."),
        field("id_token_signed_response_alg", algorithm, "Left out: that of the provider."),
        field("id_token_lifetime", named("duration", duration), "Left out: that of the provider."),
        field("userinfo_signed_response_alg", algorithm, "Left out: the answer is plain JSON."),
        field(
            "refresh_token_issuance", words(ClientMetadata.RefreshTokenIssuance.self),
            "always, or only for the scope offline_access."),
        field("rotation", rotation, "What becomes of its refresh tokens. Left out: what the provider says."),
        field("claims", object, "Claims that every token for it has."),
        field("subject_type", words(ClientMetadata.SubjectType.self), "pairwise: it knows users by a sub of its own."),
        field("sector_identifier_uri", text(.plain), "Its host stands for clients that share pairwise subjects."),
    ]

    private static let ofProof: [ConfigurationField] = [
        field(
            "token_endpoint_auth_method", choice(ClientMetadataRules.everyAuthenticationMethod.sorted()),
            "The one way in which it proves itself. Left out: any that its credentials allow."),
        field("token_endpoint_auth_signing_alg", algorithm, "The algorithm of its assertions."),
        field("jwks", keySet, "Its public keys."),
        field("jwks_uri", text(.plain), "Where its public keys are."),
        field("tls_client_auth_subject_dn", text(.plain), "What its certificate says (RFC 8705 section 2.1.2)."),
        field("tls_client_auth_san_dns", text(.plain), "The same: a host name."),
        field("tls_client_auth_san_uri", text(.plain), "The same: a URI."),
        field("tls_client_auth_san_ip", text(.plain), "The same: an address."),
        field("tls_client_auth_san_email", text(.plain), "The same: a mail address."),
        field("tls_client_certificate_bound_access_tokens", flag, "RFC 8705 section 3.4."),
        field("dpop_bound_access_tokens", flag, "RFC 9449 section 5.2."),
    ]

    private static let ofSessions: [ConfigurationField] = [
        field("backchannel_logout_uri", text(.plain), "Where logout tokens are sent."),
        field("backchannel_logout_session_required", flag, "Whether logout tokens must have sid."),
        field("frontchannel_logout_uri", text(.plain), "What browsers load at a logout."),
        field("frontchannel_logout_session_required", flag, "Whether iss and sid are added to it."),
        field("cookie_session", cookieSession, "Its sessions may be in cookies, and look like that."),
    ]

    /// Members of the standards that are known and not supported.
    private static let refusedMembers: [ConfigurationField] = {
        let known = (forEveryone + ofGrants + ofTokens + ofProof + ofSessions).map(\.name)
        return ClientMetadataMember.all.map(\.name).filter { !known.contains($0) }.map { name in
            field(name, refused("is not supported"), "Not supported.")
        }
    }()
}

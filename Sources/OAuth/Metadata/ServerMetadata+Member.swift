extension ServerMetadata {
    /// The name of a member. Extensions of OAuth register their own and add them beside themselves.
    package struct Member: Hashable, Sendable {
        package let rawValue: String

        package init(_ rawValue: StaticString) {
            self.rawValue = rawValue.description
        }
    }
}

/// RFC 8414 section 2.
extension ServerMetadata.Member {
    package static let issuer = Self("issuer")
    package static let tokenEndpoint = Self("token_endpoint")
    package static let keySetURI = Self("jwks_uri")
    package static let scopesSupported = Self("scopes_supported")
    package static let responseTypesSupported = Self("response_types_supported")
    package static let grantTypesSupported = Self("grant_types_supported")
    package static let tokenEndpointAuthenticationMethods = Self("token_endpoint_auth_methods_supported")
}

/// OpenID Connect Discovery section 3.
extension ServerMetadata.Member {
    package static let subjectTypesSupported = Self("subject_types_supported")
}

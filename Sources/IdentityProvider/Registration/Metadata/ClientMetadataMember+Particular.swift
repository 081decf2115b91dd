import JOSE
import OAuth
import Primitives

/// Members that are read in ways of their own.
extension ClientMetadataMember {
    static let grantTypes = Self("grant_types", write: { list($0.grants.sorted()) ?? [] }) {
        value, metadata throws(ClientMetadataError) in
        metadata.grants = []
        for element in try value.elements() {
            let text = try element.text()
            guard value.rules.grants.contains(where: { sameText($0, text) }) else {
                throw element.error(
                    "must be one of: \(value.rules.grants.sorted().joined(separator: ", "))"
                        + " (others only where the provider has the legacy feature on)")
            }
            metadata.grants.insert(text)
        }
    }

    static let responseTypes = Self(
        "response_types",
        write: { list($0.responseTypes.sorted { $0.rawValue < $1.rawValue }.map(\.text)) ?? [] }
    ) { value, metadata throws(ClientMetadataError) in
        metadata.responseTypes = []
        for element in try value.elements() {
            let text = try element.text()
            let type: ResponseType
            do throws(OAuthError) { type = try ResponseType(parsing: text) } catch {
                throw element.error(error.publicDescription)
            }
            guard value.rules.responseTypes.contains(type) else {
                throw element.error(
                    "gives tokens without a code or beside one, and this provider has the legacy feature "
                        + "(implicit or hybrid) off")
            }
            metadata.responseTypes.insert(type)
        }
    }

    static let authenticationMethod = Self(
        "token_endpoint_auth_method", write: { $0.authenticationMethod.map { .string($0) } }
    ) { value, metadata throws(ClientMetadataError) in
        let text = try value.text()
        guard value.rules.authenticationMethods.contains(where: { sameText($0, text) }) else {
            throw value.error("must be one of: \(value.rules.authenticationMethods.sorted().joined(separator: ", "))")
        }
        metadata.authenticationMethod = text
    }

    static let scope = Self(
        "scope",
        write: { if case .listed(let scope) = $0.scopes { .string(scope.text) } else { nil } }
    ) { value, metadata throws(ClientMetadataError) in
        metadata.scopes = .listed(try value.scope())
    }

    static let defaultScope = Self(
        "default_scope", write: { $0.defaultScope.isEmpty ? nil : .string($0.defaultScope.text) }
    ) { value, metadata throws(ClientMetadataError) in
        metadata.defaultScope = try value.scope()
        guard case .listed(let allowed) = metadata.scopes, !metadata.defaultScope.isSubset(of: allowed) else { return }
        throw value.error("exceeds scope")
    }

    /// OpenID Connect Registration section 2: the set holds no private and no symmetric key.
    static let keys = Self("jwks", write: { $0.keys?.json(.publicOnly) }) {
        value, metadata throws(ClientMetadataError) in
        let keys: JWKSet
        do throws(JWKError) { keys = try JWKSet(json: value.json) } catch { throw value.error(error.description) }
        guard keys.keys.allSatisfy({ !$0.isPrivate }) else {
            throw value.error("holds a private or symmetric key; only public ones are to be told to others")
        }
        guard !keys.keys.isEmpty else { throw value.error("holds no key of a supported type") }
        metadata.keys = keys
    }

    static let sector = Self("sector_identifier_uri", write: { $0.sectorIdentifierURI.map { .string($0) } }) {
        value, metadata throws(ClientMetadataError) in
        let address = try value.secureAddress()
        metadata.sectorIdentifierURI = address.text
        // OpenID Connect Core section 8.1: the host component of the URI is the sector identifier.
        metadata.sectorHost = address.host
    }

    /// OpenID Connect Registration section 2: a fragment may hold the hash of what is there.
    static let requestURIs = Self("request_uris", write: { list($0.requestURIs) }) {
        value, metadata throws(ClientMetadataError) in
        metadata.requestURIs = []
        for element in try value.elements() {
            metadata.requestURIs.append(try element.secureAddress(allowsFragment: true).text)
        }
    }

    static let claims = Self("claims", write: { $0.claims.isEmpty ? nil : .object($0.claims) }) {
        value, metadata throws(ClientMetadataError) in
        guard let claims = value.json.object else { throw value.error("must be an object") }
        metadata.claims = claims
    }

    /// RFC 7591 section 3.1.1: a server may ignore a statement, or refuse it. What a statement says counts more than what
    /// stands beside it, so that ignoring it would register something else than what was meant.
    static let softwareStatement = Self("software_statement", write: { _ in nil }) {
        value, _ throws(ClientMetadataError) in
        guard let text = value.json.string, (try? UnverifiedJWS(compact: text)) != nil else {
            throw value.error("must be a signed JWT", .malformedSoftwareStatement)
        }
        throw value.error("no issuer of software statements is trusted here", .unapprovedSoftwareStatement)
    }

    /// What becomes of its refresh tokens.
    static let rotation = Self("rotation", write: { $0.rotation.map { .string($0.text) } }) {
        value, metadata throws(ClientMetadataError) in
        let text = try value.text()
        do throws(RotationPolicy.TextError) { metadata.rotation = try RotationPolicy(parsing: text) } catch {
            throw value.error(error.description)
        }
    }

    static func certificateSubject(
        _ name: StaticString, _ make: @escaping @Sendable (String) -> ClientMetadata.CertificateSubject,
        _ text: @escaping @Sendable (ClientMetadata.CertificateSubject) -> String?
    ) -> Self {
        Self(name, write: { $0.certificateSubject.flatMap(text).map { .string($0) } }) {
            value, metadata throws(ClientMetadataError) in
            // RFC 8705 section 2.1.2: exactly one of the parameters.
            guard metadata.certificateSubject == nil else {
                throw value.error("is there beside another of the tls_client_auth members; exactly one is")
            }
            metadata.certificateSubject = make(try value.text())
        }
    }

    /// Given back as it came.
    static func kept(_ name: StaticString) -> Self {
        Self(name, write: { $0.otherMembers[name.description] }) { value, metadata throws(ClientMetadataError) in
            metadata.otherMembers[name.description] = .string(try value.text())
        }
    }
}

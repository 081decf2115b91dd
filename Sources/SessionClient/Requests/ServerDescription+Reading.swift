import OAuth
import Primitives

extension ServerDescription {
    /// Reads a metadata document of the server that was asked.
    package init(parsing document: Span<UInt8>, of issuer: Issuer) throws(DiscoveryError) {
        let members: JSONObject
        do {
            guard let object = try JSON(parsing: document, limits: Self.limits).object else {
                throw DiscoveryError.noDocument(.notAnObject)
            }
            members = object
        } catch let error as JSONError {
            throw .noDocument(.notJSON(error))
        } catch { throw .noDocument(.notAnObject) }

        // RFC 8414 section 3.3: the issuer MUST be identical to the one whose URL the document was fetched by; if it is
        // not, nothing of the document may be used. Whoever can choose a path of another's host would answer for him.
        guard let named = members["issuer"]?.string else { throw .malformed(member: "issuer", .missing) }
        guard sameText(named, issuer.identifier) else { throw .otherIssuer(asked: issuer.identifier) }
        guard let tokenEndpoint = try Self.endpoint("token_endpoint", in: members) else {
            throw .malformed(member: "token_endpoint", .missing)
        }
        self.init(issuer: issuer, tokenEndpoint: tokenEndpoint)
        authorizationEndpoint = try Self.endpoint("authorization_endpoint", in: members)
        deviceAuthorizationEndpoint = try Self.endpoint("device_authorization_endpoint", in: members)
        revocationEndpoint = try Self.endpoint("revocation_endpoint", in: members)
        endSessionEndpoint = try Self.endpoint("end_session_endpoint", in: members)
        userinfoEndpoint = try Self.endpoint("userinfo_endpoint", in: members)
        proofAlgorithms = try Self.texts("dpop_signing_alg_values_supported", in: members)
        scopes = try Self.texts("scopes_supported", in: members) ?? []
        codeChallengeMethods = try Self.texts("code_challenge_methods_supported", in: members)
        namesIssuerInResponses = try Self.flag("authorization_response_iss_parameter_supported", in: members)
    }

    /// 256 KiB, 16 levels deep: far more than any server says of itself.
    private static let limits = JSONLimits(bytes: maximumByteCount, depth: 16, stringBytes: 1 << 16, members: 2000)

    /// Of a document.
    package static let maximumByteCount = 256 << 10

    private static func endpoint(
        _ name: String, in members: JSONObject
    ) throws(DiscoveryError) -> ServerEndpoint? {
        guard let value = present(name, in: members) else { return nil }
        guard let text = value.string else { throw .malformed(member: name, .notText) }
        do { return try ServerEndpoint(text) } catch { throw .malformed(member: name, .badURL(error)) }
    }

    private static func texts(_ name: String, in members: JSONObject) throws(DiscoveryError) -> [String]? {
        guard let value = present(name, in: members) else { return nil }
        guard let array = value.array else { throw .malformed(member: name, .notTexts) }
        let texts = array.compactMap(\.string)
        guard texts.count == array.count else { throw .malformed(member: name, .notTexts) }
        return texts
    }

    private static func flag(_ name: String, in members: JSONObject) throws(DiscoveryError) -> Bool {
        guard let value = present(name, in: members) else { return false }
        guard let flag = value.bool else { throw .malformed(member: name, .notBoolean) }
        return flag
    }

    /// Some servers write null for what they do not have.
    private static func present(_ name: String, in members: JSONObject) -> JSON? {
        guard let value = members[name], value != .null else { return Optional.none }
        return value
    }
}

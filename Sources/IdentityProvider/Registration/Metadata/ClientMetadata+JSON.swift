import OAuth
import Primitives

extension ClientMetadata {
    /// Reads the metadata of a client as RFC 7591 section 2 and OpenID Connect Registration section 2 write it, with the
    /// members of this provider (`access_token_format`, `access_token_signed_response_alg`, `access_token_lifetime`,
    /// `id_token_lifetime`, `access_token_audience`, `default_scope`, `consent`, `refresh_token_issuance`, `claims`,
    /// `require_pkce`).
    ///
    ///     try ClientMetadata(json: object, by: ClientMetadataRules(.configuration, legacy: [.implicit]))
    ///
    /// `client_id` and `client_secret` are not metadata; a configuration has them beside it, see ``Client``.
    package init(
        json: JSONObject, by rules: ClientMetadataRules, at path: JSONPath = .root
    ) throws(ClientMetadataError) {
        self.init()
        for member in ClientMetadataMember.all {
            // RFC 7592 section 2.2: null is the same as nothing.
            guard let value = json[member.name], value != .null else { continue }
            let found = ClientMetadataValue(json: value, path: path[member.name], rules: rules)
            guard !member.isOperators || rules.source == .configuration else {
                throw found.error("is for whoever runs the provider to decide, in its configuration")
            }
            try member.read(found, &self)
        }
        for (name, value) in json where value != .null && ClientMetadataMember.named(name) == nil {
            try readOther(name, ClientMetadataValue(json: value, path: path[name], rules: rules))
        }
        try settle(PresentMembers(json: json, path: path), by: rules)
    }

    /// What is not metadata, and stands beside it in a configuration.
    private static let credentials: Set<String> = ["client_id", "client_secret"]

    /// RFC 7591 section 2.2: texts for people may be there in several languages, `client_name#ko`.
    private mutating func readOther(_ name: String, _ value: ClientMetadataValue) throws(ClientMetadataError) {
        guard let base = Self.baseOfTaggedName(name) else {
            guard rules(value, ignore: name) else { throw value.error("is no member of client metadata") }
            return
        }
        guard otherMembers.count < ClientMetadataValue.maximumCount else {
            throw value.error("is one language too many; \(ClientMetadataValue.maximumCount) members have tags at most")
        }
        let text = base == "client_name" ? try value.text() : try value.webAddress(allowsFragment: true).text
        otherMembers[name] = .string(text)
    }

    private func rules(_ value: ClientMetadataValue, ignore name: String) -> Bool {
        // RFC 7591 section 2: the server MUST ignore metadata that it does not understand.
        value.rules.source == .registration || Self.credentials.contains(name)
    }

    private static let translatable = ["client_name", "client_uri", "logo_uri", "policy_uri", "tos_uri"]
    /// Bytes; RFC 5646 section 4.4.1 has room for every tag in 35.
    private static let maximumTagByteCount = 35

    static func baseOfTaggedName(_ name: String) -> String? {
        guard let mark = name.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
        let tag = name.utf8[name.utf8.index(after: mark)...]
        guard (1...maximumTagByteCount).contains(tag.count),
            tag.allSatisfy({ $0.isASCIIDigit || $0 == 0x2D || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) })
        else { return nil }
        return translatable.first { sameText($0, String(name[..<mark])) }
    }

    /// The metadata as it is registered, what follows from being left out included (RFC 7591 section 3.2.1).
    package var json: JSONObject {
        var json = JSONObject()
        for member in ClientMetadataMember.all {
            if let value = member.write(self) { json[member.name] = value }
        }
        for (name, value) in otherMembers { json[name] = value }
        return json
    }
}

/// Which members were there, for rules about those that were not.
struct PresentMembers: Sendable {
    let json: JSONObject
    let path: JSONPath

    func contains(_ name: String) -> Bool { json[name].map { $0 != .null } ?? false }

    func error(
        _ name: String, _ problem: String, _ kind: ClientMetadataError.Kind = .metadata
    ) -> ClientMetadataError {
        ClientMetadataError(problem, at: path[name], kind: kind)
    }
}

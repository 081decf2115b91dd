import Primitives

/// What an authorization request asks for: any of `code`, `id_token` and `token` (OAuth 2.0 Multiple Response Type
/// Encoding Practices section 3, RFC 6749 section 3.1.1).
package struct ResponseType: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue & 7 }

    package static let code = Self(rawValue: 1)
    package static let idToken = Self(rawValue: 2)
    package static let token = Self(rawValue: 4)

    /// In the order in which the registry spells combinations.
    private static let names: [(type: Self, name: String)] = [
        (.code, "code"), (.idToken, "id_token"), (.token, "token"),
    ]

    /// RFC 6749 section 3.1.1: the order of the values does not matter. One that is unknown, and `none`, which would be
    /// an answer with nothing in it, are `unsupported_response_type`; what is malformed is `invalid_request`.
    package init(parsing text: String) throws(OAuthError) {
        // As nearly all have it.
        guard !sameText(text, "code") else {
            self = .code
            return
        }
        self = []
        guard text.utf8.count <= Self.maximumByteCount else {
            throw OAuthError(.unsupportedResponseType, "response_type is code, id_token, token or several of them")
        }
        for word in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                throw OAuthError(.invalidRequest, "the values of response_type are separated by exactly one space")
            }
            guard let known = Self.names.first(where: { $0.name.utf8.elementsEqual(word) }) else {
                throw OAuthError(.unsupportedResponseType, "response_type is code, id_token, token or several of them")
            }
            guard !contains(known.type) else {
                throw OAuthError(.invalidRequest, "response_type names a value twice")
            }
            insert(known.type)
        }
    }

    /// Room for every combination, and no more work than that for anything else.
    private static let maximumByteCount = 64

    /// As it stands on the wire, in the order of the registry.
    package var text: String {
        Self.names.filter { contains($0.type) }.map(\.name).joined(separator: " ")
    }

    /// Whether the redirect itself carries a token.
    package var returnsTokens: Bool { !isDisjoint(with: [.idToken, .token]) }
}

extension ResponseType: CustomStringConvertible {
    package var description: String { text }
}

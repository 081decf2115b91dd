import Primitives

/// How the answer travels to the redirect URI (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1, OAuth 2.0
/// Form Post Response Mode section 2).
package enum ResponseMode: String, Hashable, Sendable, CaseIterable {
    case query
    case fragment
    case formPost = "form_post"

    /// Multiple Response Types section 2.1: the query for `code`, the fragment for whatever returns a token.
    package static func standard(for type: ResponseType) -> Self { type.returnsTokens ? .fragment : .query }

    /// Multiple Response Types sections 3 and 5: a token MUST NOT be returned in the query.
    package func isAllowed(for type: ResponseType) -> Bool { self != .query || !type.returnsTokens }

    /// The mode that a request asks for, or the standard one.
    package init(parsing text: String?, for type: ResponseType) throws(OAuthError) {
        guard let text else {
            self = .standard(for: type)
            return
        }
        guard let mode = Self.allCases.first(where: { sameText($0.rawValue, text) }) else {
            throw OAuthError(.invalidRequest, "response_mode is query, fragment or form_post")
        }
        guard mode.isAllowed(for: type) else {
            throw OAuthError(.invalidRequest, "response_mode is not query where the response carries a token")
        }
        self = mode
    }
}

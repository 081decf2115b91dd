import Primitives

/// How the pages should look (OpenID Connect Core section 3.1.2.1).
package enum Display: String, Hashable, Sendable, CaseIterable {
    case page, popup, touch, wap

    package init(parsing text: String) throws(OAuthError) {
        guard let display = Self.allCases.first(where: { sameText($0.rawValue, text) }) else {
            throw OAuthError(.invalidRequest, "display is page, popup, touch or wap")
        }
        self = display
    }
}

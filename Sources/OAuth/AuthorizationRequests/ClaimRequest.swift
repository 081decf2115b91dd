import Primitives

/// What a request says about one claim (OpenID Connect Core section 5.5.1).
package struct ClaimRequest: Hashable, Sendable {
    /// Perhaps with a language behind `#` (section 5.2).
    package let name: String
    package let isEssential: Bool
    /// The values it should have: none named, the one of `value`, or those of `values` in order of preference.
    package let values: [JSON]

    /// Whether the request lets the claim be this.
    package func permits(_ value: JSON) -> Bool { values.isEmpty || values.contains(value) }

    /// Null asks for the claim as a voluntary one. Members that nobody knows are ignored.
    init(name: String, _ request: JSON) throws(OAuthError) {
        self.name = name
        switch request {
        case .null:
            isEssential = false
            values = []
        case .object(let members):
            guard let isEssential = (members["essential"] ?? false).bool else {
                throw OAuthError(.invalidRequest, "claims: essential is true or false")
            }
            guard let several = (members["values"] ?? []).array, several.count <= Self.maximumValueCount else {
                throw OAuthError(
                    .invalidRequest, "claims: values is an array of at most \(Self.maximumValueCount) values")
            }
            // Section 5.5.1 has one or the other; with both it cannot be told what is meant.
            guard !members.contains("value") || !members.contains("values") else {
                throw OAuthError(.invalidRequest, "claims: a claim has value or values, not both")
            }
            self.isEssential = isEssential
            values = members["value"].map { [$0] } ?? several
        default:
            throw OAuthError(.invalidRequest, "claims: what is asked of a claim is null or an object")
        }
    }

    package static let maximumValueCount = 32
}

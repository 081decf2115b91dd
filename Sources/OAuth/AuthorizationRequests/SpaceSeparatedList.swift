/// Values in order of preference, with one space between two: `acr_values`, `ui_locales`, `claims_locales` (OpenID
/// Connect Core section 3.1.2.1).
package struct SpaceSeparatedList: Hashable, Sendable {
    /// Each once.
    package let values: [String]

    /// Of printable ASCII, without quotes and backslashes. `parameter` is for the description of the error.
    package init(parsing text: String, of parameter: StaticString) throws(OAuthError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw OAuthError(.invalidRequest, "\(parameter) is longer than \(Self.maximumByteCount) bytes")
        }
        var values: [String] = []
        for word in text.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
            guard !word.isEmpty else {
                throw OAuthError(.invalidRequest, "the values of \(parameter) are separated by exactly one space")
            }
            guard word.allSatisfy(OAuthCharacters.isUnquoted) else {
                throw OAuthError(.invalidRequest, "\(parameter) is printable ASCII without quotes and backslashes")
            }
            let value = String(Substring(word))
            if !values.contains(value) { values.append(value) }
            guard values.count <= Self.maximumCount else {
                throw OAuthError(.invalidRequest, "\(parameter) has more than \(Self.maximumCount) values")
            }
        }
        self.values = values
    }

    package static let maximumByteCount = 1024
    package static let maximumCount = 32
}

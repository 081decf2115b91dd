/// A refusal in the words of OAuth.
///
/// The code and the public description reach the client. The cause is for the log alone, and holds no secret and no
/// token either. Two errors are the same when their codes are.
///
///     throw OAuthError(.invalidScope, "this client may ask for: read write")
package struct OAuthError: Error, Sendable {
    package let code: OAuthErrorCode
    /// For the developer of the client: what was wrong and what would be right. Never what the client sent.
    package let publicDescription: String
    /// What happened inside, where the public description must not tell.
    package let cause: String?
    /// When to come again, where it was too often; the status is 429 then (RFC 6585 section 4), unless a challenge is due.
    package let secondsToWait: Int?
    /// Whether it answers credentials of the `Authorization` field, which takes 401 and a challenge (RFC 6749 section 5.2).
    package private(set) var isChallenge = false

    /// RFC 6749 section 5.2: `error_description` is made of %x20-21, %x23-5B and %x5D-7E. Any other character of
    /// `publicDescription` becomes an apostrophe, so that no caller can break the rule.
    package init(
        _ code: OAuthErrorCode, _ publicDescription: String, cause: String? = nil, secondsToWait: Int? = nil
    ) {
        self.code = code
        self.publicDescription = Self.permitted(publicDescription)
        self.cause = cause
        self.secondsToWait = secondsToWait
    }

    /// The same, as the answer to credentials of the `Authorization` field.
    package var asChallenge: Self {
        var copy = self
        copy.isChallenge = true
        return copy
    }

    private static func permitted(_ text: String) -> String {
        if text.utf8.allSatisfy(OAuthCharacters.isDescriptionByte) { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    UInt8(exactly: scalar.value).map(OAuthCharacters.isDescriptionByte) == true ? scalar : "'"
                }))
    }
}

extension OAuthError: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension OAuthError: CustomStringConvertible {
    package var description: String {
        let reached = "\(code.rawValue): \(publicDescription)"
        return cause.map { "\(reached) (\($0))" } ?? reached
    }
}

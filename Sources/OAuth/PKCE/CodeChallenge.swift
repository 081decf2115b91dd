import Primitives

/// What an authorization request says about the verifier that will come with the code (RFC 7636 section 4.3).
///
/// This module hashes nothing itself; who can hash hands the function in.
///
///     let challenge = try CodeChallenge(parsing: form["code_challenge"] ?? "", method: form["code_challenge_method"])
///     challenge.matches(verifier) { HashFunction.sha256.digest($0) }
package struct CodeChallenge: Hashable, Sendable {
    package let method: CodeChallengeMethod
    package let value: String

    /// RFC 7636 section 4.3: without a method it is `plain`. Section 4.4.1: a method that is not supported is
    /// `invalid_request`.
    package init(parsing value: String, method: String?) throws(OAuthError) {
        guard let method = method.map(CodeChallengeMethod.init(exactly:)) ?? .plain else {
            throw OAuthError(.invalidRequest, "code_challenge_method is S256 or plain")
        }
        guard let challenge = Self(method: method, value: value) else {
            throw OAuthError(
                .invalidRequest,
                "code_challenge is made of \(Self.byteCounts.lowerBound) to \(Self.byteCounts.upperBound) letters, "
                    + "digits, - . _ and ~ (RFC 7636 section 4.2)")
        }
        self = challenge
    }

    /// Nil unless the value is of the grammar of RFC 7636 section 4.2.
    package init?(method: CodeChallengeMethod, value: String) {
        guard Self.isWellFormed(value) else { return nil }
        self.method = method
        self.value = value
    }

    /// The challenge that a client derives from its verifier.
    package init(_ method: CodeChallengeMethod, of verifier: CodeVerifier, sha256: (Span<UInt8>) -> [UInt8]) {
        self.method = method
        value = String(decoding: Self.transform(verifier, by: method, sha256), as: UTF8.self)
    }

    /// RFC 7636 section 4.6: whether the verifier is the one the challenge was made of, in time that does not tell
    /// how much of it is right.
    package func matches(_ verifier: CodeVerifier, sha256: (Span<UInt8>) -> [UInt8]) -> Bool {
        let presented = Self.transform(verifier, by: method, sha256)
        let expected = Array(value.utf8)
        return constantTimeEquals(presented.span, expected.span)
    }

    private static func transform(
        _ verifier: CodeVerifier, by method: CodeChallengeMethod, _ sha256: (Span<UInt8>) -> [UInt8]
    ) -> [UInt8] {
        verifier.secret.withBytes { bytes in
            switch method {
            case .plain: return Array(bytes)
            case .s256:
                let digest = sha256(bytes.assumingMemoryBound(to: UInt8.self).span)
                return Array(Base64URL.encode(digest).utf8)
            }
        }
    }

    /// How long a challenge and a verifier are: RFC 7636 sections 4.1 and 4.2.
    package static let byteCounts = 43...128

    static func isWellFormed(_ text: String) -> Bool {
        byteCounts.contains(text.utf8.count) && text.utf8.allSatisfy(URICharacters.isUnreserved)
    }
}

extension CodeChallengeMethod {
    /// The method of that name, byte by byte.
    package init?(exactly name: String) {
        guard let method = Self.allCases.first(where: { sameText($0.rawValue, name) }) else { return nil }
        self = method
    }
}

import Primitives

/// An access token as an `Authorization` field carries it (RFC 6750 section 2.1, RFC 9449 section 7.1).
///
/// The token is a secret: it prints as `<redacted>`.
package struct BearerCredentials: Sendable {
    /// Whether the token alone is enough.
    package enum Scheme: String, Hashable, Sendable, CaseIterable {
        case bearer = "Bearer"
        /// With a proof of a key beside it.
        case dpop = "DPoP"
    }

    package let scheme: Scheme
    package let token: String

    /// The scheme of an `Authorization` value, if it is one of the two; the name has no case (RFC 9110 section 11.1).
    package static func scheme(of authorization: String) -> Scheme? {
        let name = authorization.utf8.prefix { $0 != 0x20 }
        return Scheme.allCases.first { scheme in
            name.count == scheme.rawValue.utf8.count
                && zip(name, scheme.rawValue.utf8).allSatisfy { URICharacters.isLetter($0) && $0 | 0x20 == $1 | 0x20 }
        }
    }

    /// Reads the value of an `Authorization` field: the scheme, spaces, and a `b64token` to the very end.
    package init(authorization: String) throws(BearerCredentialsError) {
        guard let scheme = Self.scheme(of: authorization) else { throw .otherScheme }
        guard authorization.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        let token = authorization.utf8.dropFirst(scheme.rawValue.utf8.count).drop { $0 == 0x20 }
        guard !token.isEmpty else { throw .missingToken }
        guard Self.isToken(token) else { throw .malformedToken }
        self.scheme = scheme
        self.token = String(Substring(token))
    }

    /// Longer than any honest token.
    package static let maximumByteCount = 16_384

    /// RFC 6750 section 2.1: `b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`.
    package static func isToken(_ text: some Collection<UInt8>) -> Bool {
        // The indices of a text cost more than what is asked of its bytes.
        text.withContiguousStorageIfAvailable(isB64Token) ?? Array(text).withUnsafeBufferPointer(isB64Token)
    }

    private static func isB64Token(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var length = bytes.count
        while length > 0, bytes[length - 1] == UInt8(ascii: "=") { length -= 1 }
        return length > 0
            && bytes[..<length].allSatisfy {
                URICharacters.isUnreserved($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            }
    }
}

extension BearerCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(scheme.rawValue) <redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

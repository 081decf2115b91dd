import Primitives

/// A client's identifier and secret as HTTP Basic carries them.
///
/// RFC 6749 section 2.3.1: both are encoded as in a form *before* they are put together and turned into Base64, so
/// `my%2Dsecret` in the header is `my-secret`. A client that forgot to encode differs only where its secret has a
/// `+`, a `%` or, in its identifier, a colon.
package struct BasicCredentials: Sendable {
    package let clientID: String
    package let secret: Secret

    /// Whether an `Authorization` value is of this scheme; the name of a scheme has no case (RFC 9110 section 11.1).
    package static func isScheme(of authorization: String) -> Bool {
        authorization.withUTF8Span { bytes in
            guard bytes.count >= scheme.utf8CodeUnitCount else { return false }
            for index in 0..<scheme.utf8CodeUnitCount where bytes[index] | 0x20 != scheme.utf8Start[index] {
                return false
            }
            return bytes.count == scheme.utf8CodeUnitCount || bytes[scheme.utf8CodeUnitCount] == 0x20
        }
    }

    private static let scheme: StaticString = "basic"

    /// Reads the value of an `Authorization` field.
    package init(authorization: String) throws(BasicCredentialsError) {
        guard Self.isScheme(of: authorization) else { throw .otherScheme }
        guard authorization.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        var decoded = try authorization.withUTF8Span { value throws(BasicCredentialsError) in
            // RFC 9110 section 11.4: 1*SP between the scheme and the token68.
            var start = Self.scheme.utf8CodeUnitCount
            while start < value.count, value[start] == 0x20 { start += 1 }
            guard start < value.count else { throw .missingCredentials }
            do { return try Base64.decode(value.extracting(start..<value.count)) } catch { throw .badBase64 }
        }
        defer { Self.wipeBytes(of: &decoded) }
        // RFC 7617 section 2: the first colon ends the identifier.
        guard let colon = decoded.firstIndex(of: UInt8(ascii: ":")) else { throw .missingColon }

        let identifier = try Self.visible(decoded.span.extracting(0..<colon))
        guard !identifier.isEmpty else { throw .emptyIdentifier }
        var secret = try Self.visible(decoded.span.extracting(colon + 1..<decoded.count))
        defer { Self.wipeBytes(of: &secret) }
        clientID = String(decoding: identifier, as: UTF8.self)
        self.secret = Secret(secret)
    }

    /// Longer than any honest client's.
    package static let maximumByteCount = 8192

    /// RFC 6749 sections A.1 and A.2: identifier and secret are made of %x20-7E.
    private static func visible(_ encoded: Span<UInt8>) throws(BasicCredentialsError) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            try FormText.decode(encoded, at: 0, into: &bytes)
        } catch {
            throw error.kind == .badPercentEncoding ? .badPercentEncoding : .forbiddenCharacter
        }
        guard bytes.allSatisfy(OAuthCharacters.isVisible) else { throw .forbiddenCharacter }
        return bytes
    }

    private static func wipeBytes(of bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { wipe($0) }
    }
}

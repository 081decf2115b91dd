import Crypto
import Primitives

/// Writes and reads refresh tokens.
///
/// A refresh token is derived, not stored: its family, its number in the line and a code that only this provider can
/// make. Whatever carries a valid code was given by us, at whatever time; the store keeps a counter for each family and
/// no token, so that nobody who reads it learns one.
///
///     let text = codec.token(of: family.id, node: 1)
///     codec.read(text)            // (family, 1)
package struct RefreshTokenCodec: Sendable {
    private let authenticator: HMAC

    /// Tells a refresh token from every other text of ours, and its format from later ones.
    private static let prefix = "rt1."
    private static let nodeByteCount = 4
    private static let usualTextByteCount = 80
    private static let contentByteCount = FamilyID.byteCount + nodeByteCount

    package init(secret: Secret) {
        authenticator = HMAC(.sha256, key: secret)
    }

    package func token(of family: FamilyID, node: UInt32) -> String {
        var bytes = family.bytes
        bytes.reserveCapacity(Self.contentByteCount + HashFunction.sha256.byteCount)
        withUnsafeBytes(of: node.bigEndian) { bytes.append(contentsOf: $0) }
        let code = authenticator.authenticate(bytes.span)
        bytes.append(contentsOf: code)
        var text: [UInt8] = []
        text.reserveCapacity(Self.usualTextByteCount)
        text.append(Self.prefix)
        Base64URL.append(bytes.span, to: &text)
        return String(knownASCII: text.span)
    }

    /// `nil` for everything that we did not write. The code is compared in constant time.
    package func read(_ token: String) -> (family: FamilyID, node: UInt32)? {
        guard token.utf8.starts(with: Self.prefix.utf8), let bytes = Self.bytes(behindPrefixOf: token),
            bytes.count == Self.contentByteCount + HashFunction.sha256.byteCount,
            authenticator.isValid(
                bytes.span.extracting(Self.contentByteCount..<bytes.count),
                for: bytes.span.extracting(0..<Self.contentByteCount)),
            let family = FamilyID(bytes: Array(bytes[..<FamilyID.byteCount]))
        else { return nil }
        let node = bytes[FamilyID.byteCount..<Self.contentByteCount].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (family, node)
    }

    /// By bytes: the last of the prefix and a combining character after it are one Character.
    private static func bytes(behindPrefixOf token: String) -> [UInt8]? {
        token.withUTF8Span { text in try? Base64URL.decode(text.extracting(droppingFirst: prefix.utf8.count)) }
    }
}

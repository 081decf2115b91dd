import Primitives

/// The `jti` of an access token: its family, if it has one, a number that no other has, the number of the refresh token that it
/// came with, if it ends with that one, and the stay of its client. So a token tells by itself whose end is its own.
struct AccessTokenIdentifier: Sendable {
    let text: String

    /// - Parameter stay: of the client that gets it (``Client/stay``).
    init(of family: FamilyID?, with node: UInt32? = nil, in stay: Int, from random: any RandomSource) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualByteCount)
        if let family {
            Base64URL.append(family.bytes.span, to: &bytes)
            bytes.append(UInt8(ascii: "."))
            random.appendIdentifier(byteCount: 9, to: &bytes)
        } else {
            random.appendIdentifier(to: &bytes)
        }
        if let node {
            bytes.append(UInt8(ascii: "."))
            bytes.append(decimal: Int(node))
        }
        bytes.append(UInt8(ascii: "~"))
        bytes.append(String(stay))
        text = String(knownASCII: bytes.span)
    }

    private static let usualByteCount = 64

    /// The number of the refresh token that stands in an identifier.
    static func node(in text: String) -> UInt32? {
        let unique = text.utf8.prefix { $0 != UInt8(ascii: "~") }
        let parts = unique.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 3 ? UInt32(String(Substring(parts[2]))) : nil
    }

    /// The family that stands in an identifier.
    static func family(in text: String) -> FamilyID? {
        guard let separator = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return FamilyID(text[..<separator])
    }

    /// The stay that stands in an identifier; `nil`: a test chose the identifier, and whoever chooses it vouches for it.
    static func stay(in text: String) -> Int? {
        guard let separator = text.utf8.lastIndex(of: UInt8(ascii: "~")) else { return nil }
        return Int(text[text.utf8.index(after: separator)...])
    }
}

import Primitives

/// The `jti` of an access token: its family, if it has one, and a number that no other has. So a token tells by itself
/// whose end is its own.
struct AccessTokenIdentifier: Sendable {
    let text: String

    init(of family: FamilyID?, from random: any RandomSource) {
        text = family.map { "\($0).\(random.identifier(byteCount: 9))" } ?? random.identifier()
    }

    /// The family that stands in an identifier.
    static func family(in text: String) -> FamilyID? {
        guard let separator = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return FamilyID(text[..<separator])
    }
}

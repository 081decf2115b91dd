/// The character classes of RFC 6749 appendix A.
package enum OAuthCharacters {
    /// `VSCHAR`: %x20-7E. What client identifiers and secrets are made of (sections A.1 and A.2).
    @inlinable
    package static func isVisible(_ byte: UInt8) -> Bool { byte >= 0x20 && byte <= 0x7E }

    /// `NQCHAR`: %x21 / %x23-5B / %x5D-7E. What a scope token is made of (section A.4): no space, no quote, no
    /// backslash.
    @inlinable
    package static func isUnquoted(_ byte: UInt8) -> Bool {
        byte >= 0x21 && byte <= 0x7E && byte != 0x22 && byte != 0x5C
    }

    /// `NQSCHAR`: the same and the space. What an error description is made of (section A.8).
    @inlinable
    package static func isDescriptionByte(_ byte: UInt8) -> Bool { byte == 0x20 || isUnquoted(byte) }
}

/// Why a text is not Base64 or Base64URL. Says where, never what stood there.
package enum Base64Error: Error, Hashable, Sendable {
    /// A byte outside the alphabet: white space, padding where none may be, the other alphabet's signs.
    case foreignByte(offset: Int)
    /// No number of bytes encodes to this many characters.
    case impossibleLength
    /// The last character carries bits that belong to no byte (RFC 4648 section 3.5).
    case strayBits
}

/// The errors of ``Base64URL`` are those of ``Base64``.
package typealias Base64URLError = Base64Error

extension Base64Error: CustomStringConvertible {
    package var description: String {
        switch self {
        case .foreignByte(let offset): "byte outside the Base64 alphabet at offset \(offset)"
        case .impossibleLength: "length that no Base64 text has"
        case .strayBits: "stray bits in the last Base64 character"
        }
    }
}

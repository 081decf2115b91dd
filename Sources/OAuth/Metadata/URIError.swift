/// What is wrong with a URI that must be absolute. Never says what it was.
package enum URIError: Error, Hashable, Sendable, CustomStringConvertible {
    case relative
    case hasFragment
    case forbiddenCharacter
    case badPercentEncoding
    case tooLong(limit: Int)

    package var description: String {
        switch self {
        case .relative: "it is not absolute: it must begin with a scheme and a colon"
        case .hasFragment: "it has a fragment (#)"
        case .forbiddenCharacter: "it holds a character that no URI holds and that must be percent-encoded"
        case .badPercentEncoding: "a % must be followed by two hexadecimal digits"
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        }
    }
}

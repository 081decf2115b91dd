/// What is wrong with a form. Says where, never what stood there.
package struct FormError: Error, Hashable, Sendable {
    /// The rule that was broken.
    package enum Kind: Hashable, Sendable {
        /// `%` without two hexadecimal digits behind it.
        case badPercentEncoding
        /// A control character as it is, or NUL in any spelling.
        case controlCharacter
        case invalidUTF8
        case missingName
        case nameTooLong(limit: Int)
        case valueTooLong(limit: Int)
        case tooManyParameters(limit: Int)
    }

    package let kind: Kind
    /// In bytes from the start of the form.
    package let offset: Int

    package init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension FormError: CustomStringConvertible {
    package var description: String { "\(kind.description) (byte \(offset) of the form)" }
}

extension FormError.Kind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badPercentEncoding: "a % must be followed by two hexadecimal digits"
        case .controlCharacter: "a form may not contain NUL, nor other control characters unless percent-encoded"
        case .invalidUTF8: "a name or value is not UTF-8"
        case .missingName: "a parameter has no name"
        case .nameTooLong(let limit): "a parameter name is longer than \(limit) bytes"
        case .valueTooLong(let limit): "a parameter value is longer than \(limit) bytes"
        case .tooManyParameters(let limit): "more than \(limit) parameters"
        }
    }
}

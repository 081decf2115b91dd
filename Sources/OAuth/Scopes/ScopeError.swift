/// What is wrong with the text of a scope.
public enum ScopeError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case misplacedSpace
    case forbiddenCharacter
    case tooLong
    case tooMany

    public var description: String {
        switch self {
        case .empty: "the scope is empty"
        case .misplacedSpace: "scope tokens are separated by exactly one space, with none at either end"
        case .forbiddenCharacter: "a scope token is printable ASCII without spaces, double quotes and backslashes"
        case .tooLong: "the scope is longer than \(Scope.maximumByteCount) bytes"
        case .tooMany: "the scope names more than \(Scope.maximumTokenCount) tokens"
        }
    }
}

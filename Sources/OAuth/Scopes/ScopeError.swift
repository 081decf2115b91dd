/// What is wrong with the text of a scope.
///
///     do throws(ScopeError) { _ = try Scope(parsing: "read  write") } catch {
///         print(error)            // scope tokens are separated by exactly one space, with none at either end
///     }
public enum ScopeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// To ask for none, leave the scope out.
    case empty
    /// At either end, or two in a row.
    case misplacedSpace
    /// Other than printable ASCII, or one of `"` and `\`.
    case forbiddenCharacter
    /// More than 4096 bytes.
    case tooLong
    /// More than 128 tokens.
    case tooMany

    /// In a sentence, without the text.
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

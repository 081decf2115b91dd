/// What a shell offers as the value of an option or an operand.
enum ValueCompletion: Sendable, Equatable {
    case nothing
    case file
    case directory
    case oneOf([String])
}

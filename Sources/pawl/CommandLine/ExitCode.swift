/// What the exit of the process tells a script.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case refused = 1
    case usage = 2
    case badInput = 3
    case environment = 4

    var meaning: String {
        switch self {
        case .success: "done"
        case .refused: "a check failed: the token was refused, there is no such key"
        case .usage: "the command line was not understood"
        case .badInput: "something that was read is malformed, or could not be read"
        case .environment: "the system refused: a port in use, no permission, a disk full"
        }
    }
}

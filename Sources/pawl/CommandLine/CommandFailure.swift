/// Why a command stops: what the user is told and what the process exits with.
struct CommandFailure: Error, Sendable {
    let exitCode: ExitCode
    /// What was wrong, in one line. Empty where the command has said it already.
    let message: String
    /// What to do about it, if that is known.
    let hint: String?

    init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }

    static func refused(_ message: String, hint: String? = nil) -> Self { Self(.refused, message, hint: hint) }
    static func usage(_ message: String, hint: String? = nil) -> Self { Self(.usage, message, hint: hint) }
    static func badInput(_ message: String, hint: String? = nil) -> Self { Self(.badInput, message, hint: hint) }
    static func environment(_ message: String, hint: String? = nil) -> Self {
        Self(.environment, message, hint: hint)
    }
}

/// What stands on a command line without dashes.
struct Operand: Sendable {
    /// Stands for it in the help: `TOKEN`.
    let placeholder: String
    let help: String
    let isRequired: Bool
    let completion: ValueCompletion

    init(
        _ placeholder: String, _ help: String, isRequired: Bool = true, completion: ValueCompletion = .nothing
    ) {
        self.placeholder = placeholder
        self.help = help
        self.isRequired = isRequired
        self.completion = completion
    }
}

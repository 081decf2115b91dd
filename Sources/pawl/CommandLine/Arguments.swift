/// What was given to a command, looked up by its options.
struct Arguments: Sendable {
    /// Texts per option that the options' rows have found acceptable: given, else from the environment, else the
    /// defaults.
    private let texts: [String: [String]]
    /// The names of the options that stood on the command line or in the environment.
    private let given: Set<String>
    let operands: [String]

    init(texts: [String: [String]], given: Set<String>, operands: [String]) {
        self.texts = texts
        self.given = given
        self.operands = operands
    }

    subscript<Value>(option: Option<Value>) -> Value {
        guard let texts = texts[option.row.name] else {
            preconditionFailure("--\(option.row.name) is not in the table of this command")
        }
        return option.make(texts)
    }

    /// Whether the value is not the default.
    func isGiven<Value>(_ option: Option<Value>) -> Bool {
        given.contains(option.row.name)
    }
}

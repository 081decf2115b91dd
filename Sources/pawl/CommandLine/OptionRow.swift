/// One row of a command's table of options. Parsing, help, completions and hints are all made from it.
struct OptionRow: Sendable {
    /// Without the dashes.
    let name: String
    let short: Character?
    /// `nil`: a flag, which takes no value.
    let placeholder: String?
    let help: String
    let group: OptionGroup
    /// What counts when nothing is given, as one would type it.
    let defaults: [String]
    /// Said in place of the default where it is no text that one could type: `one per core`.
    let defaultNote: String?
    /// The variable that counts when the option is not given.
    let environment: String?
    /// Whether every occurrence counts. Otherwise the last one does.
    let isRepeatable: Bool
    let completion: ValueCompletion
    /// Says what was expected if the text cannot be a value; `nil` if it can.
    let problem: @Sendable (String) -> String?

    var isFlag: Bool { placeholder == nil }
}

/// A heading in the help of a command.
struct OptionGroup: Hashable, Sendable {
    let title: String

    static let general = OptionGroup(title: "Options")
}

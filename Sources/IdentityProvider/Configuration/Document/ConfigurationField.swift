import Primitives

/// One member of an object in a configuration file: its name, what its value must look like, and what it is for.
struct ConfigurationField: Sendable {
    let name: String
    let shape: ConfigurationShape
    let help: String
    var isRequired = false

    init(_ name: String, _ shape: ConfigurationShape, _ help: String, isRequired: Bool = false) {
        self.name = name
        self.shape = shape
        self.help = help
        self.isRequired = isRequired
    }
}

import Primitives

/// What is wrong with a configuration, as it is found: all of it, up to a limit.
struct ConfigurationProblems: Sendable {
    private(set) var found: [ConfigurationProblem] = []
    /// Beyond the limit, they are only counted.
    private(set) var omittedCount = 0

    /// Nobody mends more in one go, and each has to be looked up in the text.
    static let maximumCount = 100

    var isEmpty: Bool { found.isEmpty }

    mutating func add(_ message: String, at path: JSONPath, part: JSONPlace.Part = .value) {
        guard found.count < Self.maximumCount else {
            omittedCount += 1
            return
        }
        found.append(ConfigurationProblem(path: path, part: part, message: message))
    }

    /// Whether something is wrong within the value at `path`, or with that at `parent` as a whole.
    func concerns(_ path: JSONPath, or parent: JSONPath) -> Bool {
        found.contains { $0.path == parent || $0.path.steps.starts(with: path.steps) }
    }
}

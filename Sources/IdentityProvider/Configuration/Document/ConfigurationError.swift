import Primitives

/// Everything that is wrong with a configuration file, with the places in its text.
package struct ConfigurationError: Error, Sendable, Equatable {
    /// A problem and where it is.
    package struct Entry: Sendable, Equatable {
        package let place: JSONPlace
        /// Empty where the text is no JSON.
        package let path: String
        package let message: String
    }

    /// In the order of the text.
    package let entries: [Entry]
    /// How many more there are.
    package let omittedCount: Int

    init(_ problems: ConfigurationProblems, in text: Span<UInt8>, limits: JSONLimits) {
        var entries: [Entry] = []
        for problem in problems.found {
            let place = JSON.nearestPlace(of: problem.path, in: text, part: problem.part, limits: limits)
            entries.append(Entry(place: place, path: Self.shown(problem.path), message: problem.message))
        }
        self.entries = entries.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
        omittedCount = problems.omittedCount
    }

    init(_ error: JSONError, in text: Span<UInt8>, limits: JSONLimits) {
        let isRepeated = error.kind == .duplicateName
        entries = [
            Entry(
                place: JSONPlace(line: error.line, column: error.column),
                path: isRepeated ? Self.shown(JSON.path(to: error, in: text, limits: limits)) : "",
                message: isRepeated ? "is there twice in one object" : "no JSON: \(error.kind.description)")
        ]
        omittedCount = 0
    }

    /// Characters of a path in a message: names come from the file and may be as long as it is.
    private static let longestPath = 200

    private static func shown(_ path: JSONPath) -> String {
        let text = path.description
        return text.count <= longestPath ? text : text.prefix(longestPath) + "…"
    }

    /// A line for each: `config.json:12:5: clients[2].grant_types[0]: must be one of: …`.
    ///
    /// - Parameter hasLines: `false` where nobody has seen the text that was read.
    package func lines(naming file: String, hasLines: Bool = true) -> [String] {
        var lines = entries.map { entry in
            "\(file):" + (hasLines ? "\(entry.place): " : " ") + (entry.path.isEmpty ? "" : "\(entry.path): ")
                + entry.message
        }
        if omittedCount > 0 { lines.append("\(file): and \(omittedCount) more") }
        return lines
    }
}

extension ConfigurationError: CustomStringConvertible {
    package var description: String { lines(naming: "configuration").joined(separator: "\n") }
}

import Primitives

/// One thing that can differ between rotation policies: its name in texts, how it is read and how it is written.
package struct RotationKnob: Sendable {
    package let name: String
    /// What it decides, in a line.
    package let help: String
    /// What it can be.
    package let values: String
    /// `false`: it is no value of it.
    let read: @Sendable (String, inout RotationPolicy) -> Bool
    package let write: @Sendable (RotationPolicy) -> String

    typealias Path<Value> = any WritableKeyPath<RotationPolicy, Value> & Sendable

    init(
        _ name: String, _ values: String, _ help: String, write: @escaping @Sendable (RotationPolicy) -> String,
        read: @escaping @Sendable (String, inout RotationPolicy) -> Bool
    ) {
        self.name = name
        self.values = values
        self.help = help
        self.read = read
        self.write = write
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Value>, _ help: String
    ) -> Self {
        Self(
            name, Value.allCases.map(\.rawValue).joined(separator: ", "), help,
            write: { $0[keyPath: path].rawValue }
        ) { text, policy in
            guard let value = Value(rawValue: text) else { return false }
            policy[keyPath: path] = value
            return true
        }
    }

    /// Two words, of which the second is for `true`.
    static func flag(_ name: String, _ path: Path<Bool>, _ words: (String, String), _ help: String) -> Self {
        Self(
            name, "\(words.0), \(words.1)", help,
            write: { $0[keyPath: path] ? words.1 : words.0 }
        ) { text, policy in
            guard text == words.0 || text == words.1 else { return false }
            policy[keyPath: path] = text == words.1
            return true
        }
    }

    /// One of no length would refuse every token.
    static func lifetime(_ name: String, _ path: Path<Duration?>, _ help: String) -> Self {
        duration(name, path, absent: "none", from: .milliseconds(1), help)
    }

    /// - Parameters:
    ///   - absent: the word for `nil`.
    ///   - least: the shortest that it can be.
    static func duration(
        _ name: String, _ path: Path<Duration?>, absent: String, from least: Duration = .zero, _ help: String
    ) -> Self {
        Self(
            name, "a duration such as 10s\(least > .zero ? ", not 0s" : ""), \(absent)", help,
            write: { $0[keyPath: path].map(DurationText.write) ?? absent }
        ) { text, policy in
            if text == absent {
                policy[keyPath: path] = nil
                return true
            }
            guard let duration = DurationText.read(text), duration >= least else { return false }
            policy[keyPath: path] = duration
            return true
        }
    }
}

/// An option of a command, and the type of what it gives.
///
///     static let lifetime = Option.value("token-lifetime", .duration, default: "1h", "How long a token is good.")
///     …
///     let lifetime: Duration = arguments[Self.lifetime]
struct Option<Value: Sendable>: Sendable {
    let row: OptionRow
    /// Makes the value out of texts that the row has found acceptable.
    let make: @Sendable ([String]) -> Value
}

extension Option {
    private static func row<Element>(
        _ name: String, _ short: Character?, _ reader: ValueReader<Element>, _ help: String, group: OptionGroup,
        defaults: [String], defaultNote: String?, environment: String?, isRepeatable: Bool
    ) -> OptionRow {
        OptionRow(
            name: name, short: short, placeholder: reader.placeholder, help: help, group: group, defaults: defaults,
            defaultNote: defaultNote, environment: environment, isRepeatable: isRepeatable,
            completion: reader.completion
        ) { text in
            if reader.read(text) != nil { return nil }
            if let explanation = reader.explain(text) { return explanation }
            return reader.isSecret ? "must be \(reader.expectation)" : "'\(text)' is not \(reader.expectation)"
        }
    }

    /// An option that has a value whether it is given or not.
    static func value(
        _ name: String, short: Character? = nil, _ reader: ValueReader<Value>, default: String,
        in group: OptionGroup = .general, environment: String? = nil, _ help: String
    ) -> Option<Value> {
        precondition(reader.read(`default`) != nil, "the default of --\(name) is not one of its values")
        return Option(
            row: row(
                name, short, reader, help, group: group, defaults: [`default`], defaultNote: nil,
                environment: environment, isRepeatable: false)
        ) { texts in reader.read(texts[texts.count - 1])! }
    }

    /// An option that may be left out.
    static func optional<Element>(
        _ name: String, short: Character? = nil, _ reader: ValueReader<Element>, in group: OptionGroup = .general,
        environment: String? = nil, defaultNote: String? = nil, _ help: String
    ) -> Option<Value> where Value == Element? {
        Option(
            row: row(
                name, short, reader, help, group: group, defaults: [], defaultNote: defaultNote,
                environment: environment, isRepeatable: false)
        ) { texts in texts.last.map { reader.read($0)! } }
    }

    /// An option of which every occurrence counts.
    static func list<Element>(
        _ name: String, short: Character? = nil, _ reader: ValueReader<Element>, default: [String] = [],
        in group: OptionGroup = .general, environment: String? = nil, defaultNote: String? = nil, _ help: String
    ) -> Option<Value> where Value == [Element] {
        Option(
            row: row(
                name, short, reader, help, group: group, defaults: `default`, defaultNote: defaultNote,
                environment: environment, isRepeatable: true)
        ) { texts in texts.map { reader.read($0)! } }
    }
}

extension Option where Value == Bool {
    /// An option without a value: given or not. `--name=false` takes back what a variable has set.
    static func flag(
        _ name: String, short: Character? = nil, in group: OptionGroup = .general, environment: String? = nil,
        _ help: String
    ) -> Option<Bool> {
        Option(
            row: OptionRow(
                name: name, short: short, placeholder: nil, help: help, group: group, defaults: [], defaultNote: nil,
                environment: environment, isRepeatable: false, completion: .nothing,
                problem: { FlagText.read($0) == nil ? "'\($0)' is neither true nor false" : nil })
        ) { texts in texts.last.map { FlagText.read($0)! } ?? false }
    }
}

/// What a flag may be set to.
private enum FlagText {
    static func read(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off": false
        default: nil
        }
    }
}

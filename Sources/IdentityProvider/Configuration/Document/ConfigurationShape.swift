import Primitives

/// What a value in a configuration file must look like.
///
/// Files are checked by it, and the published schema is printed from it, so that the two say the same.
indirect enum ConfigurationShape: Sendable {
    case flag
    case text(ConfigurationText)
    case choice([String])
    case integer(ClosedRange<Int64>)
    /// A text such as `5m`, or whole seconds.
    case duration
    case list(ConfigurationShape, count: ClosedRange<Int>)
    /// These members and no others.
    case record([ConfigurationField])
    /// These members, and those whose names the pattern is for.
    case taggedRecord([ConfigurationField], tagged: ConfigurationText, ConfigurationShape)
    /// Members of any name of a kind.
    case map(ConfigurationText, ConfigurationShape, most: Int)
    case either([ConfigurationShape])
    /// An object of anything.
    case object
    case anything
    /// The same; whoever reads it wants more, and these members of its schema say what.
    case also(ConfigurationShape, JSONObject)
    /// What only has to be known about because it must not pass in silence.
    case refused(String)
    /// One that the schema writes once, under this name.
    case named(String, ConfigurationShape)

    /// Completes "must be".
    var expectation: String {
        switch self {
        case .flag: "true or false"
        case .text(let text): text.expectation
        case .choice(let choices): "one of: \(choices.joined(separator: ", "))"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a duration of whole seconds, from one on: a text such as \"90s\" or \"1h30m\", or their number"
        case .list(let element, _): "an array, each element \(element.expectation)"
        case .record, .taggedRecord, .map, .object: "an object"
        case .either(let shapes): shapes.map(\.expectation).joined(separator: "; or ")
        case .anything: "any value"
        case .refused: "left out"
        case .named(_, let shape), .also(let shape, _): shape.expectation
        }
    }

    /// In whole seconds, from one on, and at most a century.
    static let durationSeconds = 1...ProviderConfiguration.maximumTokenLifetimeSeconds

    static func duration(of json: JSON) -> Duration? {
        let duration: Duration?
        switch json {
        case .number(let number): duration = number.int64.flatMap { durationSeconds.contains($0) ? .seconds($0) : nil }
        case .string(let text): duration = DurationText.read(text)
        default: duration = nil
        }
        guard let duration, duration == .seconds(duration.inSeconds), durationSeconds.contains(duration.inSeconds)
        else { return nil }
        return duration
    }
}

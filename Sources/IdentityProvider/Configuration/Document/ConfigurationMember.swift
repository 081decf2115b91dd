import JOSE
import OAuth
import Primitives

/// One member of a configuration file that sets something of the provider: how it looks, how it is read and how it is
/// written. What is not of its shape is not read; the shape has told why.
struct ConfigurationMember: Sendable {
    typealias Read = @Sendable (JSON, JSONPath, inout ConfigurationReading, inout ProviderConfiguration) -> Void
    typealias Write = @Sendable (ProviderConfiguration) -> JSON?
    typealias Path<Value> = any WritableKeyPath<ProviderConfiguration, Value> & Sendable

    let field: ConfigurationField
    let read: Read
    /// `nil`: there is nothing to say.
    var write: Write
    /// Those of a section.
    private(set) var members: [ConfigurationMember] = []
    /// Makes it what it is where nobody says anything, which no value can say; `nil`: a value can.
    var clear: (@Sendable (inout ProviderConfiguration) -> Void)?
    /// Why it cannot be changed once the provider runs; `nil`: it can.
    private(set) var reasonToStay: String?

    var name: String { field.name }

    init(
        _ name: String, _ shape: ConfigurationShape, _ help: String, write: @escaping Write, read: @escaping Read
    ) {
        field = ConfigurationField(name, shape, help)
        self.read = read
        self.write = write
    }

    /// The same, and it stays as the provider was made with.
    func staying(because reason: String) -> Self {
        var member = self
        member.reasonToStay = reason
        return member
    }

    static func duration(_ name: String, _ path: Path<Duration>, _ help: String) -> Self {
        Self(
            name, .named("duration", .duration), help,
            write: { .string(DurationText.write($0[keyPath: path])) }
        ) { json, _, _, configuration in
            if let duration = ConfigurationShape.duration(of: json) { configuration[keyPath: path] = duration }
        }
    }

    static func flag(_ name: String, _ path: Path<Bool>, _ help: String) -> Self {
        Self(name, .flag, help, write: { .bool($0[keyPath: path]) }) { json, _, _, configuration in
            if let flag = json.bool { configuration[keyPath: path] = flag }
        }
    }

    static func count(_ name: String, _ range: ClosedRange<Int>, _ path: Path<Int>, _ help: String) -> Self {
        Self(
            name, .integer(Int64(range.lowerBound)...Int64(range.upperBound)), help,
            write: { .number(JSONNumber(Int64($0[keyPath: path]))) }
        ) { json, _, _, configuration in
            if let number = json.int64, range.contains(Int(number)) { configuration[keyPath: path] = Int(number) }
        }
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Value>, _ help: String
    ) -> Self {
        Self(
            name, .choice(Value.allCases.map(\.rawValue)), help,
            write: { .string($0[keyPath: path].rawValue) }
        ) { json, _, _, configuration in
            if let value = json.string.flatMap(Value.init(rawValue:)) { configuration[keyPath: path] = value }
        }
    }

    /// An object with members of its own. Those that are not there keep what held before.
    static func section(_ name: String, _ members: [ConfigurationMember], _ help: String) -> Self {
        var section = Self(
            name, .record(members.map(\.field)), help,
            write: { .object(members.json(of: $0)) }
        ) { json, path, reading, configuration in
            if let object = json.object { members.read(object, at: path, &reading, into: &configuration) }
        }
        section.members = members
        return section
    }
}

extension [ConfigurationMember] {
    func read(
        _ object: JSONObject, at path: JSONPath, _ reading: inout ConfigurationReading,
        into configuration: inout ProviderConfiguration
    ) {
        for member in self {
            guard let value = object[member.name] else { continue }
            member.read(value, path[member.name], &reading, &configuration)
        }
    }

    func json(of configuration: ProviderConfiguration) -> JSONObject {
        var object = JSONObject()
        for member in self { object[member.name] = member.write(configuration) }
        return object
    }
}

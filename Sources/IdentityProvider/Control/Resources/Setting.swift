import JOSE
import Primitives

/// One thing that can be changed while the provider runs: where it stands in the settings, how it is read and written.
struct Setting: Sendable {
    typealias Path<Value> = any WritableKeyPath<ProviderConfiguration, Value> & Sendable
    typealias Read = @Sendable (ControlMembers, String, inout ProviderConfiguration) throws(ControlError) -> Void

    /// The object that it is in; `nil`: the outermost.
    let group: String?
    let name: String
    let schema: Schema
    let write: @Sendable (ProviderConfiguration) -> JSON
    let read: Read

    /// Its name, and that of its group: `lifetimes.login`.
    init(
        _ name: String, _ schema: Schema, write: @escaping @Sendable (ProviderConfiguration) -> JSON,
        read: @escaping Read
    ) {
        let parts = name.split(separator: ".")
        group = parts.count == 2 ? String(parts[0]) : nil
        self.name = String(parts[parts.count - 1])
        self.schema = schema
        self.write = write
        self.read = read
    }

    /// Whole seconds, from one on: what tokens count in.
    static func lifetime(_ name: String, _ path: Path<Duration>, _ description: String? = nil) -> Setting {
        Setting(name, .any(of: [.integer(minimum: 1), .string()], description)) { configuration in
            ControlTime.json(configuration[keyPath: path])
        } read: { members, name, configuration throws(ControlError) in
            guard let duration = try members.duration(name) else { throw missing(members, name) }
            guard duration >= .seconds(1), duration == .seconds(duration.inSeconds),
                duration <= .seconds(ProviderConfiguration.maximumTokenLifetimeSeconds)
            else { throw .invalid(members.place[name], "must be a whole number of seconds, from one on") }
            configuration[keyPath: path] = duration
        }
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Value>, _ description: String? = nil
    ) -> Setting {
        Setting(name, .string(description, oneOf: Value.allCases.map(\.rawValue))) { configuration in
            .string(configuration[keyPath: path].rawValue)
        } read: { members, name, configuration throws(ControlError) in
            guard let value = try members.choice(name, of: Value.self) else { throw missing(members, name) }
            configuration[keyPath: path] = value
        }
    }

    static func count(_ name: String, _ path: Path<Int>, in range: ClosedRange<Int>) -> Setting {
        Setting(name, .integer(minimum: range.lowerBound, maximum: range.upperBound)) { configuration in
            .number(JSONNumber(Int64(configuration[keyPath: path])))
        } read: { members, name, configuration throws(ControlError) in
            guard let value = try members.number(name, in: range) else { throw missing(members, name) }
            configuration[keyPath: path] = value
        }
    }

    static func texts(_ name: String, _ path: Path<[String]>, _ description: String? = nil) -> Setting {
        Setting(name, .array(of: .string(), description)) { configuration in
            .array(configuration[keyPath: path].map { .string($0) })
        } read: { members, name, configuration throws(ControlError) in
            guard let values = try members.texts(name), !values.isEmpty, !values.contains("") else {
                throw missing(members, name)
            }
            configuration[keyPath: path] = values
        }
    }

    static func missing(_ members: ControlMembers, _ name: String) -> ControlError {
        .invalid(members.place[name], "cannot be null or empty; leave it out to keep what it is")
    }
}

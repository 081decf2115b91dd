import OAuth
import Primitives

/// What the configuration says of a provider's behaviour, as the control API tells and takes it: the members of a
/// configuration file, and nothing that a file does not have.
///
/// It differs where programs talk and not people. Durations are told as numbers of seconds. A secret is told as null and
/// taken as itself, for whoever may call this API may not read our files. Null puts a member back to what it is where
/// nobody says anything, if no value can say that.
enum Settings {
    private static let members = ConfigurationMember.policies

    /// What else a file has, and where it is changed.
    private static let elsewhere =
        ConfigurationMember.rootOnly.compactMap { member in
            member.refusalToChange.map { ConfigurationField(member.name, .refused($0), "") }
        }
        + [
            ("users", "is no setting; users are changed at /_pawl/users"),
            ("standard_users", "is no setting; users are changed at /_pawl/users"),
            ("clients", "is no setting; clients are changed at /_pawl/clients"),
            ("standard_clients", "is no setting; clients are changed at /_pawl/clients"),
            ("tenants", "is no setting; tenants are changed at /_pawl/tenants"),
        ].map { ConfigurationField($0, .refused($1), "") }

    private static let shape = ConfigurationShape.record(members.map(\.field.withSecretItself) + elsewhere)

    /// Whether the provider that settings are for is there already.
    enum Moment { case beforeStart, whileRunning }

    /// All that the body says, or, when something in it is wrong, nothing.
    static func apply(
        _ body: ControlMembers, to configuration: inout ProviderConfiguration, _ moment: Moment
    ) throws(ControlError) {
        var changed = configuration
        // What is given back as it was told stays: secrets too, which are told as null.
        let told = json(of: configuration).object ?? [:]
        var object = body.object.without(told, members)
        if moment == .whileRunning {
            for member in members where object.contains(member.name) {
                if let refusal = member.refusalToChange { throw .invalid(body.place[member.name], refusal) }
            }
        }
        object.clear(members, of: &changed)
        var reading = ConfigurationReading { _ throws(SecretReferenceError) in
            throw SecretReferenceError("must be the secret itself")
        }
        shape.check(.object(object), at: body.place, into: &reading.problems)
        members.read(object, at: body.place, &reading, into: &changed)
        if let problem = reading.problems.found.first { throw .invalid(problem.path, problem.message) }
        do { try changed.check() } catch { throw .invalid(nil, error.description) }
        configuration = changed
    }

    static func json(of configuration: ProviderConfiguration) -> JSON { .object(members.told(of: configuration)) }

    static let schema: Schema = .object(members.map { (name: $0.name, schema: $0.settingsSchema) })
}

extension [ConfigurationMember] {
    fileprivate func told(of configuration: ProviderConfiguration) -> JSONObject {
        var object = JSONObject()
        for member in self {
            if !member.members.isEmpty {
                object[member.name] = .object(member.members.told(of: configuration))
            } else if let value = member.write(configuration) {
                object[member.name] = member.field.shape.told(value)
            } else if member.clear != nil {
                object[member.name] = .null
            }
        }
        return object
    }
}

extension JSONObject {
    /// Without the members that say what is told already. A section stays with those that differ, be it none, unless it says
    /// all that is told.
    fileprivate func without(_ told: JSONObject, _ members: [ConfigurationMember]) -> JSONObject {
        var rest = self
        for member in members {
            guard let value = self[member.name] else { continue }
            if value == told[member.name] {
                rest[member.name] = nil
            } else if !member.members.isEmpty, let object = value.object {
                rest[member.name] = .object(object.without(told[member.name]?.object ?? [:], member.members))
            }
        }
        return rest
    }

    /// Takes out what is null where that means something, and does it.
    fileprivate mutating func clear(_ members: [ConfigurationMember], of configuration: inout ProviderConfiguration) {
        for member in members {
            if let clear = member.clear, self[member.name] == .null {
                clear(&configuration)
                self[member.name] = nil
            } else if !member.members.isEmpty, var object = self[member.name]?.object {
                object.clear(member.members, of: &configuration)
                self[member.name] = .object(object)
            }
        }
    }
}

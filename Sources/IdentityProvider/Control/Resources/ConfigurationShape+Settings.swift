import Primitives

/// Shapes in the words of the control API.
extension ConfigurationShape {
    /// A value as a file has it: durations as seconds, secrets as null.
    func told(_ json: JSON) -> JSON {
        switch self {
        case .duration: return Self.duration(of: json).map(ControlTime.json) ?? json
        case .named("secret", _): return .null
        case .named(_, let shape), .also(let shape, _): return shape.told(json)
        case .record(let fields):
            guard var object = json.object else { return json }
            for field in fields {
                if let value = object[field.name] { object[field.name] = field.shape.told(value) }
            }
            return .object(object)
        case .either(let shapes):
            // Only an object can have a secret in it, and none here is one of two.
            guard json.object != nil else { return json }
            return shapes.first { if case .record = $0 { true } else { false } }?.told(json) ?? json
        default: return json
        }
    }

    /// The same, where secrets are taken as themselves and not looked for in files and variables.
    var withSecretsThemselves: Self {
        switch self {
        case .named("secret", _): .named("secret", .text(.secretItself))
        case .named(let name, let shape): .named(name, shape.withSecretsThemselves)
        case .list(let element, let count): .list(element.withSecretsThemselves, count: count)
        case .record(let fields): .record(fields.map(\.withSecretItself))
        case .either(let shapes): .either(shapes.map(\.withSecretsThemselves))
        case .taggedRecord(let fields, let tagged, let shape):
            .taggedRecord(fields.map(\.withSecretItself), tagged: tagged, shape.withSecretsThemselves)
        case .map(let names, let shape, let most): .map(names, shape.withSecretsThemselves, most: most)
        case .also(let shape, let more): .also(shape.withSecretsThemselves, more)
        case .flag, .text, .choice, .integer, .duration, .object, .anything, .refused: self
        }
    }

    var settingsSchema: Schema {
        switch self {
        case .flag: .boolean
        case .text(let text): .string(pattern: text.pattern)
        case .choice(let choices): .string(oneOf: choices)
        case .integer(let range): .integer(minimum: Int(range.lowerBound), maximum: Int(range.upperBound))
        case .duration: .any(of: [.integer(minimum: Int(Self.durationSeconds.lowerBound)), .string()])
        case .list(let element, _): .array(of: element.settingsSchema)
        case .record(let fields): Self.settingsSchema(of: fields)
        case .either(let shapes): .any(of: shapes.map(\.settingsSchema))
        case .named("secret", _): Schema.string("Never told: null stands for it.").orNull
        case .named(_, let shape), .also(let shape, _): shape.settingsSchema
        case .taggedRecord, .map, .object: .anyObject()
        case .anything, .refused: .any()
        }
    }

    private static func settingsSchema(of fields: [ConfigurationField]) -> Schema {
        .object(
            fields.map { (name: $0.name, schema: $0.shape.settingsSchema.described($0.help)) },
            required: fields.filter(\.isRequired).map(\.name))
    }
}

extension ConfigurationText {
    /// Null is told apart before shapes are looked at.
    fileprivate static let secretItself = ConfigurationText(
        expectation:
            "the secret itself, a text that is not empty (null stands for the one that is there, if there is one)",
        byteCount: plain.byteCount)
}

extension ConfigurationField {
    var withSecretItself: Self {
        Self(name, shape.withSecretsThemselves, help, isRequired: isRequired)
    }
}

extension ConfigurationMember {
    /// `nil`: it can be changed at any time.
    var refusalToChange: String? { reasonToStay.map { "cannot be changed while the provider runs: \($0)" } }

    /// What the control API tells and takes.
    var settingsSchema: Schema {
        var schema =
            members.isEmpty
            ? field.shape.settingsSchema : Schema.object(members.map { ($0.name, $0.settingsSchema) })
        if clear != nil { schema = schema.orNull }
        return schema.described(field.help + (refusalToChange.map { " It \($0)." } ?? ""))
    }
}

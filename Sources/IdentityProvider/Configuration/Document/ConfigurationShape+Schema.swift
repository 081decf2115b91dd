import Primitives

/// Shapes in the words of JSON Schema, draft 2020-12.
extension ConfigurationShape {
    /// The schema; what has a name goes to `definitions` and is referred to.
    func schema(_ definitions: inout JSONObject) -> JSONObject {
        switch self {
        case .flag: return ["type": "boolean"]
        case .text(let text): return Self.schema(of: text)
        case .choice(let choices): return ["enum": .array(choices.map { .string($0) })]
        case .integer(let range): return Self.schema(of: range)
        case .duration:
            return [
                "anyOf": [.object(Self.schema(of: Self.durationSeconds)), .object(Self.schema(of: .duration))]
            ]
        case .list(let element, let count):
            var schema: JSONObject = ["type": "array", "items": .object(element.schema(&definitions))]
            if count.lowerBound > 0 { schema["minItems"] = .number(JSONNumber(Int64(count.lowerBound))) }
            schema["maxItems"] = .number(JSONNumber(Int64(count.upperBound)))
            return schema
        case .record(let fields): return Self.schema(of: fields, &definitions)
        case .taggedRecord(let fields, let tagged, let shape):
            var schema = Self.schema(of: fields, &definitions)
            schema["patternProperties"] = .object([tagged.pattern ?? "": .object(shape.schema(&definitions))])
            return schema
        case .map(let names, let shape, let most):
            return [
                "type": "object", "propertyNames": .object(Self.schema(of: names)),
                "additionalProperties": .object(shape.schema(&definitions)),
                "maxProperties": .number(JSONNumber(Int64(most))),
            ]
        case .either(let shapes):
            return ["anyOf": .array(shapes.map { .object($0.schema(&definitions)) })]
        case .object: return ["type": "object"]
        case .anything: return [:]
        case .also(let shape, let members):
            var schema = shape.schema(&definitions)
            for (name, value) in members { schema[name] = value }
            return schema
        case .refused: return ["not": [:]]
        case .named(let name, let shape):
            if !definitions.contains(name) {
                // Held free, so that the definitions stand in the order in which they are met.
                definitions[name] = .null
                definitions[name] = .object(shape.schema(&definitions))
            }
            return ["$ref": .string("#/$defs/\(name)")]
        }
    }

    private static func schema(of text: ConfigurationText) -> JSONObject {
        var schema: JSONObject = ["type": "string"]
        if let pattern = text.pattern { schema["pattern"] = .string(pattern) }
        schema["minLength"] = .number(JSONNumber(Int64(text.byteCount.lowerBound)))
        // The schema counts characters, and none has less than a byte.
        schema["maxLength"] = .number(JSONNumber(Int64(text.byteCount.upperBound)))
        return schema
    }

    private static func schema(of range: ClosedRange<Int64>) -> JSONObject {
        [
            "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
            "maximum": .number(JSONNumber(range.upperBound)),
        ]
    }

    private static func schema(of fields: [ConfigurationField], _ definitions: inout JSONObject) -> JSONObject {
        var properties = JSONObject()
        for field in fields {
            var schema = field.shape.schema(&definitions)
            schema["description"] = .string(field.help)
            properties[field.name] = .object(schema)
        }
        var schema: JSONObject = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        return schema
    }
}

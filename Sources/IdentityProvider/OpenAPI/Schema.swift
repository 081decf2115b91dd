import Primitives

/// What a value must be like: a JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it.
///
///     Schema.object(["active": .boolean, "scope": .string()], required: ["active"])
package struct Schema: Sendable, Hashable {
    package private(set) var json: JSONObject

    private init(_ json: JSONObject) { self.json = json }

    package static func string(
        _ description: String? = nil, format: String? = nil, oneOf values: [String] = [], pattern: String? = nil
    ) -> Schema {
        var schema = Schema(["type": "string"])
        if let format { schema.json["format"] = .string(format) }
        if let pattern { schema.json["pattern"] = .string(pattern) }
        if !values.isEmpty { schema.json["enum"] = .array(values.map { .string($0) }) }
        return schema.described(description)
    }

    /// An absolute URL.
    package static func url(_ description: String? = nil) -> Schema { .string(description, format: "uri") }

    /// A moment as RFC 3339 has it.
    package static func moment(_ description: String? = nil) -> Schema { .string(description, format: "date-time") }

    package static func integer(
        _ description: String? = nil, minimum: Int? = nil, maximum: Int? = nil
    ) -> Schema {
        var schema = Schema(["type": "integer"])
        if let minimum { schema.json["minimum"] = .number(JSONNumber(Int64(minimum))) }
        if let maximum { schema.json["maximum"] = .number(JSONNumber(Int64(maximum))) }
        return schema.described(description)
    }

    package static func number(_ description: String? = nil) -> Schema {
        Schema(["type": "number"]).described(description)
    }

    package static func boolean(_ description: String? = nil) -> Schema {
        Schema(["type": "boolean"]).described(description)
    }

    package static let boolean = Schema.boolean(nil)

    /// Whatever there is.
    package static func any(_ description: String? = nil) -> Schema { Schema([:]).described(description) }

    package static func array(of element: Schema, _ description: String? = nil) -> Schema {
        Schema(["type": "array", "items": .object(element.json)]).described(description)
    }

    /// - Parameter isOpen: whether other members may be there too.
    package static func object(
        _ properties: [(name: String, schema: Schema)], required: [String] = [], isOpen: Bool = false,
        _ description: String? = nil
    ) -> Schema {
        var members = JSONObject()
        for (name, schema) in properties { members[name] = .object(schema.json) }
        var schema = Schema(["type": "object"])
        if !properties.isEmpty { schema.json["properties"] = .object(members) }
        if !required.isEmpty { schema.json["required"] = .array(required.map { .string($0) }) }
        if !isOpen { schema.json["additionalProperties"] = false }
        return schema.described(description)
    }

    /// An object that may have any members.
    package static func anyObject(_ description: String? = nil) -> Schema {
        .object([], isOpen: true, description)
    }

    package static func any(of schemas: [Schema], _ description: String? = nil) -> Schema {
        Schema(["anyOf": .array(schemas.map { .object($0.json) })]).described(description)
    }

    /// One of the schemas that the document names.
    package static func reference(_ name: String) -> Schema {
        Schema(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// The same, or null.
    package var orNull: Schema { .any(of: [self, Schema(["type": "null"])]) }

    package func described(_ description: String?) -> Schema {
        guard let description else { return self }
        var schema = self
        schema.json["description"] = .string(description)
        return schema
    }
}

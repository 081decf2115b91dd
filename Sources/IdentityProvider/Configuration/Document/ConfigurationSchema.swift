import Primitives

/// The JSON Schema of configuration files (draft 2020-12), made from what the reader checks by.
package enum ConfigurationSchema {
    package static var json: JSONObject {
        var definitions = JSONObject()
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Configuration of pawl",
            "description":
                "Some things only the reader checks: URLs, keys, rules for claims, and what must not stand together.",
        ]
        for (name, value) in ConfigurationShape.document.schema(&definitions) { schema[name] = value }
        schema["$defs"] = .object(definitions)
        return schema
    }
}

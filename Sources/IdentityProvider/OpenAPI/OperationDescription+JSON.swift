import Primitives

extension OperationDescription {
    /// The Operation Object (OpenAPI 3.1 section 4.8.10).
    var json: JSON {
        var object: JSONObject = [
            "operationId": .string(identifier), "tags": [.string(tag)], "summary": .string(summary),
        ]
        if let details { object["description"] = .string(details) }
        if !parameters.isEmpty { object["parameters"] = .array(parameters.map(\.json)) }
        if let requestBody {
            object["requestBody"] = ["required": .bool(isRequestBodyRequired), "content": requestBody.json]
        }
        var answers = JSONObject()
        for response in responses { answers["\(response.status)"] = response.json }
        object["responses"] = .object(answers)
        if !security.isEmpty { object["security"] = .array(security.map { .object([$0: []]) }) }
        return .object(object)
    }
}

extension OperationDescription.Parameter {
    fileprivate var json: JSON {
        var object: JSONObject = [
            "name": .string(name), "in": .string(place.rawValue), "required": .bool(isRequired),
            "schema": .object(schema.json),
        ]
        if let description { object["description"] = .string(description) }
        return .object(object)
    }
}

extension OperationDescription.Content {
    fileprivate var json: JSON {
        var object = JSONObject()
        for (mediaType, schema) in types { object[mediaType] = ["schema": .object(schema.json)] }
        return .object(object)
    }
}

extension OperationDescription.Response {
    fileprivate var json: JSON {
        var object: JSONObject = ["description": .string(description)]
        if !fields.isEmpty {
            var headers = JSONObject()
            for (name, description) in fields {
                headers[name] = ["description": .string(description), "schema": ["type": "string"]]
            }
            object["headers"] = .object(headers)
        }
        if let content { object["content"] = content.json }
        return .object(object)
    }
}

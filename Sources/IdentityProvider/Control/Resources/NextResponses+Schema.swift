import HTTPMessages
import Primitives

extension NextResponsesControl {
    static let inputSchema = Schema.object([
        (
            "endpoint",
            .string(
                "Its path, or `token`, `authorize`, `userinfo`, `jwks`, …. Left out, claims and members are for the next tokens, "
                    + "and whatever else for `token`.")
        ),
        ("client", .string("Only for requests that name this client.")),
        ("count", .integer("For so many answers; one unless it is given.", minimum: 1, maximum: 1_000_000)),
        ("when", .string(oneOf: ResponseReplacement.Moment.allCases.map(\.rawValue))),
        ("status", .integer(minimum: 200, maximum: 599)),
        ("headers", .anyObject("Texts by the names of fields; in the place of those of the same name.")),
        ("body", .any("A text is sent as it is, whatever else as JSON.")),
        ("error", .string("The body is an error of OAuth; status 400 unless another is given.")),
        ("error_description", .string()),
        ("access_token_claims", .anyObject("Put over the claims of the access token; null takes one away.")),
        ("id_token_claims", .anyObject()),
        ("members", .anyObject("Put over the members of the answer; null takes one away.")),
    ])

    static let schema = Schema.object(
        [
            ("id", .integer()), ("endpoint", Schema.string().orNull), ("client", Schema.string().orNull),
            ("remaining", .integer()), ("when", .string(oneOf: ResponseReplacement.Moment.allCases.map(\.rawValue))),
            ("status", .integer()), ("headers", .anyObject()), ("body", .string("As it is sent.")),
            ("access_token_claims", .anyObject()), ("id_token_claims", .anyObject()), ("members", .anyObject()),
        ], required: ["id", "endpoint", "client", "remaining", "when"])
}

extension ResponseOverrides.Waiting {
    var json: JSON {
        var object: JSONObject = [
            "id": .number(JSONNumber(Int64(id))), "endpoint": override.endpoint.map { .string($0) } ?? .null,
            "client": override.clientID.map { .string($0) } ?? .null,
            "remaining": .number(JSONNumber(Int64(remaining))),
            "when": .string((override.replacement?.moment ?? .after).rawValue),
        ]
        if let replacement = override.replacement {
            if let status = replacement.status { object["status"] = .number(JSONNumber(Int64(status.code))) }
            if !replacement.fields.isEmpty {
                var headers = JSONObject()
                for field in replacement.fields { headers[field.name.rawName] = .string(field.value) }
                object["headers"] = .object(headers)
            }
            if let body = replacement.body { object["body"] = .string(String(decoding: body, as: UTF8.self)) }
            if let members = replacement.members { object["members"] = .object(members) }
        }
        if let tokens = override.tokens {
            if let claims = tokens.accessTokenClaims { object["access_token_claims"] = .object(claims) }
            if let claims = tokens.idTokenClaims { object["id_token_claims"] = .object(claims) }
            if let members = tokens.members { object["members"] = .object(members) }
        }
        return .object(object)
    }
}

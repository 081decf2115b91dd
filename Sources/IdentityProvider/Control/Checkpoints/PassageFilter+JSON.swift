import HTTPMessages
import Primitives

extension PassageFilter {
    static let members = ["endpoint", "client", "grant_type", "family", "headers"]

    /// Header fields that one filter may ask for.
    static let maximumFieldCount = 16

    /// - Parameter endpoints: the paths of those that there are.
    init(_ body: ControlMembers, endpoints: EndpointNames) throws(ControlError) {
        endpoint = try endpoints.path(body, "endpoint")
        clientID = try body.text("client")
        grantType = try body.text("grant_type")
        if let text = try body.text("family") {
            guard let id = FamilyID(text) else {
                throw .invalid(body.place["family"], "must be the identifier of a family, as /sessions lists them")
            }
            family = id
        }
        for (name, value) in try body.object("headers") ?? [:] {
            let place = body.place["headers"][name]
            guard let fieldName = HTTPField.Name(name), let text = value.string else {
                throw .invalid(place, "must be the name and the text of a header field")
            }
            // Whoever may list barriers and faults is not to learn a secret from them.
            guard !Self.secretNames.contains(fieldName.canonicalName) else {
                throw .invalid(place, "holds secrets; filter by client, family, or a header field of your own")
            }
            fields.append(Field(name: fieldName, value: text))
        }
        guard fields.count <= Self.maximumFieldCount else {
            throw .invalid(body.place["headers"], "at most \(Self.maximumFieldCount) header fields")
        }
    }

    private static let secretNames = ["authorization", "cookie", "dpop", "proxy-authorization"]

    var json: JSONObject {
        var object = JSONObject()
        if let endpoint { object["endpoint"] = .string(endpoint) }
        if let clientID { object["client"] = .string(clientID) }
        if let grantType { object["grant_type"] = .string(grantType) }
        if let family { object["family"] = .string(family.description) }
        if !fields.isEmpty {
            var members = JSONObject()
            for field in fields { members[field.name.rawName] = .string(field.value) }
            object["headers"] = .object(members)
        }
        return object
    }

    static let properties: [(name: String, schema: Schema)] = [
        ("endpoint", .string("Its path below the issuer, or its name: `token`.")),
        ("client", .string("The client that the request names.")), ("grant_type", .string()),
        ("family", .string("That of the refresh token that it presents.")),
        ("headers", .anyObject("Header fields that it has with these values.")),
    ]
}

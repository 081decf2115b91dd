import Primitives

/// The same form as `Codable` gives it, for whoever has no encoder.
extension Cookie {
    package var json: JSON {
        var members: JSONObject = [
            "name": .string(name), "value": .string(value), "domain": .string(domain), "hostOnly": .bool(isHostOnly),
            "path": .string(path), "secure": .bool(isSecure), "httpOnly": .bool(isHTTPOnly),
            "sameSite": .string(sameSite.rawValue), "created": .number(JSONNumber(created.millisecondsSinceEpoch)),
        ]
        members["expires"] = expires.map { .number(JSONNumber($0.millisecondsSinceEpoch)) }
        return .object(members)
    }

    /// `nil`: something is missing, or no server can have set it.
    package init?(json: JSON) {
        guard let members = json.object, let name = members["name"]?.string, let value = members["value"]?.string,
            let domain = members["domain"]?.string, let isHostOnly = members["hostOnly"]?.bool,
            let path = members["path"]?.string, let isSecure = members["secure"]?.bool,
            let isHTTPOnly = members["httpOnly"]?.bool,
            let sameSite = members["sameSite"]?.string.flatMap(SameSite.init), let created = members["created"]?.int64
        else { return nil }
        var expires: Timestamp?
        if let written = members["expires"] {
            guard let milliseconds = written.int64 else { return nil }
            expires = Timestamp(millisecondsSinceEpoch: milliseconds)
        }
        self.init(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires,
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite,
            at: Timestamp(millisecondsSinceEpoch: created))
        guard refusal == nil else { return nil }
    }
}

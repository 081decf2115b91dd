import Primitives

extension Cookie {
    /// The same members that ``encode(to:)`` writes.
    package var json: JSON {
        var object: JSONObject = [
            "name": .string(name), "value": .string(value), "domain": .string(domain), "hostOnly": .bool(isHostOnly),
            "path": .string(path), "secure": .bool(isSecure), "httpOnly": .bool(isHTTPOnly),
            "sameSite": .string(sameSite.rawValue), "created": .number(JSONNumber(created.millisecondsSinceEpoch)),
        ]
        if let expires { object["expires"] = .number(JSONNumber(expires.millisecondsSinceEpoch)) }
        return .object(object)
    }

    /// `nil`: it cannot be read, or no server can have set it.
    package init?(json: JSON) {
        guard let name = json["name"]?.string, let value = json["value"]?.string, let domain = json["domain"]?.string,
            let isHostOnly = json["hostOnly"]?.bool, let path = json["path"]?.string,
            let isSecure = json["secure"]?.bool, let isHTTPOnly = json["httpOnly"]?.bool,
            let sameSite = json["sameSite"]?.string.flatMap(SameSite.init(rawValue:)),
            let created = json["created"]?.int64
        else { return nil }
        var expires: Timestamp?
        switch json["expires"] {
        case nil, .null?: break
        case let value?:
            guard let milliseconds = value.int64 else { return nil }
            expires = Timestamp(millisecondsSinceEpoch: milliseconds)
        }
        self.init(
            name: name, value: value, domain: domain, isHostOnly: isHostOnly, path: path, expires: expires,
            isSecure: isSecure, isHTTPOnly: isHTTPOnly, sameSite: sameSite,
            at: Timestamp(millisecondsSinceEpoch: created))
        guard refusal == nil else { return nil }
    }
}
